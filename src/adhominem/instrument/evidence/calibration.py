"""Calibration: a similarity becomes a likelihood ratio.

The log-likelihood ratio is linear in the similarity, bounded where the development pairs no longer
support it. Slope and intercept may change with covariates of the pair: its length, its number of
texts, the norm of its features. `laboratory/calibration/fit.py` fits the numbers.
"""

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from adhominem.arrays import Booleans, Floats


class Covariates(NamedTuple):
    """Covariates of a pair, combined from both sides: harmonic means of tokens, stretches and norm,
    the mean self-similarity, NaN if unknown, and how far the profiles of the sides are apart."""

    length: npt.ArrayLike = 1.0
    stretches: npt.ArrayLike = 1.0
    norm: npt.ArrayLike = 1.0
    self_similarity: npt.ArrayLike = np.nan
    apart: npt.ArrayLike = 0.0

    def select(self, rows: Any, shape: tuple[int, ...]) -> Self:
        """The covariates of some rows, after broadcasting to the shape of all pairs."""
        return type(self)(*(np.broadcast_to(column, shape)[rows] for column in self))


TRENDS = ("by_length", "by_stretches", "by_norm")


@dataclass(frozen=True, slots=True)
class Trend:
    """Change of slope and intercept per decade of a covariate, relative to its median.

    least, typical, most   log10 of the 1 % quantile, median and 99 % quantile of the covariate in
                           development pairs; the trend is constant beyond the quantiles
    """

    slope: float
    intercept: float
    least: float
    typical: float
    most: float

    def decades(self, covariate: npt.ArrayLike) -> Floats:
        """Decades between the median and the covariate, clipped to the quantiles."""
        logs = np.log10(np.maximum(np.asarray(covariate, dtype=np.float64), 1))
        return np.clip(logs, self.least, self.most) - self.typical


@dataclass(frozen=True, slots=True)
class Calibration:
    """log10 LR = intercept + slope * similarity, within [lowest, highest].

    sure_same        least value of the unbounded line at which "same author" is reliable, None for
                     never
    sure_different   largest value at which "different authors" is reliable, None for never
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
        """log10 of the likelihood ratio without bounds."""
        slope, intercept = self._at(covariates)
        values: Floats = intercept + slope * np.asarray(similarity, dtype=np.float64)
        return values

    def llr(self, similarity: npt.ArrayLike, covariates: Covariates = Covariates()) -> Floats:
        """log10 of the likelihood ratio; NaN for a similarity of NaN."""
        return np.clip(self.line(similarity, covariates), self.lowest, self.highest)

    def is_sure(self, line: npt.ArrayLike) -> Booleans:
        """Whether answers are reliable, given values of the unbounded line."""
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
        """The similarity at which log10 LR is 0, for covariates at their medians."""
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
    """Harmonic mean of two amounts, each raised to 1 if it is less."""
    one, other = (np.maximum(np.asarray(n, dtype=np.float64), 1) for n in (left, right))
    mean: Floats = 2 / (1 / one + 1 / other)
    return mean


def covariates_of(left: Any, right: Any) -> Covariates:
    """Covariates of two readings, or of two `Sides` row by row. A self-similarity that one side
    lacks is taken from the other."""
    names = ("tokens", "stretches", "norm")
    length, stretches, norm = (harmonic_mean(getattr(left, n), getattr(right, n)) for n in names)
    one, other = (np.asarray(s.self_similarity, dtype=np.float64) for s in (left, right))
    known = np.where(np.isnan(one), other, one), np.where(np.isnan(other), one, other)
    return Covariates(length, stretches, norm, (known[0] + known[1]) / 2)
