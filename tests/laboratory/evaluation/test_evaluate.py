"""Measures against scikit-learn, lir and values worked out by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lir.data.models import LLRData
from lir.metrics import cllr as lir_cllr
from sklearn.metrics import roc_auc_score

from adhominem.errors import InputError
from adhominem.laboratory.evaluation.answers import Answers, collect
from adhominem.laboratory.evaluation.evaluate import evaluate
from adhominem.laboratory.evaluation.measures import auc, cllr, error_rate
from adhominem.laboratory.report import evaluation_table
from adhominem.records import Pair


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 10), st.booleans()), min_size=2, max_size=40))
def test_auc_is_scikit_learns(rows: list[tuple[int, bool]]) -> None:
    score = np.array([s / 10 for s, _ in rows])
    same = np.array([a for _, a in rows])
    if same.all() or not same.any():
        assert np.isnan(auc(score, same))
    else:
        assert auc(score, same) == pytest.approx(roc_auc_score(same, score))


@pytest.mark.parametrize("seed", range(3))
def test_cllr_is_lirs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    llr, same = rng.normal(size=50), rng.random(50) < 0.5
    data = LLRData(features=llr.reshape(-1, 1), labels=same.astype(int))
    assert cllr(llr, same) == pytest.approx(lir_cllr(data))


def test_cllr_of_saying_nothing_is_one() -> None:
    assert cllr(np.zeros(4), np.array([True, False, True, False])) == pytest.approx(1.0)


def test_error_by_hand() -> None:
    score = np.array([0.9, 0.4, 0.5, 0.1])
    same = np.array([True, True, True, False])
    assert error_rate(score, same) == pytest.approx((0 + 1 + 0.5 + 0) / 4)


def test_report_by_hand() -> None:
    answers = Answers(
        ids=np.array(["p", "q", "r", "s"], dtype=object),
        authors=np.array([["A", "A"], ["B", "B"], ["A", "B"], ["B", "A"]], dtype=object),
        tokens=np.array([90, 120, 130, 140]),
        score=np.array([0.9, 0.2, 0.7, 0.05]),
        llr=np.array([1.0, -0.6, 0.4, -1.3]),
        reliable=np.array([True, False, True, True]),
        undecided=np.zeros(4, dtype=bool),
        same_author=np.array([True, True, False, False]),
        same_topic=np.array([True, False, True, False]),
    )
    report = evaluate(answers)
    assert report["error"] == 0.5
    assert report["auc"] == 0.75
    assert report["high_reliability"] == {"share": 0.75, "error": pytest.approx(1 / 3)}
    assert report["hard_half"] == {"pairs": 2, "error": 1.0, "auc": 0.0}
    assert [cell["error"] for cell in report["cells"].values()] == [0.0, 1.0, 1.0, 0.0]
    table = evaluation_table(report)
    assert "| a=1, c=0 | 1 | 100.00 | 0.00 | - |" in table
    assert "AUC 0.750" in table


def test_unlabelled_pairs_are_refused() -> None:
    with pytest.raises(InputError, match="1 of 1 test pairs have no same_author"):
        collect([Pair((), ())], [])
