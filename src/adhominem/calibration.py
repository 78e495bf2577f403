"""Similarity to likelihood ratio.

The log-likelihood ratio is a straight line in the similarity, fitted by logistic regression with
both classes weighted alike (lir's LogitCalibrator), and bounded where the development pairs can
no longer support it (lir's empirical lower and upper bounds, Vergeer et al. 2016). The line may
change with the length of the texts: two short texts are less alike than two long ones whoever
wrote them, and say less. Beyond two values of the line an answer is called sure: there fewer than
one development pair in a hundred was judged wrongly, counting one more error than was seen. What
is kept are a few numbers, so that using a calibration needs neither lir nor scikit-learn.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from adhominem.errors import InputError

Floats = npt.NDArray[np.float64]
MOST_WRONG = 0.01  # of the answers that are called sure
_ENOUGH = 1000  # pairs from which on the line may change with length
_LN_10 = float(np.log(10))


@dataclass(frozen=True, slots=True)
class ByLength:
    """What a tenfold length adds to slope and intercept, from the typical length on; beyond the
    shortest and the longest (all log10 of tokens) nothing more is added."""

    slope: float
    intercept: float
    shortest: float
    typical: float
    longest: float

    def tenfolds(self, length: npt.ArrayLike) -> Floats:
        tokens = np.maximum(np.asarray(length, dtype=np.float64), 1)
        return np.clip(np.log10(tokens), self.shortest, self.longest) - self.typical


@dataclass(frozen=True, slots=True)
class Calibration:
    """log10 LR = intercept + slope * similarity, within [lowest, highest].

    sure_same           from this value of the line on, one author is sure; None if it never is
    sure_different      and up to this one, two authors
    by_length           how slope and intercept change with the length of the texts
    """

    slope: float
    intercept: float
    lowest: float
    highest: float
    sure_same: float | None = None
    sure_different: float | None = None
    by_length: ByLength | None = None

    @classmethod
    def fit(
        cls,
        similarity: npt.ArrayLike,
        same_author: npt.ArrayLike,
        length: npt.ArrayLike | None = None,
    ) -> Calibration:
        x = np.asarray(similarity, dtype=np.float64)
        y = np.asarray(same_author, dtype=bool)
        finite = np.isfinite(x)
        if y[finite].all() or not y[finite].any():
            raise InputError(
                f"calibration needs pairs of both kinds: got {int(y[finite].sum())} same-author "
                f"and {int((~y[finite]).sum())} different-author pairs with a similarity"
            )
        from lir.algorithms.bayeserror import elub

        lengths = np.ones_like(x) if length is None else np.asarray(length, dtype=np.float64)
        x, y, lengths = x[finite], y[finite], lengths[finite]
        line = None if length is None else _line_by_length(x, y, lengths)
        line = line or _line(x, y)
        values = line.line(x, lengths)
        lowest, highest = elub(values.copy(), y.astype(int))
        return cls(
            line.slope,
            line.intercept,
            float(lowest),
            float(highest),
            sure_same=_sure(values, y),
            sure_different=_negated(_sure(-values, ~y)),
            by_length=line.by_length,
        )

    @classmethod
    def of_dict(cls, content: dict[str, Any]) -> Calibration:
        by_length = content.get("by_length")
        return cls(**{**content, "by_length": by_length and ByLength(**by_length)})

    def line(self, similarity: npt.ArrayLike, length: npt.ArrayLike = 1) -> Floats:
        """log10 of the likelihood ratio without its bounds; `length` is of both texts together."""
        slope, intercept = self._at(length)
        values: Floats = intercept + slope * np.asarray(similarity, dtype=np.float64)
        return values

    def llr(self, similarity: npt.ArrayLike, length: npt.ArrayLike = 1) -> Floats:
        """log10 of the likelihood ratio; NaN stays NaN."""
        return np.clip(self.line(similarity, length), self.lowest, self.highest)

    def similarity_at(self, line: float | None, length: float) -> float | None:
        """The similarity of texts of this length at which the line has this value."""
        if line is None:
            return None
        slope, intercept = self._at(length)
        return float((line - intercept) / slope)

    @property
    def neutral(self) -> float:
        """The similarity that speaks for neither side, for texts of typical length."""
        return -self.intercept / self.slope

    def is_sure(self, line: float) -> bool:
        return (self.sure_same is not None and line >= self.sure_same) or (
            self.sure_different is not None and line <= self.sure_different
        )

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def _at(self, length: npt.ArrayLike) -> tuple[Any, Any]:
        if self.by_length is None:
            return self.slope, self.intercept
        tenfolds = self.by_length.tenfolds(length)
        return (
            self.slope + self.by_length.slope * tenfolds,
            self.intercept + self.by_length.intercept * tenfolds,
        )


def joint_length(left: npt.ArrayLike, right: npt.ArrayLike) -> Floats:
    """The harmonic mean of two lengths: the shorter text decides how much can be said."""
    one, other = (np.maximum(np.asarray(n, dtype=np.float64), 1) for n in (left, right))
    mean: Floats = 2 / (1 / one + 1 / other)
    return mean


def _line(x: Floats, y: npt.NDArray[np.bool_]) -> Calibration:
    from lir.algorithms.logistic_regression import LogitCalibrator

    line = LogitCalibrator(C=1e6).fit(x, y.astype(int))
    at_zero, at_one = line.transform(np.array([0.0, 1.0]))
    return Calibration(float(at_one - at_zero), float(at_zero), -np.inf, np.inf)


def _line_by_length(x: Floats, y: npt.NDArray[np.bool_], length: Floats) -> Calibration | None:
    """The same regression on similarity, length and their product. None where there are too few
    pairs, or where more alike would speak against one author at some length."""
    logs = np.log10(np.maximum(length, 1))
    shortest, typical, longest = np.quantile(logs, [0.01, 0.5, 0.99])
    if len(x) < _ENOUGH or longest - shortest < 0.1:
        return None
    from sklearn.linear_model import LogisticRegression

    by_length = ByLength(0.0, 0.0, float(shortest), float(typical), float(longest))
    tenfolds = by_length.tenfolds(length)
    scale = x.std()
    columns = np.stack([x / scale, tenfolds, tenfolds * x / scale], axis=1)
    regression = LogisticRegression(C=1e6, class_weight="balanced", max_iter=1000).fit(columns, y)
    slope, by_intercept, by_slope = regression.coef_[0] / _LN_10
    slope, by_slope = slope / scale, by_slope / scale
    if min(slope + by_slope * (end - typical) for end in (shortest, longest)) <= 0:
        return None
    return Calibration(
        float(slope),
        float(regression.intercept_[0] / _LN_10),
        -np.inf,
        np.inf,
        by_length=replace(by_length, slope=float(by_slope), intercept=float(by_intercept)),
    )


def _sure(values: Floats, same: npt.NDArray[np.bool_]) -> float | None:
    """The lowest value from which on fewer than one pair in a hundred is not of one author."""
    order = np.argsort(-values, kind="stable")
    wrong = np.cumsum(~same[order])
    n = np.arange(1, len(order) + 1)
    ends = np.append(np.diff(values[order]) != 0, True)  # of equal values
    good = np.flatnonzero(ends & ((wrong + 1) / (n + 1) <= MOST_WRONG))
    return float(values[order][good[-1]]) if len(good) else None


def _negated(value: float | None) -> float | None:
    return None if value is None else -value


def score_of(llr: float) -> float:
    """P(same author) at equal prior odds for a log10 likelihood ratio."""
    return float(1.0 / (1.0 + 10.0**-llr))
