"""PAN's baseline: cosine of tf-idf weighted character 4-grams (Kestemont et al., PAN 2020).

It won PAN 2022 against every submission. Ours: the 3,000 most frequent 4-grams come from training
texts only, and the band between two thresholds in the original is left to the calibration, which
all methods share.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from adhominem.arrays import Floats
from adhominem.laboratory.verifiers.character_ngrams import (
    carried_ngrams,
    count_ngrams,
    frequent_ngrams,
    inverse_document_frequency,
    unit_rows,
)
from adhominem.laboratory.verifiers.compared_method import Features, Texts, read_sides
from adhominem.laboratory.verifiers.stylometric import StylometricVerifier
from adhominem.records import Pair


class PanDistance(StylometricVerifier):
    """Cosine of tf-idf weighted character n-grams.

    n, most     length and number of the n-grams
    """

    kind = "pan-distance"
    learned = ("ngrams", "idf")
    ngrams_: list[str]
    idf_: Floats

    def __init__(self, *, n: int = 4, most: int = 3000) -> None:
        self.n = n
        self.most = most

    def _fit(self, train: Sequence[Pair], dev: Sequence[Pair]) -> None:  # noqa: ARG002
        texts = read_sides(train).texts
        self.ngrams_ = frequent_ngrams(texts, self.n, self.most)
        self.idf_ = inverse_document_frequency(count_ngrams(texts, self.ngrams_))

    def _features(self, texts: Texts) -> Features:
        counts = count_ngrams(texts.texts, self.ngrams_)
        return unit_rows(counts.multiply(self.idf_).tocsr())

    def _compare_sides(self, left: Features, right: Features) -> Floats:
        return np.asarray(unit_rows(left).multiply(unit_rows(right)).sum(axis=1)).ravel()

    def _terms(self, left: Features, right: Features) -> Floats:
        return np.asarray(unit_rows(left).multiply(unit_rows(right)).toarray()).ravel()

    def _carriers(self, texts: Texts) -> Any:
        return carried_ngrams(texts.texts, texts.tokens, self.ngrams_, self.n)
