"""The calibration for kinds of text that a model does not know.

How far apart two strangers lie differs between kinds: two film reviews are more alike than two
hotel reviews. So every known kind is left out in turn and judged by a line that was fitted on the
others. What these judgements were worth where they were worth the least is what an answer on a new
kind is worth: the line is flattened by it, and bounded by what even the worst kind supports. The
lines of different covariates are parallel, as slopes do not carry over.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from adhominem.instrument.evidence.calibration import (
    TRENDS,
    Calibration,
    Covariates,
    fit_trends,
    sure_everywhere,
)

Floats = npt.NDArray[np.float64]
FEWEST_KINDS = 3
_LEAST_WORTH = 0.05  # so that the line can be turned round
_LN_10 = float(np.log(10))


@dataclass(frozen=True, slots=True)
class Judged:
    """Development pairs of one kind."""

    similarity: Floats
    same: npt.NDArray[np.bool_]
    covariates: Covariates

    @property
    def weight(self) -> Floats:
        """Of each pair, so that kinds weigh the same, and both answers within a kind."""
        share = np.where(self.same, self.same.mean(), 1 - self.same.mean())
        weight: Floats = 0.5 / share / len(self.same)
        return weight

    def select(self, chosen: npt.NDArray[Any]) -> Judged:
        covariates = Covariates(*(np.asarray(amount)[chosen] for amount in self.covariates))
        return Judged(self.similarity[chosen], self.same[chosen], covariates)


def calibrate_unknown_genre(kinds: Mapping[str, Judged]) -> Calibration:
    from lir.algorithms.bayeserror import elub

    judged = {name: kind.select(np.isfinite(kind.similarity)) for name, kind in kinds.items()}
    values = {}
    for name, kind in judged.items():
        others = [other for key, other in judged.items() if key != name]
        values[name] = _values(_parallel_lines(others), kind)
    worth = max(
        _LEAST_WORTH, min(1.0, *(_worth(values[name], kind) for name, kind in judged.items()))
    )
    left_out = {name: worth * value for name, value in values.items()}
    bounds = [elub(left_out[name].copy(), kind.same.astype(int)) for name, kind in judged.items()]
    sure_same = [
        sure_everywhere(left_out[n], k.same, k.covariates.stretches) for n, k in judged.items()
    ]
    sure_different = [
        sure_everywhere(-left_out[n], ~k.same, k.covariates.stretches) for n, k in judged.items()
    ]
    highest, lowest = min(float(h) for _, h in bounds), max(float(low) for low, _ in bounds)
    same, different = _largest(sure_same), _largest(sure_different)
    return replace(
        _flattened(_parallel_lines(judged.values()), worth),
        lowest=min(lowest, 0.0),
        highest=max(highest, 0.0),
        sure_same=same,
        sure_different=None if different is None else -different,
    )


def _parallel_lines(kinds: Iterable[Judged]) -> Calibration:
    """One slope for all covariates."""
    kinds = list(kinds)
    x, same, weight = (
        np.concatenate([getattr(kind, name) for kind in kinds])
        for name in ("similarity", "same", "weight")
    )
    covariates = Covariates(
        *(np.concatenate(parts) for parts in zip(*(k.covariates for k in kinds), strict=True))
    )
    return fit_trends(x, same, covariates, parallel=TRENDS, weight=weight * len(x) / len(kinds))


def _values(line: Calibration, kind: Judged) -> Floats:
    return line.line(kind.similarity, kind.covariates)


def _worth(values: Floats, kind: Judged) -> float:
    """By which factor the values of a kind left out come nearest to likelihood ratios."""
    from sklearn.linear_model import LogisticRegression

    regression = LogisticRegression(C=1e6, fit_intercept=False).fit(
        _LN_10 * values[:, None], kind.same, sample_weight=kind.weight * len(kind.same)
    )
    return float(regression.coef_[0, 0])


def _flattened(line: Calibration, worth: float) -> Calibration:
    trends: dict[str, Any] = {
        name: replace(trend, intercept=worth * trend.intercept)
        for name in TRENDS
        if (trend := getattr(line, name)) is not None
    }
    return replace(line, slope=worth * line.slope, intercept=worth * line.intercept, **trends)


def _largest(values: Sequence[float | None]) -> float | None:
    """None where one of them is."""
    found = [value for value in values if value is not None]
    return max(found) if len(found) == len(values) else None
