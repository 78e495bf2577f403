"""Labelled pairs as columns, for fitting a calibration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from adhominem.instrument.evidence.calibration import Covariates, covariates_of
from adhominem.instrument.evidence.sides import Sides
from adhominem.instrument.verifier import Comparisons
from adhominem.records import Pair

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LabelledPairs:
    """Similarities, labels and covariates of development pairs."""

    similarity: Floats
    same: npt.NDArray[np.bool_]
    covariates: Covariates

    @classmethod
    def of(cls, compared: Comparisons, pairs: Sequence[Pair]) -> LabelledPairs:
        return cls(
            compared.similarity,
            np.array([bool(pair.same_author) for pair in pairs]),
            covariates_of(Sides.of(compared.left), Sides.of(compared.right)),
        )

    @property
    def weight(self) -> Floats:
        """A weight for each pair with which both classes have the same total, 1/2."""
        share = np.where(self.same, self.same.mean(), 1 - self.same.mean())
        weight: Floats = 0.5 / share / len(self.same)
        return weight

    def select(self, rows: npt.NDArray[Any]) -> LabelledPairs:
        """The chosen pairs."""
        covariates = Covariates(*(np.asarray(c)[rows] for c in self.covariates))
        return LabelledPairs(self.similarity[rows], self.same[rows], covariates)
