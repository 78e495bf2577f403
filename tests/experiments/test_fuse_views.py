"""The fusion of views: what it must find in made-up pairs."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from fuse_views import (
    Judged,
    calibrate_groups,
    calibrate_kinds,
    fit_fusion,
    fit_line,
    fit_own,
    fuse,
    halves,
    mixed_far,
    mixed_near,
)
from measure_pairs import Measured

from adhominem.arrays import Floats
from adhominem.instrument.evidence.calibration import Covariates
from adhominem.instrument.evidence.fusion import Fusion
from adhominem.laboratory.calibration.fit import LabelledPairs
from adhominem.laboratory.evaluation.measures import auc, cllr

NAMES = ("good", "fair", "noise")


def made_up(seed: int, *, n: int = 3000, shift: float = 0.0) -> LabelledPairs:
    """Pairs of a kind: two views that tell authors apart, better in longer texts, and noise."""
    rng = np.random.default_rng(seed)
    same = rng.random(n) < 0.5
    length = 10 ** rng.uniform(1.4, 3.2, n)
    strength = 0.4 + 0.6 * (np.log10(length) - 1.4)
    centre = np.where(same, 1.0, -1.0) * strength
    columns = [
        rng.normal(centre, 1.0) + shift,
        rng.normal(0.5 * centre, 1.0),
        rng.normal(0.0, 1.0, n),
    ]
    likeness, apart = rng.uniform(0, 1, n), np.zeros(n)
    covariates = Covariates(length, 10 ** rng.uniform(0, 1, n), np.ones(n), likeness, apart)
    return LabelledPairs(np.stack(columns, axis=1), same, covariates)


def test_views_are_weighed_by_what_they_know() -> None:
    fusion = fit_fusion([made_up(0), made_up(1)], NAMES)
    good, fair, noise = fusion.weights(Covariates(10**2.3, 3))
    assert good > fair > noise
    assert noise < 0.1 * good
    assert fusion.weights(Covariates(1000, 3))[0] > fusion.weights(Covariates(40, 3))[0]
    new = made_up(2)
    values = fuse(new, fusion)
    assert auc(values, new.same) > auc(new.similarity[:, 0], new.same)
    assert cllr(values, new.same) < 0.75


def test_kinds_weigh_the_same_however_many_pairs_they_have() -> None:
    one = fit_fusion([made_up(0, n=4000), made_up(1, n=4000, shift=1.0)], NAMES)
    other = fit_fusion([made_up(0, n=4000), made_up(1, n=1000, shift=1.0)], NAMES)
    assert other.middle[0][0] == pytest.approx(one.middle[0][0], abs=0.15)


def test_a_kind_gets_a_sum_of_its_own() -> None:
    fusion = fit_fusion([made_up(0), made_up(1)], NAMES)
    shifted = made_up(3, shift=0.8)
    before = fuse(shifted, fusion)
    own, calibration = calibrate_kinds({"mail": shifted}, fusion)["mail"]
    assert cllr(fuse(shifted, own), shifted.same) < cllr(before, shifted.same)
    assert calibration.slope == pytest.approx(1, abs=0.1)
    assert calibration.intercept == pytest.approx(0, abs=0.1)
    assert own.middle == fusion.middle and own.rest[0] < fusion.rest[0]
    assert calibration.lowest < 0 < calibration.highest


def test_coefficients_of_a_kind_have_the_lowest_cost() -> None:
    """Log-loss in pairs, and squared distances of the standardised coefficients from those of all
    kinds: a slow sum, of which every step away costs more."""
    fusion = fit_fusion([made_up(0), made_up(1)], NAMES)
    pairs, others = made_up(4, n=600), np.random.default_rng(1).permutation(600)
    columns = pairs.similarity[:, 0], pairs.similarity[others, 1], pairs.similarity[:, 2]
    silent = replace(pairs, similarity=np.stack(columns, axis=1))  # the second says nothing
    amounts = fusion.amounts(silent.covariates)
    apart = silent.similarity - amounts @ np.array(fusion.middle).T

    def cost(table: Floats) -> float:
        total = 0.0
        for i, is_same in enumerate(silent.same):
            llr = sum(
                (amounts[i] @ row) * (1.0 if term == 3 else apart[i, term])
                for term, row in enumerate(table)
            )
            odds = 10 ** (-llr if is_same else llr)
            total += silent.weight[i] * len(silent.same) * np.log(1 + odds)
        for term, row in enumerate(table):
            value = 1.0 if term == 3 else apart[:, term]
            scale = np.sqrt(np.average((amounts.T * value) ** 2, axis=1, weights=silent.weight))
            moved = (row - common[term]) * np.where(scale, scale, 1)
            total += (np.array([30, 300, 300, 300, 300, 900]) * moved**2).sum()
        return float(total)

    common = np.array([*fusion.weight, fusion.rest])
    own = fit_own(silent, fusion)
    best = np.array([*own.weight, own.rest])
    assert best[1, 0] < 0.5 * common[1, 0] < common[0, 0]
    least = cost(best)
    for term, amount, step in product(range(4), range(6), (-0.2, 0.2)):
        moved = best.copy()
        moved[term, amount] += step
        assert cost(moved) > least


def test_a_kind_with_few_pairs_is_judged_as_all_kinds_are() -> None:
    fusion = fit_fusion([made_up(0), made_up(1)], NAMES)
    few = fit_own(made_up(4).select(np.arange(6)), fusion)
    assert np.ravel(few.weight) == pytest.approx(np.ravel(fusion.weight), abs=0.15)


def judged(kinds: list[LabelledPairs], fusion: Fusion) -> list[Judged]:
    return [(fuse(kind, fusion), kind) for kind in kinds]


def test_groups_have_shares_and_bounds_are_those_of_the_judged() -> None:
    fusion = fit_fusion([made_up(0), made_up(1)], NAMES)
    known = judged([made_up(4), made_up(5)], fusion)
    unknown = judged([made_up(6, shift=1.5)], fusion)
    alone = calibrate_groups([(1.0, known)], known)
    little, both = (
        calibrate_groups([(1 - share, known), (share, unknown)], unknown) for share in (0.2, 0.5)
    )
    assert both.intercept < little.intercept < alone.intercept
    assert both.highest <= alone.highest + 0.5


def test_bounds_of_several_kinds_are_those_that_most_of_them_bear_out() -> None:
    """One kind in four may be worse than the bounds say."""
    fusion = fit_fusion([made_up(0), made_up(1)], NAMES)
    fair = [made_up(seed, n=600) for seed in range(4, 8)]
    bad = []
    for seed in range(9, 12):
        pairs, rng = made_up(seed, n=600), np.random.default_rng(seed)
        bad.append(replace(pairs, same=pairs.same ^ (rng.random(600) < 0.4)))  # wrong labels
    ends = []
    for kinds in (fair, [*fair, bad[0]], [*fair, *bad]):
        found = calibrate_groups([(1.0, judged(fair, fusion))], judged(kinds, fusion))
        assert found.lowest < 0 < found.highest
        ends.append(found.highest)
    assert min(ends[:2]) > 1.0 > 0.6 > ends[2]


def test_a_mixture_judges_each_half_of_a_kind_by_the_other() -> None:
    """Two kinds that are told apart for sure; what a half taught says nothing about itself."""
    rest = fit_fusion([made_up(0), made_up(1)], NAMES)
    bits = [[0.0, 9.0], [9.0, 0.0]]
    pairs = {"a": made_up(3, n=3000, shift=0.8), "b": made_up(4, n=3000, shift=-0.8)}
    measured = {
        name: Measured(own, own, np.tile(bits[i], (6000, 1)))
        for i, (name, own) in enumerate(pairs.items())
    }
    for kind, (values, own) in zip(
        pairs.values(), mixed_near(measured, ["a", "b"], rest, rest), strict=True
    ):
        assert own is kind
        for half, other in zip(halves(kind), reversed(halves(kind)), strict=True):
            taught = fit_own(kind.select(other), rest)
            assert values[half] == pytest.approx(fuse(kind.select(half), taught))
    whole = {name: fit_own(own, rest) for name, own in pairs.items()}
    [(values, _), _] = mixed_far(measured, {key: [*whole.values()] for key in pairs}, rest)
    assert values == pytest.approx(fuse(pairs["a"], whole["a"]))
    unsure = {"a": replace(measured["a"], surprise=np.zeros((6000, 2)))}
    [(values, _)] = mixed_far(unsure, {"a": [*whole.values()]}, rest)
    one, other = whole.values()
    weight = (np.array(one.weight) + np.array(other.weight)) / 2
    mean = replace(rest, weight=weight, rest=(np.array(one.rest) + np.array(other.rest)) / 2)
    expected = (fuse(pairs["a"], mean) + fuse(pairs["a"], rest)) / 2
    assert values == pytest.approx(expected)


def test_a_line_follows_the_length_of_the_pairs() -> None:
    """Sums of short texts that claim too much are taken back, those of long texts are not."""
    fusion = fit_fusion([made_up(0), made_up(1)], NAMES)
    pairs = made_up(2, n=6000)
    length = np.asarray(pairs.covariates.length)
    bold = fuse(pairs, fusion) * np.where(length < 10**2.3, 2.0, 1.0)
    line = fit_line([(1.0, [(bold, pairs)])])
    short, long = (
        float(line.line(1.0, Covariates(n)) - line.line(0.0, Covariates(n))) for n in (30, 900)
    )
    assert short < 0.7 < 0.8 < long
    assert cllr(line.line(bold, pairs.covariates), pairs.same) < cllr(bold, pairs.same)
    wrong = fit_line([(1.0, [(-bold, pairs)])])
    for n in (1, 1e6):
        assert wrong.line(1.0, Covariates(n)) > wrong.line(0.0, Covariates(n))
