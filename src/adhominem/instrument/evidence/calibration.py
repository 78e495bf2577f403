"""Similarity to likelihood ratio.

The log-likelihood ratio is a straight line in the similarity, bounded where the development pairs
no longer support it. Slope and intercept may change with covariates of the pair: its length, its
number of texts, how marked its style is. What is kept are a few numbers; the laboratory fits them
(laboratory/calibration/fit.py).
"""

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from adhominem.arrays import Booleans, Floats


class Covariates(NamedTuple):
    """Covariates of a pair: harmonic means over both sides of tokens, stretches and norm, and the
    mean of their likeness to themselves, NaN if unknown."""

    length: npt.ArrayLike = 1.0
    stretches: npt.ArrayLike = 1.0
    norm: npt.ArrayLike = 1.0
    self_similarity: npt.ArrayLike = np.nan

    def select(self, rows: Any, shape: tuple[int, ...]) -> Self:
        """The covariates of the chosen ones of so many pairs."""
        return type(self)(*(np.broadcast_to(column, shape)[rows] for column in self))


TRENDS = ("by_length", "by_stretches", "by_norm")


@dataclass(frozen=True, slots=True)
class Trend:
    """Change of slope and intercept per decade of a covariate, relative to its median.

    least, typical, most   log10 of the covariate: 1 % quantile, median and 99 % quantile of the
                           development pairs; beyond the quantiles nothing more is added
    """

    slope: float
    intercept: float
    least: float
    typical: float
    most: float

    def decades(self, covariate: npt.ArrayLike) -> Floats:
        """Decades between the median and the covariate, within the range of the data."""
        logs = np.log10(np.maximum(np.asarray(covariate, dtype=np.float64), 1))
        return np.clip(logs, self.least, self.most) - self.typical


@dataclass(frozen=True, slots=True)
class Calibration:
    """log10 LR = intercept + slope * similarity, within [lowest, highest].

    sure_same        value of the unbounded line from which on "same author" is reliable; None if
                     it never is
    sure_different   value up to which "different authors" is reliable
    by_length, by_stretches, by_norm   trends of slope and intercept with the covariates
    """

    slope: float
    intercept: float
    lowest: float
    highest: float
    sure_same: float | None = None
    sure_different: float | None = None
    by_length: Trend | None = None
    by_stretches: Trend | None = None
    by_norm: Trend | None = None

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    def line(self, similarity: npt.ArrayLike, covariates: Covariates = Covariates()) -> Floats:
        """log10 of the likelihood ratio without its bounds."""
        slope, intercept = self._at(covariates)
        values: Floats = intercept + slope * np.asarray(similarity, dtype=np.float64)
        return values

    def llr(self, similarity: npt.ArrayLike, covariates: Covariates = Covariates()) -> Floats:
        """log10 of the likelihood ratio; NaN for a similarity of NaN."""
        return np.clip(self.line(similarity, covariates), self.lowest, self.highest)

    def is_sure(self, line: npt.ArrayLike) -> Booleans:
        """Whether an answer is reliable, for values of the unbounded line."""
        values = np.asarray(line, dtype=np.float64)
        same = np.inf if self.sure_same is None else self.sure_same
        different = -np.inf if self.sure_different is None else self.sure_different
        return (values >= same) | (values <= different)

    def similarity_at(self, line: float | None, covariates: Covariates) -> float | None:
        """The similarity at which the line has this value; None for None."""
        if line is None:
            return None
        slope, intercept = self._at(covariates)
        return float((line - intercept) / slope)

    @property
    def bounds(self) -> tuple[float, float]:
        return self.lowest, self.highest

    @property
    def neutral(self) -> float:
        """The similarity at which log10 LR is 0, at the medians of the covariates."""
        return -self.intercept / self.slope

    def _at(self, covariates: Covariates) -> tuple[Any, Any]:
        """Slope and intercept for these covariates."""
        slope: Any = self.slope
        intercept: Any = self.intercept
        for name, covariate in zip(TRENDS, covariates, strict=False):
            trend: Trend | None = getattr(self, name)
            if trend is not None:
                decades = trend.decades(covariate)
                slope = slope + trend.slope * decades
                intercept = intercept + trend.intercept * decades
        return slope, intercept


def harmonic_mean(left: npt.ArrayLike, right: npt.ArrayLike) -> Floats:
    """Harmonic mean of two amounts of at least 1; the smaller one dominates."""
    one, other = (np.maximum(np.asarray(n, dtype=np.float64), 1) for n in (left, right))
    mean: Floats = 2 / (1 / one + 1 / other)
    return mean


def covariates_of(left: Any, right: Any) -> Covariates:
    """Covariates of two sides, or of columns of sides, with `tokens`, `stretches`, `norm` and
    `self_similarity`."""
    names = ("tokens", "stretches", "norm")
    length, stretches, norm = (harmonic_mean(getattr(left, n), getattr(right, n)) for n in names)
    one, other = (np.asarray(s.self_similarity, dtype=np.float64) for s in (left, right))
    known = np.where(np.isnan(one), other, one), np.where(np.isnan(other), one, other)
    return Covariates(length, stretches, norm, (known[0] + known[1]) / 2)
