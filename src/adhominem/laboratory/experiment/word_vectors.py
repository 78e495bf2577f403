"""Pretrained vectors for a list of words: fastText `.bin` and `.vec`, GloVe text, `.gz` of text.

Only the rows of these words are kept. A word that the file does not have is looked up in lower
case; in a `.bin` model this concerns words without n-grams only, as all others have a vector. The
vectors of missing words are drawn at random, in the scale of the others. Reserved words are not
looked up.

A fastText binary model has, in little-endian bytes: magic, version, the training arguments, the
dictionary, and the input matrix, in which the rows of the words come before those of the n-gram
buckets. The vector of a word w is

    v(w) = mean of its own row, if the dictionary has w, and the rows of its n-grams

where `</s>` has no n-grams (fastText 0.9, `src/dictionary.cc` and `src/fasttext.cc`).
"""

import gzip
import mmap
import struct
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from adhominem.arrays import Booleans, Singles
from adhominem.errors import InputError
from adhominem.instrument.text.vocabulary import PADDING, RESERVED_WORDS

MAGIC = 793712314
VERSION = 12
# magic, version; dim, ws, epoch, minCount, neg, wordNgrams, loss, model, bucket, minn, maxn,
# lrUpdateRate, t; entries, words, labels, tokens, pruned buckets (-1 if not pruned)
_HEADER = struct.Struct("<2i12id3i2q")
_AFTER_WORD = struct.Struct("<qb")  # count, word or label
_MATRIX = struct.Struct("<?2q")  # quantised, rows, columns


@dataclass(frozen=True, slots=True)
class Vectors:
    """Row i is the vector of word i, drawn at random if `found[i]` is false."""

    matrix: Singles  # (n_words, dim)
    found: Booleans  # (n_words,)


def load_vectors(path: Path, words: Sequence[str], *, seed: int = 0) -> Vectors:
    """Return the vectors of words. Those of missing words are drawn from a normal distribution with
    mean 0 and the standard deviation of the others in each dimension; `<padding>` is zero."""
    if not path.is_file():
        raise InputError(f"{path} is not a file: give a fastText .bin or .vec or a GloVe text file")
    if path.name.endswith((".bin.gz", ".ftz.gz")):
        raise InputError(f"{path} is compressed: unpack it with gunzip, a model is read in place")
    read = read_binary if path.suffix in (".bin", ".ftz") else read_text
    reserved = set(RESERVED_WORDS)
    spellings = [
        [s for s in (word, word.lower()) if reserved.isdisjoint((word, s))] for word in words
    ]
    rows = read(path, set(chain.from_iterable(spellings)))
    chosen = [next((rows[s] for s in group if s in rows), None) for group in spellings]
    found = np.array([row is not None for row in chosen], dtype=bool)
    if not found.any():
        raise InputError(f"{path} has none of the {len(words)} words: give another file")
    known = np.stack([row for row in chosen if row is not None])
    if not np.isfinite(known).all():
        raise InputError(f"{path} has values that are not finite: download it again")
    matrix = np.zeros((len(words), known.shape[1]), dtype=np.float32)
    matrix[found] = known
    is_drawn = ~found & np.array([word != RESERVED_WORDS[PADDING] for word in words], dtype=bool)
    deviation = known.std(axis=0, dtype=np.float64)
    matrix[is_drawn] = np.random.default_rng(seed).normal(
        0.0, deviation, size=(int(is_drawn.sum()), len(deviation))
    )
    return Vectors(matrix, found)


def combine(parts: Sequence[Vectors]) -> Vectors:
    """Concatenate vectors of the same words. Each part is scaled so that its found rows have the
    mean norm sqrt(dim) / 2 and components of about one half: with much smaller inputs the first
    epochs of training make no progress."""
    scaled = []
    for number, part in enumerate(parts, 1):
        norm = np.linalg.norm(part.matrix[part.found].astype(np.float64), axis=1).sum()
        if norm == 0:
            raise InputError(f"part {number} has no found vector other than zero: leave it out")
        scale = np.sqrt(part.matrix.shape[1]) / 2 * part.found.sum() / norm
        scaled.append((part.matrix * scale).astype(np.float32))
    return Vectors(np.hstack(scaled), np.logical_or.reduce([part.found for part in parts]))


def read_text(path: Path, words: Iterable[str]) -> dict[str, Singles]:
    """Return the vectors of words in a text file; of several rows of a word, the first."""
    wanted = {word.encode("utf-8", "surrogatepass"): word for word in words}
    vectors = {}
    number = 0
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as lines:
            first = lines.readline()
            fields = first.split()
            has_header = len(fields) == 2 and all(field.isdigit() for field in fields)
            n_rows, dim = map(int, fields) if has_header else (1, len(fields) - 1)
            if dim < 1:
                raise InputError(f"{path} begins with no vector: give a .vec or GloVe text file")
            if not has_header:
                _row(first, dim, f"{path}, line 1")
            for number, line in enumerate(lines if has_header else chain([first], lines), 1):
                key = line.partition(b" ")[0]
                place = f"{path}, line {number + has_header}"
                if key in wanted and (row := _row(line, dim, place)) is not None:
                    vectors[wanted.pop(key)] = row
    except (EOFError, OSError, zlib.error) as error:
        raise InputError(f"{path} cannot be read to its end: {error}; download it again") from None
    if number < n_rows:
        raise InputError(f"{path} has {number} of {n_rows} rows: it is cut off, download it again")
    return vectors


def _row(line: bytes, dim: int, place: str) -> Singles | None:
    """Return the vector on a line; None if its word contains a space, as some in GloVe do."""
    values = line.partition(b" ")[2].split()
    try:
        numbers = [float(value) for value in values]
    except ValueError:
        if len(values) > dim:
            return None
        numbers = []
    if len(numbers) != dim:
        raise InputError(f"{place} is not a word and {dim} numbers: give a .vec or GloVe text file")
    return np.array(numbers, dtype=np.float32)


def read_binary(path: Path, words: Iterable[str]) -> dict[str, Singles]:
    """Return the vectors of the words with a row or an n-gram in a fastText binary model."""
    from gensim.models.fasttext_inner import compute_ngrams_bytes, ft_hash_bytes

    keys = {word: word.encode("utf-8", "surrogatepass") for word in words}
    truncated = InputError(f"{path} ends before its vectors do: download it again")
    if path.stat().st_size < _HEADER.size:
        raise InputError(f"{path} is too short for a fastText .bin model: download it again")
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        magic, version, *arguments = _HEADER.unpack_from(data)
        if (magic, version) != (MAGIC, VERSION):
            raise InputError(
                f"{path} begins with {magic}, {version}, a fastText .bin model with "
                f"{MAGIC}, {VERSION}: give such a model, or a .vec text file"
            )
        dim, n_buckets, min_n, max_n = arguments[0], *arguments[8:11]
        n_entries, n_words, _, _, n_pruned = arguments[13:]
        wanted, numbers = set(keys.values()), {}
        position = _HEADER.size
        for number in range(n_entries):
            end = data.find(b"\0", position)
            if end < 0:
                raise truncated
            if number < n_words and (key := data[position:end]) in wanted:  # labels come last
                numbers[key] = number
            position = end + 1 + _AFTER_WORD.size
        position += 8 * max(n_pruned, 0)
        start = position + _MATRIX.size
        if start > len(data):
            raise truncated
        is_quantised, *shape = _MATRIX.unpack_from(data, position)
        if is_quantised or n_pruned >= 0:
            raise InputError(f"{path} is quantised or pruned: give the .bin model it was made from")
        if shape != [n_words + n_buckets, dim] or dim < 1 or n_buckets < 0:
            raise InputError(
                f"{path} has a matrix of {shape[0]} x {shape[1]}, its header says "
                f"{n_words + n_buckets} x {dim}: the file is damaged, download it again"
            )
        if start + 4 * shape[0] * dim > len(data):
            raise truncated
    matrix = np.asarray(np.memmap(path, "<f4", "r", start, tuple(shape)))
    vectors = {}
    for word, key in keys.items():
        rows = [numbers[key]] if key in numbers else []
        if n_buckets and word != "</s>":
            ngrams = compute_ngrams_bytes(key.decode("utf-8", "replace"), min_n, max_n)
            rows += [n_words + ft_hash_bytes(ngram) % n_buckets for ngram in ngrams]
        if rows:
            vectors[word] = matrix[rows].mean(axis=0, dtype=np.float64).astype(np.float32)
    return vectors
