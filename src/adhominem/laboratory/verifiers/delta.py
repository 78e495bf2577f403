"""Burrows's Delta in its cosine form (Burrows 2002; Smith & Aldridge 2011; Evert et al. 2017).

The relative frequency of each of the 150 most frequent words becomes a z-score,

    z_i(x) = (f_i(x) - mean_i) / deviation_i

and the similarity of two texts is the cosine of their z-scores. Ours: words are lower-cased tokens,
punctuation included, and words, means and deviations come from the training texts only; if they
came from the compared texts, as is usual in stylometry, an answer would depend on what else is
compared. A side without any of the words is not compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from adhominem.arrays import Floats, Integers
from adhominem.instrument.text.tokenised import Tokenised
from adhominem.laboratory.verifiers.compared_method import Features, Texts, read_sides
from adhominem.laboratory.verifiers.stylometric import StylometricVerifier
from adhominem.records import Pair


class CosineDelta(StylometricVerifier):
    """Cosine of z-scores of word frequencies.

    most    number of the most frequent words
    """

    kind = "delta"
    learned = ("words", "mean", "deviation")
    words_: list[str]
    mean_: Floats
    deviation_: Floats

    def __init__(self, *, most: int = 150) -> None:
        self.most = most

    def _fit(self, train: Sequence[Pair], dev: Sequence[Pair]) -> None:  # noqa: ARG002
        texts = read_sides(train)
        self.words_ = most_frequent_words(texts.tokens, self.most)
        frequency = self._features(texts)[texts.tokens.n_tokens > 0]
        deviation = frequency.std(axis=0)
        self.mean_ = frequency.mean(axis=0)
        self.deviation_ = np.where(deviation > 0, deviation, 1)

    def _features(self, texts: Texts) -> Features:
        counts = count_words(texts.tokens, index_words(self.words_)).toarray()
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

        columns = word_columns(texts.tokens, index_words(self.words_))
        known = np.flatnonzero(columns >= 0)
        shape = (len(columns), len(self.words_))
        return sparse.csr_array((np.ones(len(known)), (known, columns[known])), shape=shape)

    def _z_scores(self, frequency: Floats) -> Floats:
        return (frequency - self.mean_) / self.deviation_


def most_frequent_words(tokens: Tokenised, most: int) -> list[str]:
    """The lower-cased tokens that occur most often, ties in alphabetical order."""
    counts: dict[str, int] = {}
    for word, count in tokens.counts().items():
        counts[word.lower()] = counts.get(word.lower(), 0) + count
    return sorted(counts, key=lambda word: (-counts[word], word))[:most]


def index_words(words: Sequence[str]) -> dict[str, int]:
    """The column of each word."""
    return {word: column for column, word in enumerate(words)}


def word_columns(tokens: Tokenised, words: Mapping[str, int]) -> Integers:
    """The column of each token, -1 for words without one."""
    column_of = np.array([words.get(word.lower(), -1) for word in tokens.types], dtype=np.int64)
    return column_of[tokens.tokens]


def count_words(tokens: Tokenised, words: Mapping[str, int]) -> Any:
    """Sparse counts (documents, words)."""
    from scipy import sparse

    columns = word_columns(tokens, words)
    rows = np.repeat(np.arange(tokens.n_documents), tokens.n_tokens)
    known = columns >= 0
    return sparse.csr_array(
        (np.ones(known.sum()), (rows[known], columns[known])),
        shape=(tokens.n_documents, len(words)),
    )
