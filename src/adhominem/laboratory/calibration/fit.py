"""Fits calibrations on labelled pairs.

A calibration is a logistic regression of the labels on the similarity with balanced classes (lir's
LogitCalibrator). The likelihood ratio is bounded where the pairs no longer support it (lir's
empirical lower and upper bounds, Vergeer et al. 2016). With enough pairs, slope and intercept
depend on covariates: similarities of short texts are lower and less informative, and plain styles
are similar whoever wrote them.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from adhominem.arrays import Booleans, Floats, Integers
from adhominem.errors import InputError
from adhominem.instrument.evidence import calibration as evidence
from adhominem.instrument.evidence.calibration import TRENDS, Calibration, Covariates, Trend
from adhominem.instrument.evidence.sides import Sides
from adhominem.instrument.verifier import Comparisons
from adhominem.records import Pair

MOST_WRONG = 0.0125  # largest error rate of reliable answers
_CONFIDENCE = 0.975  # upper end of the 95 % interval
_FEWEST = 444  # smallest number of pairs whose interval ends at MOST_WRONG with one error
_STEP = 1.05  # factor between the tested numbers of pairs
_ENOUGH = 1000  # smallest number of pairs to fit trends
_NARROWEST = 0.02  # smallest range of log10 of a covariate to fit a trend
_PARALLEL = ("by_norm",)  # trends of the intercept only
_LN_10 = float(np.log(10))


@dataclass(frozen=True, slots=True)
class LabelledPairs:
    """Similarities, labels and covariates of development pairs."""

    similarity: Floats
    same: Booleans
    covariates: Covariates

    @classmethod
    def of(cls, compared: Comparisons, pairs: Sequence[Pair]) -> Self:
        return cls(
            compared.similarity,
            np.array([bool(pair.same_author) for pair in pairs]),
            evidence.covariates_of(Sides.of(compared.left), Sides.of(compared.right)),
        )

    @property
    def weight(self) -> Floats:
        """Weights of the pairs; the total of each class is 1/2."""
        share = np.where(self.same, self.same.mean(), 1 - self.same.mean())
        return np.asarray(0.5 / share / len(self.same))

    def select(self, rows: Booleans | Integers) -> Self:
        """Return the chosen pairs."""
        covariates = self.covariates.select(rows, self.same.shape)
        return type(self)(self.similarity[rows], self.same[rows], covariates)


def fit_calibration(
    similarity: npt.ArrayLike, same_author: npt.ArrayLike, covariates: Covariates = Covariates()
) -> Calibration:
    """Fit a calibration to pairs of one genre; pairs without a similarity are left out."""
    x = np.asarray(similarity, dtype=np.float64)
    finite = np.isfinite(x)
    covariates = covariates.select(finite, x.shape)
    x, y = x[finite], np.asarray(same_author, dtype=bool)[finite]
    if y.all() or not y.any():
        raise InputError(
            f"calibration needs pairs of both kinds: got {int(y.sum())} same-author "
            f"and {int((~y).sum())} different-author pairs with a similarity"
        )
    from lir.algorithms.bayeserror import elub

    line = _line_with_trends(x, y, covariates) or _line(x, y)
    values = line.line(x, covariates)
    lowest, highest = map(float, elub(values.copy(), y.astype(int)))
    same, different = reliable_limits([(values, y, covariates.stretches)])
    return replace(line, lowest=lowest, highest=highest, sure_same=same, sure_different=different)


def fit_trends(
    x: Floats,
    y: Booleans,
    covariates: Covariates,
    *,
    parallel: Collection[str],
    weight: Floats | None = None,
) -> Calibration:
    """Fit an unbounded line with a trend for every covariate that differs between pairs.

    parallel   names of trends of the intercept only, not of the slope
    weight     weights of the pairs; None balances the classes
    """
    from sklearn.linear_model import LogisticRegression

    columns = {("", "slope"): x}
    trends = find_trends(covariates)
    for name, covariate in zip(TRENDS, covariates, strict=False):
        if name in trends:
            decades = trends[name].decades(covariate)
            columns[name, "intercept"] = decades
            if name not in parallel:
                columns[name, "slope"] = decades * x
    table = np.stack([*columns.values()], axis=1)
    scales, balance = table.std(axis=0), "balanced" if weight is None else None
    regression = LogisticRegression(C=1e6, class_weight=balance, max_iter=1000)
    regression.fit(table / scales, y, sample_weight=weight)
    coefficients = (regression.coef_[0] / scales / _LN_10).tolist()
    fitted = dict(zip(columns, coefficients, strict=True))
    by_name: dict[str, Any] = {
        name: replace(
            trend, intercept=fitted[name, "intercept"], slope=fitted.get((name, "slope"), 0.0)
        )
        for name, trend in trends.items()
    }
    intercept = float(regression.intercept_[0] / _LN_10)
    return Calibration(fitted["", "slope"], intercept, -np.inf, np.inf, **by_name)


def find_trends(covariates: Covariates) -> dict[str, Trend]:
    """Return trends of zero, with their ranges, for the covariates that differ between pairs."""
    trends = {}
    for name, covariate in zip(TRENDS, covariates, strict=False):
        logs = np.log10(np.maximum(covariate, 1))
        least, typical, most = np.quantile(logs, [0.01, 0.5, 0.99]).tolist()
        if most - least >= _NARROWEST:
            trends[name] = Trend(0.0, 0.0, least, typical, most)
    return trends


def reliable_limits(
    groups: Iterable[tuple[Floats, Booleans, npt.ArrayLike]],
) -> tuple[float | None, float | None]:
    """Return the limits beyond which "same" and "different" are reliable answers; None if an answer
    never is. They hold in every group (values of the line, labels, stretches), among all pairs and
    among pairs of single texts, which are harder."""
    same, different = [], []
    for values, is_same, stretches in groups:
        single = np.asarray(stretches) < 1.5
        for chosen in [np.ones_like(single), single] if single.any() else [np.ones_like(single)]:
            same.append(_reliable_from(values[chosen], is_same[chosen]))
            different.append(_reliable_from(-values[chosen], ~is_same[chosen]))
    strictest, negative = max(same), max(different)  # inf if an answer is reliable nowhere
    return (
        None if strictest == np.inf else strictest,
        None if negative == np.inf else -negative,
    )


def _reliable_from(values: Floats, same: Booleans) -> float:
    """Return the lowest value from which on the error rate of "same" is below MOST_WRONG, by the
    upper limit of Clopper and Pearson; infinity if there is none. The numbers of pairs above the
    value are tested in a fixed order, from _FEWEST upwards, until one fails; so the confidence
    holds for the chosen value, however many are tested (fixed-sequence testing)."""
    from scipy.stats import beta

    order = np.argsort(-values, kind="stable")
    sorted_values, wrong = values[order], np.cumsum(~same[order])
    n: float = _FEWEST
    limit = np.inf
    while n <= len(order):
        last = int(np.searchsorted(-sorted_values, -sorted_values[int(n) - 1], side="right"))
        errors = int(wrong[last - 1])  # equal values belong together
        if errors == last or beta.ppf(_CONFIDENCE, errors + 1, last - errors) > MOST_WRONG:
            break
        limit = float(sorted_values[last - 1])
        n = max(n * _STEP, last + 1.0)
    return limit


def _line(x: Floats, y: Booleans) -> Calibration:
    from lir.algorithms.logistic_regression import LogitCalibrator

    line = LogitCalibrator(C=1e6).fit(x, y.astype(int))
    at_zero, at_one = line.transform(np.array([0.0, 1.0]))
    return Calibration(float(at_one - at_zero), float(at_zero), -np.inf, np.inf)


def _line_with_trends(x: Floats, y: Booleans, covariates: Covariates) -> Calibration | None:
    """Fit a line with trends; None if there are too few pairs or if the slope can be negative."""
    if len(x) < _ENOUGH or not find_trends(covariates):
        return None
    line = fit_trends(x, y, covariates, parallel=_PARALLEL)
    lowest_slope = line.slope + sum(
        min(trend.slope * (end - trend.typical) for end in (trend.least, trend.most))
        for name in TRENDS
        if (trend := getattr(line, name)) is not None
    )
    return line if lowest_slope > 0 else None
