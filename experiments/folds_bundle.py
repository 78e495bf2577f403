"""A corpus and the folds to train on it as a few compressed files, for machines that little can be
sent to and that lack the packages of the laboratory: `pack_folds.py` writes them, `train_folds.py`
reads them.

    tokens.0, tokens.1, ...   the words of all documents by their frequency, in parts
    texts.npz                 labels, and the word types as JSON
    vectors.npz               vectors of the words of all folds, rounded to steps of their rows
    runs.json.xz              folder, experiment and vocabulary of each run, the first first

Sentences and documents end with a number of their own, so that the compressor foresees them.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from adhominem.arrays import Integers, Singles
from adhominem.instrument.text.tokenised import Tokenised
from adhominem.instrument.text.vocabulary import RESERVED_WORDS, Vocabulary
from adhominem.laboratory.corpus.labels import Labels

STEPS = 40  # of the largest component of a word vector, in either direction
_MARKS = 2  # 0 ends a sentence, 1 a sentence and its document
_LONG = 60_000  # from here on a number has two units, the second one of 12 bits
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9, "dict_size": 1 << 28, "lc": 0, "lp": 1, "pb": 1}]


def write_texts(folder: Path, texts: Tokenised, labels: Labels, *, parts: int) -> Tokenised:
    """Write documents and labels; return the documents with their types by frequency."""
    order = np.argsort(-np.bincount(texts.tokens, minlength=len(texts.types)), kind="stable")
    rank = np.argsort(order)
    tokens = rank[texts.tokens]
    marks = np.zeros(len(texts.sentences) - 1, dtype=np.int64)
    marks[texts.documents[1:] - 1] = 1
    numbers = np.insert(tokens + _MARKS, texts.sentences[1:], marks)
    data = lzma.compress(_units(numbers).tobytes(), format=lzma.FORMAT_XZ, filters=_FILTERS)
    size = -(-len(data) // parts)
    for part in range(parts):
        (folder / f"tokens.{part}").write_bytes(data[part * size : (part + 1) * size])
    types = tuple(texts.types[i] for i in order)
    arrays = {field.name: _smallest(getattr(labels, field.name)) for field in fields(Labels)}
    np.savez_compressed(folder / "texts.npz", types=_compressed(types), **arrays)
    return replace(texts, types=types, tokens=tokens.astype(np.int32))


def read_texts(folder: Path) -> tuple[Tokenised, Labels]:
    """Return documents and labels."""
    parts = sorted(folder.glob("tokens.*"), key=lambda path: int(path.suffix[1:]))
    data = b"".join(path.read_bytes() for path in parts)
    units = np.frombuffer(lzma.decompress(data), dtype="<u2").astype(np.int32)
    is_long = units >= _LONG
    seconds = np.append(units[1:], 0)
    numbers = np.where(is_long, ((units - _LONG) << 12) + seconds + _LONG, units)
    numbers = numbers[~np.append(False, is_long[:-1])]
    ends = np.flatnonzero(numbers < _MARKS)
    sentences = np.append(0, ends - np.arange(len(ends)))
    documents = np.append(0, np.flatnonzero(numbers[ends] == 1) + 1)
    tokens = np.delete(numbers, ends) - _MARKS
    with np.load(folder / "texts.npz") as arrays:
        types = tuple(json.loads(lzma.decompress(arrays["types"].tobytes())))
        labels = Labels(**{f.name: _widest(arrays[f.name]) for f in fields(Labels)})
    nowhere = np.zeros(0, dtype=np.int32)  # places in the original texts are not known
    texts = Tokenised(types, tokens.astype(np.int32), nowhere, nowhere, sentences, documents)
    return texts, labels


def write_vectors(folder: Path, rows: dict[str, Singles]) -> None:
    """Write vectors, each component rounded to a whole number of steps of its row."""
    matrix = np.stack(list(rows.values())).astype(np.float64)
    scales = (np.abs(matrix).max(axis=1) / STEPS).astype(np.float32)
    steps = np.round(matrix / np.where(scales == 0, 1, scales)[:, None]).astype(np.int8)
    # Column by column the compressor finds a little more.
    packed = np.frombuffer(lzma.compress(steps.T.tobytes(), preset=9), dtype=np.uint8)
    np.savez(folder / "vectors.npz", words=_compressed(list(rows)), steps=packed, scales=scales)


def unpack_vectors(folder: Path, path: Path) -> None:
    """Write the vectors as text: the same file on every machine."""
    with np.load(folder / "vectors.npz") as arrays:
        words = json.loads(lzma.decompress(arrays["words"].tobytes()))
        steps = np.frombuffer(lzma.decompress(arrays["steps"].tobytes()), dtype=np.int8)
        scales = arrays["scales"].tolist()
    with path.open("w", encoding="utf-8") as file:
        for word, scale, row in zip(words, scales, steps.reshape(-1, len(words)).T, strict=True):
            file.write(" ".join([word, *(f"{step * scale:.6g}" for step in row.tolist())]) + "\n")


def write_runs(
    folder: Path,
    runs: Sequence[dict[str, Any]],
    vocabularies: Sequence[Vocabulary],
    texts: Tokenised,
) -> None:
    """Write the runs, each of which has the number of its vocabulary."""
    numbers = {word: i for i, word in enumerate(texts.types)}
    packed = [
        ([numbers[word] for word in own.words[len(RESERVED_WORDS) :]], own.characters)
        for own in vocabularies
    ]
    content = json.dumps({"runs": list(runs), "vocabularies": packed})
    (folder / "runs.json.xz").write_bytes(lzma.compress(content.encode(), preset=9))


def read_runs(folder: Path, types: Sequence[str]) -> tuple[list[dict[str, Any]], list[Vocabulary]]:
    content = json.loads(lzma.decompress((folder / "runs.json.xz").read_bytes()))
    vocabularies = [
        Vocabulary(RESERVED_WORDS + tuple(types[i] for i in words), characters)
        for words, characters in content["vocabularies"]
    ]
    return content["runs"], vocabularies


def _units(numbers: Integers) -> Integers:
    """Return numbers as units of 16 bits."""
    is_long = numbers >= _LONG
    rest = numbers - _LONG
    first = np.where(is_long, _LONG + (rest >> 12), numbers)
    return np.insert(first, np.flatnonzero(is_long) + 1, rest[is_long] & 0xFFF).astype("<u2")


def _compressed(words: Sequence[str]) -> Integers:
    packed = lzma.compress(json.dumps(words, ensure_ascii=False).encode(), preset=9)
    return np.frombuffer(packed, dtype=np.uint8)


def _smallest(values: Integers) -> Integers:
    return values if values.dtype != np.int64 else values.astype(np.int32)


def _widest(values: Integers) -> Integers:
    return values if values.dtype != np.int32 else values.astype(np.int64)
