"""Similarity to likelihood ratio.

The log-likelihood ratio is a straight line in the similarity, fitted by logistic regression with
both classes weighted alike (lir's LogitCalibrator), and bounded where the development pairs can
no longer support it (lir's empirical lower and upper bounds, Vergeer et al. 2016). Beyond two
similarities an answer is called sure: there fewer than one development pair in a hundred was judged
wrongly, counting one more error than was seen. What is kept are six numbers, so that using a
calibration needs neither lir nor scikit-learn.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt

from adhominem.errors import InputError

Floats = npt.NDArray[np.float64]
MOST_WRONG = 0.01  # of the answers that are called sure


@dataclass(frozen=True, slots=True)
class Calibration:
    """log10 LR = intercept + slope * similarity, within [lowest, highest].

    sure_same           from this similarity on, one author is sure; None if it never is
    sure_different      and up to this one, two authors
    """

    slope: float
    intercept: float
    lowest: float
    highest: float
    sure_same: float | None = None
    sure_different: float | None = None

    @classmethod
    def fit(cls, similarity: npt.ArrayLike, same_author: npt.ArrayLike) -> Calibration:
        x = np.asarray(similarity, dtype=np.float64)
        y = np.asarray(same_author, dtype=bool)
        finite = np.isfinite(x)
        x, y = x[finite], y[finite]
        if y.all() or not y.any():
            raise InputError(
                f"calibration needs pairs of both kinds: got {int(y.sum())} same-author and "
                f"{int((~y).sum())} different-author pairs with a similarity"
            )
        from lir.algorithms.bayeserror import elub
        from lir.algorithms.logistic_regression import LogitCalibrator

        line = LogitCalibrator(C=1e6).fit(x, y.astype(int))
        at_zero, at_one = line.transform(np.array([0.0, 1.0]))
        slope, intercept = float(at_one - at_zero), float(at_zero)
        lowest, highest = elub(intercept + slope * x, y.astype(int))
        return cls(
            slope,
            intercept,
            float(lowest),
            float(highest),
            sure_same=_sure(x, y),
            sure_different=_negated(_sure(-x, ~y)),
        )

    def llr(self, similarity: npt.ArrayLike) -> Floats:
        """log10 of the likelihood ratio; NaN stays NaN."""
        line = self.intercept + self.slope * np.asarray(similarity, dtype=np.float64)
        return np.clip(line, self.lowest, self.highest)

    @property
    def neutral(self) -> float:
        """The similarity that speaks for neither side."""
        return -self.intercept / self.slope

    def is_sure(self, similarity: float) -> bool:
        return (self.sure_same is not None and similarity >= self.sure_same) or (
            self.sure_different is not None and similarity <= self.sure_different
        )

    def as_dict(self) -> dict[str, float | None]:
        return asdict(self)


def _sure(similarity: Floats, same: npt.NDArray[np.bool_]) -> float | None:
    """The lowest similarity from which on fewer than one pair in a hundred is not of one author."""
    order = np.argsort(-similarity, kind="stable")
    wrong = np.cumsum(~same[order])
    n = np.arange(1, len(order) + 1)
    ends = np.append(np.diff(similarity[order]) != 0, True)  # of equal similarities
    good = np.flatnonzero(ends & ((wrong + 1) / (n + 1) <= MOST_WRONG))
    return float(similarity[order][good[-1]]) if len(good) else None


def _negated(value: float | None) -> float | None:
    return None if value is None else -value


def score_of(llr: float) -> float:
    """P(same author) at equal prior odds for a log10 likelihood ratio."""
    return float(1.0 / (1.0 + 10.0**-llr))
