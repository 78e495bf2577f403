"""Calibration against lir, and what must hold for any data."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lir.algorithms.bayeserror import elub
from lir.algorithms.logistic_regression import LogitCalibrator

from adhominem.calibration import Calibration, score_of
from adhominem.errors import InputError


def draws(seed: int, n: int = 400, gap: float = 1.5) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    same = rng.random(n) < 0.5
    return rng.normal(np.where(same, gap, 0.0), 1.0), same


@pytest.mark.parametrize("seed", range(3))
def test_is_what_lir_says(seed: int) -> None:
    x, y = draws(seed)
    ours = Calibration.fit(x, y)
    theirs = LogitCalibrator(C=1e6).fit(x, y.astype(int)).transform(x)
    lowest, highest = elub(theirs.copy(), y.astype(int))
    np.testing.assert_allclose(ours.llr(x), np.clip(theirs, lowest, highest), atol=1e-9)


def test_recovers_the_true_likelihood_ratio() -> None:
    """For two normal distributions of variance 1, a gap apart, ln LR = gap * (x - gap / 2)."""
    x, y = draws(0, n=200_000)
    ours = Calibration.fit(x, y)
    assert ours.slope * np.log(10) == pytest.approx(1.5, rel=0.02)
    assert ours.neutral == pytest.approx(0.75, abs=0.02)


def test_classes_of_different_size_do_not_move_the_neutral_point() -> None:
    x, y = draws(1, n=100_000)
    rare = ~y | (np.arange(len(y)) % 10 == 0)
    assert Calibration.fit(x[rare], y[rare]).neutral == pytest.approx(
        Calibration.fit(x, y).neutral, abs=0.05
    )


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30))
def test_llr_rises_with_similarity_and_stays_bounded(similarities: list[float]) -> None:
    calibration = Calibration(slope=0.8, intercept=0.1, lowest=-2.0, highest=1.5)
    llr = calibration.llr(np.sort(similarities))
    assert (np.diff(llr) >= 0).all()
    assert llr.min() >= -2.0
    assert llr.max() <= 1.5


def test_useless_similarity_says_nothing() -> None:
    rng = np.random.default_rng(0)
    calibration = Calibration.fit(rng.normal(size=500), rng.random(500) < 0.5)
    assert np.abs(calibration.llr(rng.normal(size=100))).max() < 0.2


def test_missing_similarities_are_left_out() -> None:
    x, y = draws(2)
    with_gaps = np.concatenate([x, [np.nan, np.nan]])
    labels = np.concatenate([y, [True, False]])
    assert Calibration.fit(with_gaps, labels) == Calibration.fit(x, y)
    assert np.isnan(Calibration.fit(x, y).llr([np.nan])[0])


def test_one_class_alone_is_refused() -> None:
    with pytest.raises(InputError, match="3 same-author and 0 different-author"):
        Calibration.fit([1.0, 2.0, 3.0], [True, True, True])


def test_score_of() -> None:
    assert score_of(0.0) == 0.5
    assert score_of(1.0) == pytest.approx(10 / 11)
    assert score_of(-1.0) == pytest.approx(1 / 11)


@pytest.mark.parametrize("seed", range(4))
def test_beyond_the_sure_similarities_few_were_wrong(seed: int) -> None:
    rng = np.random.default_rng(seed)
    same = rng.random(3000) < 0.5
    similarity = rng.normal(np.where(same, 1.0, -1.0), 1.0).round(2)
    calibration = Calibration.fit(similarity, same)
    assert calibration.sure_same is not None and calibration.sure_different is not None
    assert calibration.sure_different < calibration.neutral < calibration.sure_same
    for sure, right in (
        (similarity >= calibration.sure_same, same),
        (similarity <= calibration.sure_different, ~same),
    ):
        assert np.sum(sure & ~right) + 1 <= 0.01 * (sure.sum() + 1)
    # The next similarity would let too many errors in.
    lower = similarity[similarity < calibration.sure_same].max()
    wider = similarity >= lower
    assert np.sum(wider & ~same) + 1 > 0.01 * (wider.sum() + 1)


def test_nothing_is_sure_with_few_pairs_or_without_skill() -> None:
    same = np.arange(80) % 2 == 0
    few = Calibration.fit(np.where(same, 1.0, 0.0) + np.arange(80) / 1000, same)
    assert few.sure_same is None and few.sure_different is None
    assert not few.is_sure(99.0)
    rng = np.random.default_rng(0)
    same = rng.random(2000) < 0.5
    blind = Calibration.fit(rng.normal(size=2000), same)
    assert blind.sure_same is None and blind.sure_different is None
