"""The features of a side with some of its words taken away, for many such variants at once.

A word is deleted from its line, or the unknown token takes its place. Lines stay as they were cut,
and so do the stretches that are read at once, so a word changes its own line and its own stretch
alone: every distinct line is read once, and so is every distinct stretch. A line without words is
gone with its marker. Letters of the shapes: V variants, N words, S stretches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from adhominem.laboratory.network.batches import EncodedCorpus, cut_documents, pad_characters
from adhominem.laboratory.network.encoder import input_gates, read_lines, read_stretches
from adhominem.laboratory.network.joining import join_stretches
from adhominem.laboratory.network.model import AdHominem
from adhominem.pausing import pause

Booleans = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Removal = Literal["delete", "unknown"]
REMOVALS: tuple[Removal, ...] = ("delete", "unknown")
_UNKNOWN = 1  # of every vocabulary
_BATCH = 256  # stretches in one run of the sentence level


@dataclass(frozen=True, slots=True)
class _Stretch:
    features: Tensor  # (V, D_f)
    tokens: Tensor  # (V,)
    n_lines: Tensor  # (V,)

    def repeat(self, n: int) -> _Stretch:
        """n times the same variant."""
        return _Stretch(self.features.expand(n, -1), self.tokens.expand(n), self.n_lines.expand(n))


def _mean(stretches: Sequence[_Stretch]) -> _Stretch:
    """Several stretches of a document as one, by tokens."""
    tokens = torch.stack([s.tokens for s in stretches])  # (S, V)
    features = torch.stack([s.features for s in stretches])  # (S, V, D_f)
    total = tokens.sum(dim=0)
    return _Stretch(
        (features * (tokens / total).unsqueeze(2)).sum(dim=0),
        total,
        torch.stack([s.n_lines for s in stretches]).sum(dim=0),
    )


class Reader:
    """Reads the texts of one side, its words numbered through; markers are not words."""

    def __init__(self, network: AdHominem, corpus: EncodedCorpus, *, max_lines: int = 40) -> None:
        self._network = network
        self._corpus = corpus
        self._chunks = cut_documents(corpus, max_lines)
        # One more type than the corpus has: the unknown token, which has no spelling.
        words = torch.from_numpy(np.append(corpus.type_words, np.int32(_UNKNOWN)))
        characters = torch.from_numpy(np.pad(pad_characters(corpus), ((0, 1), (0, 0))))
        with torch.inference_mode():
            self._gates = input_gates(network, words, characters)
        self._unknown = len(words) - 1

    @property
    def n_words(self) -> int:
        return len(self._corpus.tokens) - len(self._corpus.lines) + 1

    @torch.inference_mode()
    def features(self, kept: Booleans, removal: Removal = "delete") -> Floats:
        """Of each variant, a row of `kept` (V, N); NaN where no word is left."""
        return self._join(
            [
                self._stretch(number, kept[:, words], removal)
                for number, words in enumerate(self._words_of_stretches())
            ],
            self._chunks.owner,
        )

    @torch.inference_mode()
    def features_without_each(self, removal: Removal = "delete") -> Floats:
        """Row n is without the word n."""
        sizes = [words.stop - words.start for words in self._words_of_stretches()]
        whole = [self._stretch(i, np.ones((1, n), bool), removal) for i, n in enumerate(sizes)]
        owner = self._chunks.owner
        parts = []
        for i, n in enumerate(sizes):
            pause()
            # Stretches of one document that do not change are one to all variants.
            others = np.delete(np.arange(len(sizes)), i)
            documents = np.unique(owner[others])
            stretches = [
                _mean([whole[j] for j in others[owner[others] == document]]).repeat(n)
                for document in documents
            ]
            own = self._stretch(i, ~np.eye(n, dtype=bool), removal)
            parts.append(self._join([*stretches, own], np.append(documents, owner[i])))
        return np.concatenate(parts)

    def _words_of_stretches(self) -> list[slice]:
        ranges, lines = self._chunks.ranges, self._corpus.lines
        starts = lines[ranges.first] - ranges.first  # a marker for every line before
        ends = lines[ranges.first + ranges.count] - ranges.first - ranges.count
        return [slice(start, end) for start, end in zip(starts, ends, strict=True)]

    def _stretch(self, number: int, kept: Booleans, removal: Removal) -> _Stretch:
        first, count = self._chunks.ranges.first[number], self._chunks.ranges.count[number]
        edges = self._corpus.lines[first : first + count + 1]
        found: list[npt.NDArray[np.int32]] = []  # distinct lines
        lines = np.empty((len(kept), count), dtype=np.int64)  # which of them, -1 where one is gone
        begin = 0
        for place, (start, end) in enumerate(pairwise(edges)):
            tokens, stop = self._corpus.tokens[start:end], begin + end - start - 1
            distinct, which = np.unique(kept[:, begin:stop], axis=0, return_inverse=True)
            numbers = np.full(len(distinct), -1)
            for row, present in enumerate(np.pad(distinct, ((0, 0), (0, 1)), constant_values=True)):
                if removal == "unknown" or present[:-1].any():
                    numbers[row] = len(found)
                    found.append(
                        tokens[present]
                        if removal == "delete"
                        else np.where(present, tokens, self._unknown)
                    )
            lines[:, place] = numbers[which.reshape(-1)]
            begin = stop
        return self._read(found, lines)

    def _read(self, found: list[npt.NDArray[np.int32]], lines: Integers) -> _Stretch:
        """Each variant is a row of places in `found`, -1 where a line is gone."""
        lengths = np.array([len(line) for line in found], dtype=np.int64)
        tokens = torch.from_numpy(np.concatenate([np.zeros(0, np.int32), *found]))
        starts = np.concatenate([[0], np.cumsum(lengths)])
        sentences = read_lines(self._network, self._gates, tokens.long(), starts).sentences
        distinct, which = np.unique(lines, axis=0, return_inverse=True)
        gone_last = np.argsort(distinct < 0, axis=1, kind="stable")
        distinct = np.take_along_axis(distinct, gone_last, axis=1)
        n_lines = (distinct >= 0).sum(axis=1)
        n_tokens = np.append(lengths, 0)[distinct].sum(axis=1)
        y = torch.zeros(len(distinct), self._network.config.D_f)
        for start in range(0, len(distinct), _BATCH):
            rows = start + np.flatnonzero(n_lines[start : start + _BATCH])
            if len(rows):
                padded = sentences[np.maximum(distinct[rows], 0)]
                y[rows] = read_stretches(self._network, padded, n_lines[rows]).features
        which = which.reshape(-1)
        return _Stretch(
            y[which], torch.from_numpy(n_tokens[which]), torch.from_numpy(n_lines[which])
        )

    def _join(self, stretches: Sequence[_Stretch], owner: Integers) -> Floats:
        joined = join_stretches(
            torch.stack([s.features for s in stretches], dim=1).double(),
            torch.stack([s.tokens for s in stretches], dim=1).double(),
            torch.stack([s.n_lines for s in stretches], dim=1).double(),
            torch.from_numpy(owner),
            unit_length=self._network.has_unit_length,
        )
        features: Floats = joined.numpy()
        return features
