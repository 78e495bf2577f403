"""PAN's baseline: cosine of tf-idf weighted character 4-grams (Kestemont et al., PAN 2020).

It won PAN 2022 against every submission. Ours: the 3,000 most frequent 4-grams are counted on
training texts alone, and what the original calls the band between two thresholds is left to the
calibration, which all methods share.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from adhominem.errors import NotFittedError
from adhominem.instrument.verifier import ModelState
from adhominem.laboratory.verifiers.character_ngrams import (
    carried_ngrams,
    count_ngrams,
    inverse_document_frequency,
    most_frequent,
    unit_rows,
)
from adhominem.laboratory.verifiers.stylometric import (
    Features,
    Floats,
    StylometricVerifier,
    Texts,
    read_sides,
)
from adhominem.records import Pair


class PanDistance(StylometricVerifier):
    """
    n, most     length and number of the character n-grams
    """

    kind = "pan-distance"

    def __init__(self, *, n: int = 4, most: int = 3000) -> None:
        self.n = n
        self.most = most
        self.ngrams_: list[str] | None = None
        self.idf_: Floats | None = None

    def _fit(self, train: Sequence[Pair], dev: Sequence[Pair]) -> None:  # noqa: ARG002
        texts = read_sides(train).texts
        self.ngrams_ = most_frequent(texts, self.n, self.most)
        self.idf_ = inverse_document_frequency(count_ngrams(texts, self.ngrams_, self.n))

    def _features(self, texts: Texts) -> Features:
        if self.ngrams_ is None or self.idf_ is None:
            raise NotFittedError(f"this {self.kind} verifier is not fitted: call fit() or load one")
        counts = count_ngrams(texts.texts, self.ngrams_, self.n)
        return unit_rows(counts.multiply(self.idf_).tocsr())

    def _compare_sides(self, left: Features, right: Features) -> Floats:
        return np.asarray(unit_rows(left).multiply(unit_rows(right)).sum(axis=1)).ravel()

    def _terms(self, left: Features, right: Features) -> Floats:
        return np.asarray(unit_rows(left).multiply(unit_rows(right)).toarray()).ravel()

    def _carriers(self, texts: Texts) -> Any:
        assert self.ngrams_ is not None
        return carried_ngrams(texts.texts, texts.tokens, self.ngrams_, self.n)

    def state(self) -> ModelState:
        if self.ngrams_ is None or self.idf_ is None:
            raise NotFittedError(f"this {self.kind} verifier is not fitted: nothing to save")
        return ModelState(
            {"n": self.n, "most": self.most}, {"ngrams": self.ngrams_}, {"idf": self.idf_}
        )

    def restore(self, state: ModelState) -> None:
        self.n, self.most = state.settings["n"], state.settings["most"]
        self.ngrams_ = list(state.tables["ngrams"])
        self.idf_ = state.arrays["idf"]
