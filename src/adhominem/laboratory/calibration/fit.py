"""Fits calibrations on labelled pairs.

Logistic regression of the labels on the similarity, with both classes weighted alike (lir's
LogitCalibrator); bounds where the pairs no longer support the ratio (lir's empirical lower and
upper bounds, Vergeer et al. 2016). With enough pairs slope and intercept follow the covariates:
short texts are less alike and say less than long ones, plain styles are alike whoever wrote them.
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

MOST_WRONG = 0.02  # share of wrong answers among the reliable ones
_CONFIDENCE = 0.975  # upper end of the 95 % interval
_FEWEST = 277  # pairs that pass with one error: the interval then ends at MOST_WRONG
_STEP = 1.05  # factor between numbers of pairs that are tried
_ENOUGH = 1000  # pairs from which on trends are fitted
_NARROWEST = 0.02  # range of log10 of a covariate that a trend is fitted to
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
        """A weight for each pair with which both classes have the same total, 1/2."""
        share = np.where(self.same, self.same.mean(), 1 - self.same.mean())
        return np.asarray(0.5 / share / len(self.same))

    def select(self, rows: Booleans | Integers) -> Self:
        """The chosen pairs."""
        covariates = self.covariates.select(rows, self.same.shape)
        return replace(
            self, similarity=self.similarity[rows], same=self.same[rows], covariates=covariates
        )


def fit_calibration(
    similarity: npt.ArrayLike, same_author: npt.ArrayLike, covariates: Covariates = Covariates()
) -> Calibration:
    """A calibration for pairs of one genre; pairs without a similarity are left out."""
    x = np.asarray(similarity, dtype=np.float64)
    y = np.asarray(same_author, dtype=bool)
    finite = np.isfinite(x)
    if y[finite].all() or not y[finite].any():
        raise InputError(
            f"calibration needs pairs of both kinds: got {int(y[finite].sum())} same-author "
            f"and {int((~y[finite]).sum())} different-author pairs with a similarity"
        )
    from lir.algorithms.bayeserror import elub

    covariates = covariates.select(finite, x.shape)
    x, y = x[finite], y[finite]
    line = _line_with_trends(x, y, covariates) or _line(x, y)
    values = line.line(x, covariates)
    lowest, highest = elub(values.copy(), y.astype(int))
    sure_same, sure_different = reliable_limits([(values, y, covariates.stretches)])
    return replace(
        line,
        lowest=float(lowest),
        highest=float(highest),
        sure_same=sure_same,
        sure_different=sure_different,
    )


def fit_trends(
    x: Floats,
    y: Booleans,
    covariates: Covariates,
    *,
    parallel: Collection[str],
    weight: Floats | None = None,
) -> Calibration:
    """An unbounded line whose intercept follows every covariate that differs between pairs, and
    whose slope follows those that are not `parallel`. Without weights of the pairs both classes
    weigh the same."""
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
    scales = table.std(axis=0)
    regression = LogisticRegression(
        C=1e6, class_weight="balanced" if weight is None else None, max_iter=1000
    ).fit(table / scales, y, sample_weight=weight)
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
    """Trends of zero over the ranges of the covariates that differ between pairs."""
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
    """The limits from which on "same" and "different" are reliable answers in every group of pairs,
    given by values, labels and stretches: among all pairs, and among pairs of single texts, which
    are harder. None where an answer is reliable nowhere."""
    same: list[float | None] = []
    different: list[float | None] = []
    for values, is_same, stretches in groups:
        single = np.asarray(stretches) < 1.5
        for chosen in [np.ones_like(single), single] if single.any() else [np.ones_like(single)]:
            same.append(_reliable_from(values[chosen], is_same[chosen]))
            different.append(_reliable_from(-values[chosen], ~is_same[chosen]))
    return (
        None if None in same else max(limit for limit in same if limit is not None),
        None if None in different else -max(limit for limit in different if limit is not None),
    )


def _reliable_from(values: Floats, same: Booleans) -> float | None:
    """The lowest value from which on fewer than MOST_WRONG pairs are not of one author, by the
    upper limit of Clopper and Pearson. Numbers of pairs are tried in a fixed order, from the fewest
    that pass with one error upwards, and the first that fails ends the search: so the confidence
    holds for the limit that is chosen, however many are tried (fixed-sequence testing)."""
    from scipy.stats import beta

    order = np.argsort(-values, kind="stable")
    sorted_values, wrong = values[order], np.cumsum(~same[order])
    n: float = _FEWEST
    limit = None
    while n <= len(order):
        last = int(np.searchsorted(-sorted_values, -sorted_values[int(n) - 1], side="right"))
        errors = int(wrong[last - 1])  # all pairs with equal values count
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
    """A line with trends; None with too few pairs, or where its slope is somewhere negative."""
    if len(x) < _ENOUGH or not find_trends(covariates):
        return None
    line = fit_trends(x, y, covariates, parallel=_PARALLEL)
    lowest_slope = line.slope + sum(
        min(trend.slope * (end - trend.typical) for end in (trend.least, trend.most))
        for name in TRENDS
        if (trend := getattr(line, name)) is not None
    )
    return line if lowest_slope > 0 else None
