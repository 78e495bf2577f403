"""Computes the features of many variants of a side, each with some words removed.

A word is deleted from its line, or replaced by the unknown token. Lines and stretches stay as they
were cut, so removing a word changes only its line and its stretch: every distinct line and every
distinct stretch is read once. A line without words is removed with its marker.
Letters of the shapes: V variants, N words, S stretches, B documents, D_f features.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal

import numpy as np
import numpy.typing as npt

from adhominem.arrays import Booleans, Floats, Integers, Rows, Singles
from adhominem.instrument.network.encoder import read_tiles, word_gates
from adhominem.instrument.network.stretches import cut_documents
from adhominem.instrument.network.weights import Network, unit_length
from adhominem.instrument.text.encode import Encoded
from adhominem.instrument.text.tokenised import offsets
from adhominem.instrument.text.vocabulary import UNKNOWN
from adhominem.pausing import pause

Removal = Literal["delete", "unknown"]
REMOVALS: tuple[Removal, ...] = ("delete", "unknown")


@dataclass(frozen=True, slots=True)
class _Variants(Rows):
    """Variants of one stretch, or of several unchanged stretches."""

    features: Floats  # (V, D_f)
    tokens: Integers  # (V,)
    n_lines: Integers  # (V,)


class Remover:
    """Reads variants of one side. Words are numbered in order, without line markers."""

    def __init__(self, network: Network, side: Encoded, *, max_lines: int = 40) -> None:
        self._network = network
        self._side = side
        self._stretches = cut_documents(side, max_lines)
        types = np.arange(len(side.type_words))
        nothing = (np.array([UNKNOWN], np.int32), np.zeros(0, np.int32), np.zeros(2, np.int64))
        unknown = network.word_gates(*nothing)
        self._gates = np.concatenate([word_gates(network, side, types), unknown], axis=1)
        self._unknown = len(types)

    @property
    def n_words(self) -> int:
        return len(self._side.tokens) - len(self._side.lines) + 1

    @property
    def n_lines(self) -> int:
        return len(self._side.lines) - 1

    @property
    def numbers(self) -> Integers:
        """The vocabulary number of each word; frequent words have small numbers."""
        words = self._side.tokens[self._side.is_word]
        return self._side.type_words[words].astype(np.int64)

    @cached_property
    def digest(self) -> bytes:
        """A hash of the text that was read."""
        side, content = self._side, hashlib.sha256()
        for part in (side.type_words, side.type_characters, side.tokens, side.lines):
            content.update(part.tobytes())
        return content.digest()

    @property
    def line_words(self) -> Integers:
        """Number of words of each line, without its marker."""
        return np.diff(self._side.lines) - 1

    @cached_property
    def _line_vectors(self) -> Singles:
        """Vectors of the lines with all words."""
        items = self._side.tokens.astype(np.int64)
        return read_tiles(self._network.line_layer, self._gates, items, self._side.lines).vectors

    def features_of_lines(self, kept: Booleans) -> Floats:
        """Features of variants that keep some lines, rows of `kept` (V, n_lines)."""
        numbers = np.where(kept, np.arange(kept.shape[1]), -1)
        parts = np.split(numbers, self._stretches.ranges.first[1:], axis=1)
        lengths = np.diff(self._side.lines)
        read = [self._read_documents(self._line_vectors, lengths, part) for part in parts]
        return self._join(read, self._stretches.owner)

    def features(self, kept: Booleans, removal: Removal = "delete") -> Floats:
        """Features of variants that keep some words, rows of `kept` (V, N); NaN without words."""
        parts = np.split(kept, np.cumsum(self._stretch_words)[:-1], axis=1)
        read = [self._read_stretch(number, part, removal) for number, part in enumerate(parts)]
        return self._join(read, self._stretches.owner)

    def features_without_each(self, removal: Removal = "delete") -> Floats:
        """Features of the side without each word in turn, (N, D_f)."""
        sizes = self._stretch_words.tolist()
        whole = [self._read_stretch(i, np.ones((1, n), bool), removal) for i, n in enumerate(sizes)]
        owner = self._stretches.owner
        parts = [np.zeros((0, self._network.n_features))]
        for i, n in enumerate(sizes):
            pause()
            others = np.delete(np.arange(len(sizes)), i)
            documents, same = np.unique(owner[others]), np.zeros(n, dtype=np.int64)
            unchanged = [
                _mean([whole[j] for j in others[owner[others] == document]]).select(same)
                for document in documents
            ]
            own = self._read_stretch(i, ~np.eye(n, dtype=bool), removal)
            parts.append(self._join([*unchanged, own], np.append(documents, owner[i])))
        return np.concatenate(parts)

    @property
    def _stretch_words(self) -> Integers:
        """Number of words of each stretch, without markers."""
        return np.add.reduceat(self.line_words, self._stretches.ranges.first)

    def _read_stretch(self, number: int, kept: Booleans, removal: Removal) -> _Variants:
        """Read variants of one stretch, given by rows of `kept` words."""
        ranges = self._stretches.ranges
        first, count = ranges.first[number], ranges.count[number]
        edges = self._side.lines[first : first + count + 1]
        distinct: list[npt.NDArray[np.int32]] = []  # each line as rows of the gate table
        lines = np.empty((len(kept), count), dtype=np.int64)  # index in `distinct`, -1 if removed
        begin = 0
        for column, (start, end) in enumerate(pairwise(edges)):
            tokens, stop = self._side.tokens[start:end], begin + end - start - 1
            rows, which = np.unique(kept[:, begin:stop], axis=0, return_inverse=True)
            numbers = np.full(len(rows), -1)
            for row, present in enumerate(np.pad(rows, ((0, 0), (0, 1)), constant_values=True)):
                if removal == "unknown" or present[:-1].any():
                    numbers[row] = len(distinct)
                    unknown = np.where(present, tokens, self._unknown)
                    distinct.append(tokens[present] if removal == "delete" else unknown)
            lines[:, column] = numbers[which.reshape(-1)]
            begin = stop
        lengths = np.array([len(line) for line in distinct], dtype=np.int64)
        items = np.concatenate([np.zeros(0, np.int64), *distinct]).astype(np.int64)
        read = read_tiles(self._network.line_layer, self._gates, items, offsets(lengths))
        return self._read_documents(read.vectors, lengths, lines)

    def _read_documents(self, vectors: Singles, lengths: Integers, lines: Integers) -> _Variants:
        """Read stretches given as rows of line numbers, -1 for a removed line."""
        network = self._network
        rows, which = np.unique(lines, axis=0, return_inverse=True)
        n_lines = (rows >= 0).sum(axis=1)
        n_tokens = np.append(lengths, 0)[rows].sum(axis=1)
        filled = np.flatnonzero(n_lines)
        layer, left = network.document_layer, rows[filled][rows[filled] >= 0]
        read = read_tiles(layer, layer.gates(vectors), left, offsets(n_lines[filled]))
        y = np.zeros((len(rows), network.n_features))
        y[filled] = network.features(read.vectors)
        which = which.reshape(-1)
        return _Variants(y[which], n_tokens[which], n_lines[which])

    def _join(self, stretches: Sequence[_Variants], owner: Integers) -> Floats:
        """Features of the side: stretches are averaged by tokens, documents by words."""
        documents, words = [], []
        for document in np.unique(owner):
            own = _mean([stretches[i] for i in np.flatnonzero(owner == document).tolist()])
            scaled = unit_length(own.features) if self._network.unit_length else own.features
            documents.append(scaled)
            words.append(own.tokens - own.n_lines)  # every line has a marker
        counts = np.stack(words, axis=1)[..., None]  # (V, B, 1)
        with np.errstate(invalid="ignore"):
            shares = counts / counts.sum(axis=1, keepdims=True)
        side: Floats = (np.stack(documents, axis=1) * shares).sum(axis=1)
        return unit_length(side) if self._network.unit_length else side


def _mean(stretches: Sequence[_Variants]) -> _Variants:
    """Average several stretches of a document, weighted by tokens."""
    tokens = np.stack([s.tokens for s in stretches])  # (S, V)
    total = tokens.sum(axis=0)
    shares = (tokens / np.maximum(total, 1))[..., None]
    features = (np.stack([s.features for s in stretches]) * shares).sum(axis=0)
    return _Variants(features, total, np.stack([s.n_lines for s in stretches]).sum(axis=0))
