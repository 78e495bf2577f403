"""Similarity to likelihood ratio.

The log-likelihood ratio is a straight line in the similarity, fitted by logistic regression with
both classes weighted alike (lir's LogitCalibrator), and bounded where the development pairs can
no longer support it (lir's empirical lower and upper bounds, Vergeer et al. 2016). The line may
change with the length of the texts and with the number of texts on a side: two short texts are
less alike than two long ones whoever wrote them, and say less. And it may be moved by how marked
their styles are: two plain texts are alike whoever wrote them. Beyond two values of the line an
answer is called sure: there the development pairs leave no doubt (95 %) that fewer than one
answer in a hundred is wrong. What is kept are a few numbers, so that using a calibration
needs neither lir nor scikit-learn.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from adhominem.errors import InputError

Floats = npt.NDArray[np.float64]
MOST_WRONG = 0.01  # of the answers that are called sure
_CONFIDENCE = 0.975  # upper end of the 95 % interval
_ENOUGH = 1000  # pairs from which on the line may change with length
_NARROWEST = 0.02  # range of log10 of an amount that a trend is fitted to
_LN_10 = float(np.log(10))


class Covariates(NamedTuple):
    """Of what there is more in some pairs than in others, of both sides together."""

    length: npt.ArrayLike = 1.0  # tokens
    stretches: npt.ArrayLike = 1.0  # pieces that these were read in
    norm: npt.ArrayLike = 1.0  # length of the features


TRENDS = tuple(f"by_{name}" for name in Covariates._fields)
_PARALLEL = ("by_norm",)  # these move the line, but do not turn it


@dataclass(frozen=True, slots=True)
class Trend:
    """What ten times as much of something adds to slope and intercept, from the typical amount on;
    beyond the least and the most (all log10) nothing more is added."""

    slope: float
    intercept: float
    least: float
    typical: float
    most: float

    def decades(self, amount: npt.ArrayLike) -> Floats:
        logs = np.log10(np.maximum(np.asarray(amount, dtype=np.float64), 1))
        return np.clip(logs, self.least, self.most) - self.typical


@dataclass(frozen=True, slots=True)
class Calibration:
    """log10 LR = intercept + slope * similarity, within [lowest, highest].

    sure_same           from this value of the line on, one author is sure; None if it never is
    sure_different      and up to this one, two authors
    by_length, by_stretches, by_norm    how slope and intercept change with the Covariates
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

    @classmethod
    def fit(
        cls,
        similarity: npt.ArrayLike,
        same_author: npt.ArrayLike,
        covariates: Covariates = Covariates(),
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

        covariates = Covariates(
            *(np.broadcast_to(amount, x.shape)[finite] for amount in covariates)
        )
        x, y = x[finite], y[finite]
        line = _line_with_trends(x, y, covariates) or _line(x, y)
        values = line.line(x, covariates)
        lowest, highest = elub(values.copy(), y.astype(int))
        return replace(
            line,
            lowest=float(lowest),
            highest=float(highest),
            sure_same=sure_everywhere(values, y, covariates.stretches),
            sure_different=_negated(sure_everywhere(-values, ~y, covariates.stretches)),
        )

    @classmethod
    def of_dict(cls, content: dict[str, Any]) -> Calibration:
        trends = {name: content.get(name) for name in TRENDS}
        return cls(**{**content, **{name: t and Trend(**t) for name, t in trends.items()}})

    def line(self, similarity: npt.ArrayLike, covariates: Covariates = Covariates()) -> Floats:
        """log10 of the likelihood ratio without its bounds."""
        slope, intercept = self._at(covariates)
        values: Floats = intercept + slope * np.asarray(similarity, dtype=np.float64)
        return values

    def llr(self, similarity: npt.ArrayLike, covariates: Covariates = Covariates()) -> Floats:
        """log10 of the likelihood ratio; NaN stays NaN."""
        return np.clip(self.line(similarity, covariates), self.lowest, self.highest)

    def similarity_at(self, line: float | None, covariates: Covariates) -> float | None:
        """The similarity of texts of these covariates at which the line has this value."""
        if line is None:
            return None
        slope, intercept = self._at(covariates)
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

    def _at(self, covariates: Covariates) -> tuple[Any, Any]:
        slope: Any = self.slope
        intercept: Any = self.intercept
        for name, amount in zip(TRENDS, covariates, strict=True):
            trend: Trend | None = getattr(self, name)
            if trend is not None:
                decades = trend.decades(amount)
                slope = slope + trend.slope * decades
                intercept = intercept + trend.intercept * decades
        return slope, intercept


def harmonic_mean(left: npt.ArrayLike, right: npt.ArrayLike) -> Floats:
    """The harmonic mean of two covariates: the smaller side decides how much can be said."""
    one, other = (np.maximum(np.asarray(n, dtype=np.float64), 1) for n in (left, right))
    mean: Floats = 2 / (1 / one + 1 / other)
    return mean


def covariates_of(left: Any, right: Any) -> Covariates:
    """Of two sides, or of one and a table of others, with `tokens`, `stretches` and `norm`."""
    names = ("tokens", "stretches", "norm")
    return Covariates(*(harmonic_mean(getattr(left, name), getattr(right, name)) for name in names))


def _line(x: Floats, y: npt.NDArray[np.bool_]) -> Calibration:
    from lir.algorithms.logistic_regression import LogitCalibrator

    line = LogitCalibrator(C=1e6).fit(x, y.astype(int))
    at_zero, at_one = line.transform(np.array([0.0, 1.0]))
    return Calibration(float(at_one - at_zero), float(at_zero), -np.inf, np.inf)


def _line_with_trends(
    x: Floats, y: npt.NDArray[np.bool_], covariates: Covariates
) -> Calibration | None:
    """The same regression on the similarity, the covariates that differ between pairs, and their
    products. None where there are too few pairs, or where more alike would speak against one
    author somewhere."""
    if len(x) < _ENOUGH or not ranges_of(covariates):
        return None
    line = fit_trends(x, y, covariates, parallel=_PARALLEL)
    lowest_slope = line.slope + sum(
        min(trend.slope * (end - trend.typical) for end in (trend.least, trend.most))
        for name in TRENDS
        if (trend := getattr(line, name)) is not None
    )
    return line if lowest_slope > 0 else None


def fit_trends(
    x: Floats,
    y: npt.NDArray[np.bool_],
    covariates: Covariates,
    *,
    parallel: Collection[str],
    weight: Floats | None = None,
) -> Calibration:
    """An unbounded line whose intercept changes with every amount that differs between pairs, and
    its slope with those that are not `parallel`. Without a weight of each pair both answers weigh
    the same."""
    from sklearn.linear_model import LogisticRegression

    columns = {("", "slope"): x}
    trends = ranges_of(covariates)
    for name, amount in zip(TRENDS, covariates, strict=True):
        if name in trends:
            decades = trends[name].decades(amount)
            columns[name, "intercept"] = decades
            if name not in parallel:
                columns[name, "slope"] = decades * x
    table = np.stack([*columns.values()], axis=1)
    scales = table.std(axis=0)
    regression = LogisticRegression(
        C=1e6, class_weight="balanced" if weight is None else None, max_iter=1000
    ).fit(table / scales, y, sample_weight=weight)
    found = dict(zip(columns, (regression.coef_[0] / scales / _LN_10).tolist(), strict=True))
    fitted: dict[str, Any] = {
        name: replace(
            trend, intercept=found[name, "intercept"], slope=found.get((name, "slope"), 0.0)
        )
        for name, trend in trends.items()
    }
    at_zero = float(regression.intercept_[0] / _LN_10)
    return Calibration(found["", "slope"], at_zero, -np.inf, np.inf, **fitted)


def ranges_of(covariates: Covariates) -> dict[str, Trend]:
    """Trends that add nothing yet, over the range of those covariates that differ between pairs."""
    trends = {}
    for name, amount in zip(TRENDS, covariates, strict=True):
        logs = np.log10(np.maximum(amount, 1))
        least, typical, most = np.quantile(logs, [0.01, 0.5, 0.99]).tolist()
        if most - least >= _NARROWEST:
            trends[name] = Trend(0.0, 0.0, least, typical, most)
    return trends


def sure_everywhere(
    values: Floats, same: npt.NDArray[np.bool_], stretches: npt.ArrayLike
) -> float | None:
    """The value from which on both all pairs are sure and those of single texts, which are harder;
    None where either never is."""
    single = np.asarray(stretches) < 1.5
    everyone = np.ones_like(single)
    parts = [everyone, single] if single.any() else [everyone]
    found = [_sure(values[part], same[part]) for part in parts]
    return None if None in found else max(value for value in found if value is not None)


def _sure(values: Floats, same: npt.NDArray[np.bool_]) -> float | None:
    """The lowest value from which on fewer than one pair in a hundred is not of one author, by the
    upper limit of Clopper and Pearson."""
    from scipy.stats import beta

    order = np.argsort(-values, kind="stable")
    wrong = np.cumsum(~same[order])
    n = np.arange(1, len(order) + 1)
    ends = np.append(np.diff(values[order]) != 0, True)  # of equal values
    most = beta.ppf(_CONFIDENCE, wrong + 1, n - wrong)  # NaN where all are wrong
    good = np.flatnonzero(ends & (most <= MOST_WRONG))
    return float(values[order][good[-1]]) if len(good) else None


def _negated(value: float | None) -> float | None:
    return None if value is None else -value


def score_of(llr: float) -> float:
    """P(same author) at equal prior odds for a log10 likelihood ratio."""
    return float(1.0 / (1.0 + 10.0**-llr))
