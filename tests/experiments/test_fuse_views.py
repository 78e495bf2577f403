"""The fusion of views: what it must find in made-up pairs."""

from __future__ import annotations

import numpy as np
import pytest
from fuse_views import (
    calibrate_groups,
    calibrate_kind,
    fit_fusion,
    fuse,
)

from adhominem.instrument.evidence.calibration import Covariates
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
    covariates = Covariates(length, 10 ** rng.uniform(0, 1, n), np.ones(n), rng.uniform(0, 1, n))
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


def test_a_kind_gets_a_line_of_its_own() -> None:
    fusion = fit_fusion([made_up(0), made_up(1)], NAMES)
    shifted = made_up(3, shift=0.8)
    before = fuse(shifted, fusion)
    calibration = calibrate_kind(shifted, fusion)
    after = calibration.line(before)
    assert cllr(after, shifted.same) < cllr(before, shifted.same)
    assert calibration.intercept < 0
    assert calibration.lowest < 0 < calibration.highest


def test_groups_have_shares_and_bounds_are_those_of_the_judged() -> None:
    fusion = fit_fusion([made_up(0), made_up(1)], NAMES)
    known, unknown = [made_up(4), made_up(5)], [made_up(6, shift=1.5)]
    alone = calibrate_groups([(1.0, known)], fusion, known)
    little, both = (
        calibrate_groups([(1 - share, known), (share, unknown)], fusion, unknown)
        for share in (0.2, 0.5)
    )
    assert both.intercept < little.intercept < alone.intercept
    assert both.highest <= alone.highest + 0.5
