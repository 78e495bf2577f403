"""Burrows's Delta in its cosine form (Burrows 2002; Smith & Aldridge 2011; Evert et al. 2017).

The relative frequency of each of the 150 most frequent words is turned into a z-score,

    z_i(x) = (f_i(x) - mean_i) / deviation_i

and the similarity of two texts is the cosine of their z-scores. Ours: words are lower-cased tokens,
punctuation among them, and words, means and deviations come from the training texts alone; where
they are taken over the compared texts, as is usual in stylometry, an answer changes with whatever
else is compared. A side in which none of the words occurs has the same z-scores as any other such
side; it is not compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from adhominem.errors import NotFittedError
from adhominem.instrument.text.tokenised import Tokenised
from adhominem.instrument.verifier import ModelState
from adhominem.laboratory.verifiers.stylometric import (
    Features,
    Floats,
    StylometricVerifier,
    Texts,
    read_sides,
)
from adhominem.records import Pair


class CosineDelta(StylometricVerifier):
    """
    most    number of the most frequent words
    """

    kind = "delta"

    def __init__(self, *, most: int = 150) -> None:
        self.most = most
        self.words_: dict[str, int] | None = None
        self.mean_: Floats | None = None
        self.deviation_: Floats | None = None

    def _fit(self, train: Sequence[Pair], dev: Sequence[Pair]) -> None:  # noqa: ARG002
        texts = read_sides(train)
        words = most_frequent_words(texts.tokens, self.most)
        self.words_ = {word: place for place, word in enumerate(words)}
        frequency = self._features(texts)[texts.tokens.n_tokens > 0]
        deviation = frequency.std(axis=0)
        self.mean_ = frequency.mean(axis=0)
        self.deviation_ = np.where(deviation > 0, deviation, 1)

    def _features(self, texts: Texts) -> Features:
        if self.words_ is None:
            raise NotFittedError(f"this {self.kind} verifier is not fitted: call fit() or load one")
        counts = count_words(texts.tokens, self.words_).toarray()
        return counts / np.maximum(texts.tokens.n_tokens, 1)[:, None]

    def _compare_sides(self, left: Features, right: Features) -> Floats:
        one, other = self._z_scores(left), self._z_scores(right)
        lengths = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
        lengths[~(left.any(axis=1) & right.any(axis=1)) | (lengths == 0)] = np.nan
        similarity: Floats = (one * other).sum(axis=1) / lengths
        return similarity

    def _terms(self, left: Features, right: Features) -> Floats:
        one, other = self._z_scores(left)[0], self._z_scores(right)[0]
        terms: Floats = one * other / (np.linalg.norm(one) * np.linalg.norm(other))
        return terms

    def _carriers(self, texts: Texts) -> Any:
        from scipy import sparse

        assert self.words_ is not None
        columns = columns_of(texts.tokens, self.words_)
        known = np.flatnonzero(columns >= 0)
        shape = (len(columns), len(self.words_))
        return sparse.csr_array((np.ones(len(known)), (known, columns[known])), shape=shape)

    def _z_scores(self, frequency: Floats) -> Floats:
        assert self.mean_ is not None and self.deviation_ is not None
        return (frequency - self.mean_) / self.deviation_

    def state(self) -> ModelState:
        if self.words_ is None or self.mean_ is None or self.deviation_ is None:
            raise NotFittedError(f"this {self.kind} verifier is not fitted: nothing to save")
        return ModelState(
            {"most": self.most},
            {"words": list(self.words_)},
            {"mean": self.mean_, "deviation": self.deviation_},
        )

    def restore(self, state: ModelState) -> None:
        self.most = state.settings["most"]
        self.words_ = {word: place for place, word in enumerate(state.tables["words"])}
        self.mean_, self.deviation_ = state.arrays["mean"], state.arrays["deviation"]


def most_frequent_words(tokens: Tokenised, most: int) -> list[str]:
    """Lower-cased tokens that occur most often, ties in alphabetical order."""
    counts: dict[str, int] = {}
    for word, count in tokens.counts().items():
        counts[word.lower()] = counts.get(word.lower(), 0) + count
    return sorted(counts, key=lambda word: (-counts[word], word))[:most]


def columns_of(tokens: Tokenised, words: Mapping[str, int]) -> npt.NDArray[np.int64]:
    """The column of every token, -1 where its word has none."""
    column_of = np.array([words.get(word.lower(), -1) for word in tokens.types], dtype=np.int64)
    return column_of[tokens.tokens]


def count_words(tokens: Tokenised, words: Mapping[str, int]) -> Any:
    """Sparse counts (documents, words), each word in the column that the mapping gives it."""
    from scipy import sparse

    columns = columns_of(tokens, words)
    rows = np.repeat(np.arange(tokens.n_documents), tokens.n_tokens)
    known = columns >= 0
    return sparse.csr_array(
        (np.ones(known.sum()), (rows[known], columns[known])),
        shape=(tokens.n_documents, len(words)),
    )
