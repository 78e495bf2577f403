"""Calibration against lir, and what must hold for any data."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lir.algorithms.bayeserror import elub
from lir.algorithms.logistic_regression import LogitCalibrator
from scipy.stats import binom, norm

from adhominem.errors import InputError
from adhominem.instrument.evidence.calibration import Calibration, Covariates, harmonic_mean
from adhominem.instrument.evidence.decision import score_of
from adhominem.instrument.model_schema import record_from
from adhominem.laboratory.calibration.fit import MOST_WRONG, fit_calibration, reliable_limits


def draws(seed: int, n: int = 400, gap: float = 1.5) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    same = rng.random(n) < 0.5
    return rng.normal(np.where(same, gap, 0.0), 1.0), same


@pytest.mark.parametrize("seed", range(3))
def test_is_what_lir_says(seed: int) -> None:
    x, y = draws(seed)
    ours = fit_calibration(x, y)
    theirs = LogitCalibrator(C=1e6).fit(x, y.astype(int)).transform(x)
    lowest, highest = elub(theirs.copy(), y.astype(int))
    np.testing.assert_allclose(ours.llr(x), np.clip(theirs, lowest, highest), atol=1e-9)


def test_recovers_the_true_likelihood_ratio() -> None:
    """For two normal distributions of variance 1, a gap apart, ln LR = gap * (x - gap / 2)."""
    x, y = draws(0, n=200_000)
    ours = fit_calibration(x, y)
    assert ours.slope * np.log(10) == pytest.approx(1.5, rel=0.02)
    assert ours.neutral == pytest.approx(0.75, abs=0.02)


def test_classes_of_different_size_do_not_move_the_neutral_point() -> None:
    x, y = draws(1, n=100_000)
    rare = ~y | (np.arange(len(y)) % 10 == 0)
    assert fit_calibration(x[rare], y[rare]).neutral == pytest.approx(
        fit_calibration(x, y).neutral, abs=0.05
    )


@settings(max_examples=50)
@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30))
def test_llr_rises_with_similarity_and_stays_bounded(similarities: list[float]) -> None:
    calibration = Calibration(slope=0.8, intercept=0.1, lowest=-2.0, highest=1.5)
    llr = calibration.llr(np.sort(similarities))
    assert (np.diff(llr) >= 0).all()
    assert llr.min() >= -2.0
    assert llr.max() <= 1.5


def test_useless_similarity_says_nothing() -> None:
    rng = np.random.default_rng(0)
    calibration = fit_calibration(rng.normal(size=500), rng.random(500) < 0.5)
    assert np.abs(calibration.llr(rng.normal(size=100))).max() < 0.2


def test_missing_similarities_are_left_out() -> None:
    x, y = draws(2)
    with_gaps = np.concatenate([x, [np.nan, np.nan]])
    labels = np.concatenate([y, [True, False]])
    assert fit_calibration(with_gaps, labels) == fit_calibration(x, y)
    assert np.isnan(fit_calibration(x, y).llr([np.nan])[0])


def test_one_class_alone_is_refused() -> None:
    with pytest.raises(InputError, match="3 same-author and 0 different-author"):
        fit_calibration([1.0, 2.0, 3.0], [True, True, True])


def test_score_of() -> None:
    assert score_of(0.0) == 0.5
    assert score_of(1.0) == pytest.approx(10 / 11)
    assert score_of(-1.0) == pytest.approx(1 / 11)


@pytest.mark.parametrize("seed", range(4))
def test_beyond_the_sure_similarities_few_were_wrong(seed: int) -> None:
    rng = np.random.default_rng(seed)
    same = rng.random(30_000) < 0.5
    similarity = rng.normal(np.where(same, 1.5, -1.5), 1.0).round(2)
    calibration = fit_calibration(similarity, same)
    assert calibration.sure_same is not None and calibration.sure_different is not None
    assert calibration.sure_different < 0 < calibration.sure_same
    line = calibration.line(similarity)
    for sure, right in (
        (line >= calibration.sure_same, same),
        (line <= calibration.sure_different, ~same),
    ):
        # So few errors would be seen in one of forty such tests if more were wrong.
        assert binom.cdf(np.sum(sure & ~right), sure.sum(), MOST_WRONG) <= 0.025
        assert sure.mean() > 0.2


def test_choosing_among_many_limits_keeps_the_confidence() -> None:
    """The true error beyond the chosen value is too large in at most one of forty trials."""
    rng = np.random.default_rng(0)
    limits = []
    for _ in range(300):
        same = rng.random(3000) < 0.5
        values = rng.normal(np.where(same, 1.3, -1.3), 1.0)
        limit, _ = reliable_limits([(values, same, np.full(3000, 2.0))])
        if limit is not None:
            limits.append(limit)
    wrong, right = norm.sf(limits, -1.3, 1.0), norm.sf(limits, 1.3, 1.0)
    assert len(limits) > 20
    assert np.sum(wrong / (wrong + right) > MOST_WRONG) <= binom.ppf(0.999, 300, 0.025)


def test_what_is_sure_is_sure_of_single_texts() -> None:
    """Single texts are harder: their limits count, however many pairs of more texts there are."""
    rng = np.random.default_rng(2)
    same = rng.random(12000) < 0.5
    single = np.arange(12000) % 3 == 0
    values = rng.normal(np.where(same, 1, -1) * np.where(single, 1.5, 4.0), 1.0)
    stretches = np.where(single, 1.0, 2.0)
    limits = reliable_limits([(values, same, stretches)])
    alone = reliable_limits([(values[single], same[single], stretches[single])])
    ignored = reliable_limits([(values, same, np.full(12000, 2.0))])
    assert None not in (*limits, *alone, *ignored)
    assert limits == alone
    assert limits[0] > ignored[0] + 0.3 and limits[1] < ignored[1] - 0.3  # type: ignore[operator]


def test_nothing_is_sure_with_few_pairs_or_without_skill() -> None:
    same = np.arange(80) % 2 == 0
    few = fit_calibration(np.where(same, 1.0, 0.0) + np.arange(80) / 1000, same)
    assert few.sure_same is None and few.sure_different is None
    assert not few.is_sure(99.0)
    rng = np.random.default_rng(0)
    same = rng.random(2000) < 0.5
    blind = fit_calibration(rng.normal(size=2000), same)
    assert blind.sure_same is None and blind.sure_different is None


def draws_by_length(seed: int, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Longer texts are more alike whoever wrote them, and tell more: between two normal
    distributions of variance 1 the gap is l and the mean 2 l, l the log10 of the length."""
    rng = np.random.default_rng(seed)
    same = rng.random(n) < 0.5
    logs = rng.uniform(1.5, 3.0, n)
    return rng.normal(2 * logs + np.where(same, logs / 2, -logs / 2), 1.0), same, 10**logs


def test_recovers_the_true_likelihood_ratio_at_every_length() -> None:
    """There ln LR = l (x - 2 l), which is no straight line in l: near enough in the middle."""
    x, y, length = draws_by_length(0, 100_000)
    by_length = fit_calibration(x, y, Covariates(length))
    assert by_length.by_length is not None
    logs = np.log10(length)
    truth = logs * (x - 2 * logs) / np.log(10)
    middle = (logs > 1.8) & (logs < 2.7) & (np.abs(truth) < 1)
    assert np.abs(by_length.line(x, Covariates(length)) - truth)[middle].max() < 0.2
    plain = fit_calibration(x, y)
    assert np.abs(plain.line(x) - truth)[middle].mean() > 0.3


def test_by_length_rises_with_similarity_and_stops_at_the_ends() -> None:
    x, y, length = draws_by_length(1, 5000)
    calibration = fit_calibration(x, y, Covariates(length))
    assert calibration.by_length is not None
    for tokens in (1, 30, 100, 1000, 10**6):
        line = calibration.line(np.linspace(-9, 9, 50), Covariates(tokens))
        assert (np.diff(line) > 0).all()
    ends = 10**calibration.by_length.least, 10**calibration.by_length.most
    for beyond, end in ((1, ends[0]), (10**6, ends[1])):
        assert calibration.line(0.3, Covariates(beyond)) == pytest.approx(
            calibration.line(0.3, Covariates(end))
        )


def test_at_the_neutral_similarity_the_ratio_is_one() -> None:
    calibration = Calibration(slope=2.0, intercept=-3.0, lowest=-2.0, highest=2.0)
    assert calibration.neutral == 1.5
    assert calibration.llr(calibration.neutral) == 0


def test_similarity_at_is_the_inverse_of_the_line() -> None:
    x, y, length = draws_by_length(2, 3000)
    for calibration in (fit_calibration(x, y), fit_calibration(x, y, Covariates(length))):
        for value in (-1.0, 0.0, 2.0):
            similarity = calibration.similarity_at(value, Covariates(120))
            assert similarity is not None
            assert calibration.line(similarity, Covariates(120)) == pytest.approx(value)
        assert calibration.similarity_at(None, Covariates(120)) is None


def test_few_pairs_or_one_length_make_a_plain_line() -> None:
    x, y, length = draws_by_length(3, 900)
    assert fit_calibration(x, y, Covariates(length)) == fit_calibration(x, y)
    x, y, length = draws_by_length(3, 3000)
    assert fit_calibration(x, y, Covariates(np.full(len(x), 200.0))).by_length is None


def test_the_numbers_survive_json() -> None:
    x, y, length = draws_by_length(4, 2000)
    for calibration in (fit_calibration(x, y), fit_calibration(x, y, Covariates(length))):
        assert (
            record_from(Calibration, json.loads(json.dumps(calibration.to_dict()))) == calibration
        )


@settings(max_examples=50)
@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_together_lies_between_the_shorter_and_its_double(left: int, right: int) -> None:
    shorter = max(min(left, right), 1)
    assert shorter <= harmonic_mean(left, right) * (1 + 1e-12)
    assert harmonic_mean(left, right) <= 2 * shorter
    assert harmonic_mean(left, right) == harmonic_mean(right, left)


def test_several_texts_change_the_line_as_well() -> None:
    """With k texts on a side distances shrink, whoever wrote them, and the gap widens."""
    rng = np.random.default_rng(5)
    same = rng.random(20_000) < 0.5
    k = rng.choice([1, 2, 4, 8], len(same)).astype(float)
    gap = 1 + np.log10(k)
    x = rng.normal(2 * np.log10(k) + np.where(same, gap / 2, -gap / 2), 1.0)
    calibration = fit_calibration(x, same, Covariates(np.full(len(x), 200.0), k))
    assert calibration.by_length is None
    assert calibration.by_stretches is not None
    for number in (1, 4, 8):
        neutral = calibration.similarity_at(0.0, Covariates(200, number))
        assert neutral == pytest.approx(2 * np.log10(number), abs=0.15)
        slope = calibration.line(1.0, Covariates(200, number)) - calibration.line(
            0.0, Covariates(200, number)
        )
        assert slope * np.log(10) == pytest.approx(1 + np.log10(number), rel=0.2)


def test_marked_styles_move_the_line_but_do_not_turn_it() -> None:
    rng = np.random.default_rng(6)
    same = rng.random(20_000) < 0.5
    norm = 10 ** rng.uniform(0.3, 0.9, len(same))
    x = rng.normal(np.where(same, 1.0, -1.0), 1.0) - 2 * np.log10(norm)
    calibration = fit_calibration(x, same, Covariates(norm=norm))
    assert calibration.by_norm is not None and calibration.by_norm.slope == 0
    for value in (2.5, 4.0, 7.0):
        neutral = calibration.similarity_at(0.0, Covariates(norm=value))
        assert neutral == pytest.approx(-2 * np.log10(value), abs=0.05)
