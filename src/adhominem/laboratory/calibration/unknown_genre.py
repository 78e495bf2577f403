"""The calibration for texts of a genre that a model does not know.

How far apart two strangers are differs between genres: two film reviews are more alike than two
hotel reviews. So every known genre is left out in turn and judged by a line that was fitted on the
others. The final line is flattened by the factor of the genre where this worked worst, and bounded
by what that genre supports. The slope does not follow the covariates, as slopes do not carry over.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from adhominem.instrument.evidence.calibration import TRENDS, Calibration, Covariates
from adhominem.laboratory.calibration.fit import fit_trends, reliable_from
from adhominem.laboratory.calibration.labelled import LabelledPairs

Floats = npt.NDArray[np.float64]
FEWEST_GENRES = 3
_LEAST_FACTOR = 0.05  # so that the line can be inverted
_LN_10 = float(np.log(10))


def calibrate_unknown_genre(genres: Mapping[str, LabelledPairs]) -> Calibration:
    """A cautious calibration from development pairs of at least three genres."""
    from lir.algorithms.bayeserror import elub

    pairs = [genre.select(np.isfinite(genre.similarity)) for genre in genres.values()]
    left_out = []
    for number, genre in enumerate(pairs):
        line = _parallel_lines([other for i, other in enumerate(pairs) if i != number])
        left_out.append(line.line(genre.similarity, genre.covariates))
    factors = [_factor(values, genre) for values, genre in zip(left_out, pairs, strict=True)]
    factor = max(_LEAST_FACTOR, min(1.0, *factors))
    left_out = [factor * values for values in left_out]
    judged = list(zip(left_out, pairs, strict=True))
    bounds = [elub(values.copy(), genre.same.astype(int)) for values, genre in judged]
    same = [reliable_from(v, genre.same, genre.covariates.stretches) for v, genre in judged]
    different = [reliable_from(-v, ~genre.same, genre.covariates.stretches) for v, genre in judged]
    sure_different = _largest(different)
    return replace(
        _flattened(_parallel_lines(pairs), factor),
        lowest=min(max(float(low) for low, _ in bounds), 0.0),
        highest=max(min(float(high) for _, high in bounds), 0.0),
        sure_same=_largest(same),
        sure_different=None if sure_different is None else -sure_different,
    )


def _parallel_lines(genres: Iterable[LabelledPairs]) -> Calibration:
    """A line whose intercept follows the covariates; genres and classes weigh the same."""
    genres = list(genres)
    x, same, weight = (
        np.concatenate([getattr(genre, name) for genre in genres])
        for name in ("similarity", "same", "weight")
    )
    columns = zip(*(genre.covariates for genre in genres), strict=True)
    covariates = Covariates(*(np.concatenate(parts) for parts in columns))
    return fit_trends(x, same, covariates, parallel=TRENDS, weight=weight * len(x) / len(genres))


def _factor(values: Floats, genre: LabelledPairs) -> float:
    """The factor with which the values of a left-out genre are best calibrated."""
    from sklearn.linear_model import LogisticRegression

    regression = LogisticRegression(C=1e6, fit_intercept=False).fit(
        _LN_10 * values[:, None], genre.same, sample_weight=genre.weight * len(genre.same)
    )
    return float(regression.coef_[0, 0])


def _flattened(line: Calibration, factor: float) -> Calibration:
    trends: dict[str, Any] = {
        name: replace(trend, intercept=factor * trend.intercept)
        for name in TRENDS
        if (trend := getattr(line, name)) is not None
    }
    return replace(line, slope=factor * line.slope, intercept=factor * line.intercept, **trends)


def _largest(values: Sequence[float | None]) -> float | None:
    """The largest value; None if one of them is None."""
    numbers = [value for value in values if value is not None]
    return max(numbers) if len(numbers) == len(values) else None
