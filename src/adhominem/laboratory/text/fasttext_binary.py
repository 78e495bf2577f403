"""Word vectors of a fastText binary model (`.bin`), without loading all of it.

The file has, in this order and in little-endian bytes: magic, version, the training arguments, the
dictionary, and the input matrix, in which the rows of the words come before those of the n-gram
buckets. The vector of a word w is

    v(w) = mean of { its own row, if the dictionary has w } and { the row of each of its n-grams }

so a word that is not in the dictionary has a vector too. The n-grams are those of `<w>`, counted in
characters and hashed as UTF-8 bytes (fastText 0.9, `src/dictionary.cc` and `src/fasttext.cc`).
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Container, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from adhominem.errors import InputError

MAGIC = 793712314
VERSION = 12
SENTENCE = b"</s>"  # the only word without n-grams

# magic, version; dim, ws, epoch, minCount, neg, wordNgrams, loss, model, bucket, minn, maxn,
# lrUpdateRate, t; entries, words, labels, tokens, pruned buckets (-1: none were)
_HEADER = struct.Struct("<2i12id3i2q")
_AFTER_WORD = struct.Struct("<qb")  # count, and whether it is a word or a label
_MATRIX = struct.Struct("<?2q")  # quantised, rows, columns


@dataclass(frozen=True, slots=True)
class _Layout:
    """`numbers` has the rows of the wanted words, `start` is the first byte of the matrix."""

    numbers: dict[bytes, int]
    n_words: int
    n_buckets: int
    min_n: int
    max_n: int
    start: int
    shape: tuple[int, int]

    def rows(self, word: bytes) -> list[int]:
        own = [self.numbers[word]] if word in self.numbers else []
        if word == SENTENCE or self.n_buckets == 0:
            return own
        hashes = ngram_hashes(b"<" + word + b">", self.min_n, self.max_n)
        return own + [self.n_words + h % self.n_buckets for h in hashes]


def read_binary(path: Path, words: Iterable[str]) -> dict[str, npt.NDArray[np.float32]]:
    """Return the vectors of the words that have a row or an n-gram; only those rows are read."""
    keys = {word: word.encode("utf-8", "surrogatepass") for word in words}
    layout = _read_layout(path, set(keys.values()))
    matrix = np.asarray(np.memmap(path, "<f4", "r", layout.start, layout.shape))
    vectors = {}
    for word, key in keys.items():
        if rows := layout.rows(key):
            vectors[word] = matrix[rows].mean(axis=0, dtype=np.float64).astype(np.float32)
    return vectors


def ngram_hashes(word: bytes, min_n: int, max_n: int) -> list[int]:
    """Return the FNV-1a hashes of the n-grams of min_n to max_n characters.

    fastText reads a byte as signed, so one above 127 changes all 32 bits. A single first or last
    character is no n-gram: it is a bracket.
    """
    starts = [i for i, byte in enumerate(word) if byte & 0xC0 != 0x80] + [len(word)]
    n_characters = len(starts) - 1
    hashes = []
    for first in range(n_characters):
        value = 2166136261
        for last in range(first, min(first + max_n, n_characters)):
            for byte in word[starts[last] : starts[last + 1]]:
                value = (value ^ byte ^ (0xFFFFFF00 if byte > 127 else 0)) * 16777619 & 0xFFFFFFFF
            is_bracket = first == last and (first == 0 or last == n_characters - 1)
            if last - first + 1 >= min_n and not is_bracket:
                hashes.append(value)
    return hashes


def _read_layout(path: Path, wanted: Container[bytes]) -> _Layout:
    if path.stat().st_size < _HEADER.size:
        raise InputError(f"{path} is too short for a fastText .bin model: download it again")
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        try:
            return _parse(path, data, wanted)
        except struct.error:
            raise _truncated(path) from None


def _parse(path: Path, data: mmap.mmap, wanted: Container[bytes]) -> _Layout:
    magic, version, *arguments = _HEADER.unpack_from(data)
    if (magic, version) != (MAGIC, VERSION):
        raise InputError(
            f"{path} begins with {magic}, {version}, a fastText .bin model with "
            f"{MAGIC}, {VERSION}: give such a model, or a .vec text file"
        )
    dim, n_buckets, min_n, max_n = arguments[0], *arguments[8:11]
    n_entries, n_words, _, _, n_pruned = arguments[13:]
    numbers: dict[bytes, int] = {}
    position = _HEADER.size
    for number in range(n_entries):
        end = data.find(b"\0", position)
        if end < 0:
            raise _truncated(path)
        if number < n_words and (word := data[position:end]) in wanted:  # labels come last
            numbers[word] = number
        position = end + 1 + _AFTER_WORD.size
    position += 8 * max(n_pruned, 0)
    is_quantised, n_rows, n_columns = _MATRIX.unpack_from(data, position)
    if is_quantised or n_pruned >= 0:
        raise InputError(
            f"{path} is quantised or pruned (.ftz): give the .bin model it was made from"
        )
    start = position + _MATRIX.size
    if n_columns != dim or dim < 1 or n_buckets < 0 or n_rows != n_words + n_buckets:
        raise InputError(
            f"{path} has a matrix of {n_rows} x {n_columns}, its header says "
            f"{n_words + n_buckets} x {dim}: the file is damaged, download it again"
        )
    if start + 4 * n_rows * n_columns > len(data):
        raise _truncated(path)
    return _Layout(numbers, n_words, n_buckets, min_n, max_n, start, (n_rows, n_columns))


def _truncated(path: Path) -> InputError:
    return InputError(f"{path} ends before its vectors do: download it again")
