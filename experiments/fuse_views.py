"""Fits one similarity from several, and from it the calibrations of a model with views.

Every kind of text weighs the same, and so do both classes within a kind. A kind with its own
development pairs gets a sum of its own, whose coefficients are drawn towards those of all kinds.
Texts of a kind that was not stated may be of a known kind or of none: they are judged by a mixture,
and its calibration rests on known kinds, and on kinds that the network never learnt from and that
are read as the nearest known kinds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from adhominem.arrays import Booleans, Floats
from adhominem.instrument.evidence.calibration import Calibration, Covariates, Trend
from adhominem.instrument.evidence.fusion import N_AMOUNTS, Fusion, Mixture, mix
from adhominem.laboratory.calibration.fit import LabelledPairs, reliable_limits

if TYPE_CHECKING:
    from measure_pairs import Measured

Judged = tuple[Floats, LabelledPairs]  # the sum of the views for each pair

_LN_10 = float(np.log(10))
_RANGE = (0.002, 0.5, 0.99)  # lowest, typical and highest amount; texts are short at the low end
# Of the pull towards the coefficients of all kinds: at a typical pair, of the four trends, and
# below SHORT tokens, where a kind has few pairs. Chosen by halves of the development pairs.
_STRENGTH = np.array([30.0, 300.0, 300.0, 300.0, 300.0, 900.0])
_FADING = (0.95, 0.99)  # shares of the pairs of one kind that are no further apart
_LEAST_SLOPE = 0.05  # of a calibration
_ROUNDS = 20
_BORNE_OUT = 0.75  # share of the kinds that bear the bounds of several kinds out, each by itself


def fuse(pairs: LabelledPairs, fusion: Fusion | Mixture) -> Floats:
    """The one similarity of each pair, from several in the columns of `similarity`."""
    return fusion.total(pairs.similarity, pairs.covariates)


def fit_fusion(
    kinds: Sequence[LabelledPairs], names: tuple[str, ...], *, stated: bool = True
) -> Fusion:
    """Weights and half-way points by logistic regression on pairs of all kinds. If the kind is not
    stated, pairs that are far apart count less."""
    from sklearn.linear_model import LinearRegression, LogisticRegression

    similarity, same, weight = (
        np.concatenate([getattr(kind, name) for kind in kinds])
        for name in ("similarity", "same", "weight")
    )
    columns = zip(*(kind.covariates.select(..., kind.same.shape) for kind in kinds), strict=True)
    covariates = Covariates(*map(np.concatenate, columns))
    length, texts, norm = np.log10(np.maximum(np.stack(covariates[:3]), 1))
    rows = (length, texts, np.asarray(covariates.self_similarity), norm)
    least, typical, most = zip(*(_range(row, weight) for row in rows), strict=True)
    fading = None if stated else _fading(covariates, weight)
    empty = Fusion(names, (), (), (0.0,) * N_AMOUNTS, typical, least, most, fading)
    amounts = empty.amounts(covariates)
    table = np.column_stack([amounts, (2 * same - 1)])  # the class balances the half-way points
    middle = (
        LinearRegression(fit_intercept=False).fit(table, similarity, sample_weight=weight).coef_
    )[:, :-1]
    apart, counting = similarity - amounts @ middle.T, empty.counting(covariates)
    columns, scale = _design(amounts, apart, counting, weight)
    regression = LogisticRegression(C=1e4, fit_intercept=False, max_iter=2000).fit(
        columns, same, sample_weight=weight * len(same) / len(kinds)
    )
    fusion = replace(empty, middle=_table(middle))
    return _with_coefficients(fusion, regression.coef_[0] / scale / _LN_10)


def fit_own(kind: LabelledPairs, fusion: Fusion) -> Fusion:
    """The fusion of one kind, with the half-way points of all kinds: its standardised coefficients
    are drawn towards theirs."""
    from scipy.optimize import minimize
    from scipy.special import expit

    amounts = fusion.amounts(kind.covariates)
    apart = kind.similarity - amounts @ np.array(fusion.middle).T
    counting = fusion.counting(kind.covariates)
    columns, scale = _design(amounts, apart, counting, kind.weight)
    common = np.append(np.ravel(fusion.weight), fusion.rest) * scale
    sign, weight = np.where(kind.same, _LN_10, -_LN_10), kind.weight * len(kind.same)
    strength = np.tile(_STRENGTH, len(fusion.names) + 1)

    def loss(coefficients: Floats) -> tuple[float, Floats]:
        margin, apart = sign * (columns @ coefficients), coefficients - common
        cost = (weight * np.logaddexp(0, -margin)).sum() + strength * apart @ apart
        slope = columns.T @ (-weight * sign * expit(-margin)) + 2 * strength * apart
        return float(cost), slope

    return _with_coefficients(fusion, minimize(loss, common, jac=True).x / scale)


def _fading(covariates: Covariates, weight: Floats) -> tuple[float, float, float, float]:
    """The numbers of `Fusion.fading`, for pairs of one kind each."""
    from scipy.optimize import nnls

    columns = np.column_stack([np.ones(len(weight)), 1 / np.asarray(covariates.length)])
    squares, numbers = np.square(np.asarray(covariates.apart)), np.array([1.0, 1.0])
    for _ in range(_ROUNDS):  # the deviation of each square is as large as what is expected of it
        scale = np.sqrt(weight) / (columns @ numbers)
        numbers = nnls(columns * scale[:, None], squares * scale)[0]
    times = np.sqrt(squares / (columns @ numbers))
    begin, end = np.quantile(times, _FADING, weights=weight, method="inverted_cdf").tolist()
    return float(numbers[0]), float(numbers[1]), begin, end


def _design(
    amounts: Floats, apart: Floats, counting: Floats, weight: Floats
) -> tuple[Floats, Floats]:
    """The columns of a regression, standardised, and the scale of each: every product of a term's
    distance from its half-way point with an amount, then the amounts, as far as they count."""
    products = (apart[:, :, None] * amounts[:, None, :]).reshape(len(apart), -1)
    columns = counting[:, None] * np.concatenate([products, amounts], axis=1)
    scale = np.sqrt(np.average(np.square(columns), axis=0, weights=weight))
    scale[scale == 0] = 1  # an amount that is the same in all pairs
    return columns / scale, scale


def _with_coefficients(fusion: Fusion, coefficients: Floats) -> Fusion:
    *weights, rest = coefficients.reshape(len(fusion.names) + 1, -1)
    return replace(fusion, weight=_table(weights), rest=tuple(rest.tolist()))


def fit_line(groups: Iterable[tuple[float, Sequence[Judged]]]) -> Calibration:
    """A calibration without bounds for several groups of kinds. Each group has a share, and its
    kinds weigh the same. The slope has a trend with the length of the pairs: coefficients fit short
    texts less well than it seems where they were fitted."""
    from scipy.optimize import minimize

    rows = [
        (values, kind.same, share * kind.weight / len(group), np.asarray(kind.covariates.length))
        for share, group in groups
        for values, kind in group
    ]
    values, same, weight, length = (np.concatenate(column) for column in zip(*rows, strict=True))
    trend = Trend(0.0, 0.0, *_range(np.log10(length), weight))
    sign, decades = np.where(same, _LN_10, -_LN_10), trend.decades(length)

    def loss(line: Floats) -> float:
        margin = sign * ((line[0] + line[1] * decades) * values + line[2])
        return float((weight * np.logaddexp(0, -margin)).sum())

    slope, change, intercept = minimize(loss, np.array([1.0, 0.0, 0.0]), method="Nelder-Mead").x
    slope = max(float(slope), _LEAST_SLOPE)
    steepest = [(slope - _LEAST_SLOPE) / max(abs(end), 1e-9) for end in _ends(trend)]
    change = float(np.clip(change, -steepest[1], steepest[0]))
    by_length = replace(trend, slope=change)
    return Calibration(slope, float(intercept), -np.inf, np.inf, by_length=by_length)


def halves(kind: LabelledPairs) -> tuple[Booleans, Booleans]:
    """Two halves of the pairs; both have as many pairs by one author as by two."""
    half = np.arange(len(kind.same)) % 4 < 2
    return half, ~half


def fit_halves(kind: LabelledPairs, fusion: Fusion) -> tuple[Fusion, Fusion]:
    """For each half of the pairs the fusion of the kind that was fitted on the other half."""
    one, other = halves(kind)
    return fit_own(kind.select(other), fusion), fit_own(kind.select(one), fusion)


def calibrate_kinds(
    kinds: Mapping[str, LabelledPairs], fusion: Fusion
) -> dict[str, tuple[Fusion, Calibration]]:
    """The fusion and the calibration of each kind. Calibrations rest on pairs that had no part in
    the coefficients: each half is judged by what was fitted on the other."""
    crossed = {}
    for name, kind in kinds.items():
        values = np.empty(len(kind.same))
        for judged, own in zip(halves(kind), fit_halves(kind, fusion), strict=True):
            values[judged] = fuse(kind.select(judged), own)
        crossed[name] = values, kind
    line = fit_line([(1.0, [*crossed.values()])])
    return {
        name: (fit_own(kinds[name], fusion), _bounded(line, [own])) for name, own in crossed.items()
    }


def mixed_near(
    measured: Mapping[str, Measured], names: Sequence[str], stated: Fusion, rest: Fusion
) -> list[Judged]:
    """Pairs of known kinds that are not stated, judged by the mixture: each half of the pairs with
    the fusions of kinds that were fitted on the other half."""
    own = {name: fit_halves(kind.stated, stated) for name, kind in measured.items()}
    judged = []
    for kind in measured.values():
        pairs, common = kind.unstated, kind.common()
        values = np.empty(len(pairs.same))
        for number, half in enumerate(halves(pairs)):
            mixture = mix([own[name][number] for name in names], common[half], rest)
            values[half] = fuse(pairs.select(half), mixture)
        judged.append((values, pairs))
    return judged


def known_fusions(
    fusions: Mapping[str, Fusion], names: Sequence[str], left_out: Iterable[Collection[str]]
) -> dict[str, list[Fusion]]:
    """For each kind that a network left out, the fusions of the kinds that this network knows, in
    the order of `names`."""
    return {
        name: [fusions[other] for other in names if other not in never_seen]
        for never_seen in left_out
        for name in never_seen
    }


def mixed_far(
    measured: Mapping[str, Measured], known: Mapping[str, Sequence[Fusion]], rest: Fusion
) -> list[Judged]:
    """Pairs of never-seen kinds, judged by the mixture. `known` has the fusions of the kinds that
    the network knows which has never seen the kind."""
    return [
        (fuse(kind.unstated, mix(known[name], kind.common(), rest)), kind.unstated)
        for name, kind in measured.items()
    ]


def calibrate_groups(
    groups: Sequence[tuple[float, Sequence[Judged]]], judged: Sequence[Judged]
) -> Calibration:
    """A calibration for several kinds, given by their pairs and the sum of the views for each. Each
    group of kinds has a share, and its kinds weigh the same. The kinds in `judged` say what is
    reliable and how large a ratio may be: one that most of them bear out, since the kind of the
    texts at hand may be any."""
    line = fit_line(groups)
    alone = [_bounded(line, [own]) for own in judged]
    return replace(
        _bounded(line, judged),
        lowest=float(np.quantile([own.lowest for own in alone], _BORNE_OUT)),
        highest=float(np.quantile([own.highest for own in alone], 1 - _BORNE_OUT)),
    )


def _bounded(line: Calibration, kinds: Sequence[Judged]) -> Calibration:
    """A line with the bounds that the pairs of all these kinds together support."""
    from lir.algorithms.bayeserror import elub

    values = np.concatenate([line.line(values, kind.covariates) for values, kind in kinds])
    same = np.concatenate([kind.same for _, kind in kinds])
    stretches = np.concatenate([np.asarray(kind.covariates.stretches) for _, kind in kinds])
    lowest, highest = elub(values.copy(), same.astype(int))
    sure_same, sure_different = reliable_limits([(values, same, stretches)])
    return replace(
        line,
        lowest=min(float(lowest), 0.0),
        highest=max(float(highest), 0.0),
        sure_same=sure_same,
        sure_different=sure_different,
    )


def _ends(trend: Trend) -> tuple[float, float]:
    """How far the least and the largest covariate are from the typical one."""
    return trend.least - trend.typical, trend.most - trend.typical


def _range(values: npt.ArrayLike, weight: Floats) -> list[float]:
    """The quantiles _RANGE of an amount over the pairs where it is known."""
    known = ~np.isnan(np.asarray(values))
    chosen, own = np.asarray(values)[known], weight[known]
    return np.quantile(chosen, _RANGE, weights=own, method="inverted_cdf").tolist()


def _table(rows: Iterable[Floats]) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(row.tolist()) for row in rows)
