"""Every measure against scikit-learn, lir, or a dozen answers worked out by hand."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lir.data.models import LLRData
from lir.metrics import cllr as lir_cllr
from lir.metrics import cllr_min as lir_cllr_min
from sklearn.metrics import brier_score_loss, f1_score, fbeta_score, roc_auc_score, roc_curve

from adhominem.laboratory.evaluation import measures
from adhominem.laboratory.evaluation.answers import Answers, llr_of
from adhominem.laboratory.evaluation.evaluate import evaluate
from adhominem.laboratory.evaluation.measures import MEASURES, Measure

LARGER_IS_BETTER = {"auc", "c_at_1", "f_05_u", "f_1", "pan_mean"}
PROPERTY = settings(max_examples=80)
# A dozen answers: seven pairs by one author, five by two; two are left open.
SCORE = np.array([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.2, 0.95, 0.55, 0.5, 0.3, 0.1])
SAME = np.array([True] * 7 + [False] * 5)


def random_answers(
    seed: int, n: int = 200
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    rng = np.random.default_rng(seed)
    same = rng.random(n) < 0.4
    score = np.clip(rng.normal(0.45 + 0.15 * same, 0.2), 0.01, 0.99).round(2)
    return score, same


def test_error_by_hand() -> None:
    """Wrong: 0.4, 0.2, 0.95, 0.55; open: two."""
    assert measures.error_rate(SCORE, SAME) == pytest.approx((4 + 2 * 0.5) / 12)
    assert np.isnan(measures.error_rate(SCORE[:0], SAME[:0]))


def test_c_at_1_by_hand() -> None:
    """Six right of twelve, and half a right one for each of the two open."""
    assert measures.c_at_1(SCORE, SAME) == pytest.approx((6 + 2 * 6 / 12) / 12)
    decided = SCORE != 0.5
    assert measures.c_at_1(SCORE[decided], SAME[decided]) == pytest.approx(6 / 10)


def test_f_1_by_hand() -> None:
    """Said one author: 0.9, 0.8, 0.7, 0.6 rightly, 0.95 and 0.55 wrongly; missed: 0.4, 0.2."""
    assert measures.f_1(SCORE, SAME) == pytest.approx(2 * 4 / (2 * 4 + 2 + 2))


def test_f_05_u_by_hand() -> None:
    """The two open answers count as missed."""
    assert measures.f_05_u(SCORE, SAME) == pytest.approx(1.25 * 4 / (1.25 * 4 + 0.25 * (2 + 2) + 2))


def test_brier_and_mean_by_hand() -> None:
    squares = [0.01, 0.04, 0.09, 0.16, 0.25, 0.36, 0.64, 0.9025, 0.3025, 0.25, 0.09, 0.01]
    assert measures.brier(SCORE, SAME) == pytest.approx(sum(squares) / 12)
    parts = [measures.auc, measures.c_at_1, measures.f_05_u, measures.f_1]
    mean = (sum(part(SCORE, SAME) for part in parts) + 1 - sum(squares) / 12) / 5
    assert measures.pan_mean(SCORE, SAME) == pytest.approx(mean)


def test_auc_by_hand() -> None:
    """Of 35 pairs of pairs: who wins, ties half."""
    wins = sum((s > d) + 0.5 * (s == d) for s in SCORE[SAME] for d in SCORE[~SAME])
    assert measures.auc(SCORE, SAME) == pytest.approx(wins / 35)


def test_ece_by_hand() -> None:
    score = np.array([0.05, 0.05, 0.95, 0.95])
    same = np.array([False, True, True, True])
    assert measures.ece(score, same) == pytest.approx((2 * 0.45 + 2 * 0.05) / 4)


@pytest.mark.parametrize("seed", range(6))
def test_measures_are_scikit_learns(seed: int) -> None:
    score, same = random_answers(seed)
    assert measures.auc(score, same) == pytest.approx(roc_auc_score(same, score))
    assert measures.brier(score, same) == pytest.approx(brier_score_loss(same, score))
    open_ = score == 0.5
    assert measures.f_1(score, same) == pytest.approx(f1_score(same[~open_], score[~open_] > 0.5))
    score[open_] = 0.51
    assert measures.f_05_u(score, same) == pytest.approx(fbeta_score(same, score > 0.5, beta=0.5))


@pytest.mark.parametrize("seed", range(6))
def test_roc_passes_through_scikit_learns_points(seed: int) -> None:
    score, same = random_answers(seed)
    false, true, _ = roc_curve(same, score, drop_intermediate=False)
    ours = measures.roc(score, same)
    np.testing.assert_allclose(ours[0], false)
    np.testing.assert_allclose(ours[1], true)


@pytest.mark.parametrize("seed", range(6))
def test_equal_error_rate_is_where_both_errors_meet(seed: int) -> None:
    score, same = random_answers(seed, 4000)
    rate = measures.equal_error_rate(score, same)
    false, true = measures.roc(score, same)
    assert np.interp(rate, false, 1 - true) == pytest.approx(rate, abs=1e-9)
    assert measures.equal_error_rate(1 - score, ~same) == pytest.approx(rate)


def test_equal_error_rate_at_the_ends() -> None:
    same = np.array([True, True, False, False])
    assert measures.equal_error_rate(np.array([0.9, 0.8, 0.2, 0.1]), same) == 0
    assert measures.equal_error_rate(np.array([0.1, 0.2, 0.8, 0.9]), same) == 1
    assert measures.equal_error_rate(np.full(4, 0.5), same) == pytest.approx(0.5)
    assert np.isnan(measures.equal_error_rate(np.array([0.1]), np.array([True])))


@pytest.mark.parametrize("seed", range(4))
def test_cllr_and_its_minimum_are_lirs(seed: int) -> None:
    score, same = random_answers(seed)
    llr = llr_of(score)
    data = LLRData(features=llr.reshape(-1, 1), labels=same.astype(int))
    assert measures.cllr(llr, same) == pytest.approx(lir_cllr(data))
    assert measures.cllr_min(llr, same) == pytest.approx(lir_cllr_min(data))


def test_cllr_of_saying_nothing_is_one_and_of_certainty_nothing() -> None:
    same = np.array([True, False, True, False])
    assert measures.cllr(np.zeros(4), same) == pytest.approx(1.0)
    assert measures.cllr(np.array([9.0, -9, 9, -9]), same) == pytest.approx(0, abs=1e-6)
    assert measures.cllr_min(np.array([9.0, -9, 9, -9]), same) == 0


@given(st.lists(st.tuples(st.integers(0, 20), st.booleans()), min_size=1, max_size=40))
@PROPERTY
def test_measures_stay_within_their_bounds(rows: list[tuple[int, bool]]) -> None:
    score = np.array([s / 20 for s, _ in rows])
    same = np.array([a for _, a in rows])
    for measure in (measures.error_rate, measures.c_at_1, measures.f_05_u, measures.f_1):
        assert 0 <= measure(score, same) <= 1
    assert 0 <= measures.ece(score, same) <= 1
    if same.all() or not same.any():
        assert np.isnan(measures.auc(score, same))
    else:
        assert measures.auc(score, same) == pytest.approx(roc_auc_score(same, score))
        assert measures.cllr_min(score, same) <= measures.cllr(llr_of(score), same) + 1e-9
        assert -1e-9 <= measures.cllr_min(score, same) <= 1 + 1e-9


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.name)
def test_skill_moves_every_measure_in_its_direction(
    measure: Measure, make_answers: Callable[..., Answers]
) -> None:
    weak, strong = (measure.of(make_answers(2000, skill=skill)) for skill in (0.05, 0.3))
    assert (strong > weak) == (measure.name in LARGER_IS_BETTER)


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.name)
def test_equal_weights_give_the_value_itself(
    measure: Measure, make_answers: Callable[..., Answers]
) -> None:
    answers = make_answers(200)
    if measure.weighted is not None:
        [value] = measure.drawn(answers, np.ones((1, len(answers))))
        assert value == pytest.approx(measure.of(answers))


def test_every_measure_is_reported_once(make_answers: Callable[..., Answers]) -> None:
    names = [measure.name for measure in MEASURES]
    assert len(set(names)) == len(names)
    report = evaluate(make_answers(), intervals=True)
    assert set(names) <= set(report)
    assert list(report["intervals"]) == [m.name for m in MEASURES if m.weighted]


def test_values_are_shown_in_their_unit() -> None:
    assert measures.ERROR.heading == "error %"
    assert measures.ERROR.show(0.1234) == "12.34"
    assert measures.AUC.heading == "AUC"
    assert measures.AUC.show(0.98765) == "0.988"
    assert measures.AUC.show(None) == measures.ERROR.show(None) == "-"
