"""Resampled authors against slow loops, and against what is known in advance."""

from collections.abc import Callable

import numpy as np
import pytest

from adhominem.laboratory.evaluation import intervals, measures
from adhominem.laboratory.evaluation.answers import Answers

Make = Callable[..., Answers]


def repeat(answers: Answers, times: np.ndarray) -> Answers:
    """Each pair as often as it counts: the slow meaning of a weight."""
    return answers.select(np.repeat(np.arange(len(answers)), times))


def error_interval(answers: Answers, *, seed: int = 0) -> dict[str, float]:
    return intervals.interval(intervals.resample({"m": answers}, seed=seed)["m"]["error"])


def compare(one: Answers, other: Answers) -> tuple[dict[str, float], float]:
    """The difference in error of two methods with its interval and p."""
    drawn = intervals.resample({"one": one, "other": other})
    difference = drawn["one"]["error"] - drawn["other"]["error"]
    return intervals.interval(difference), intervals.exchange_p(one, other)


@pytest.mark.parametrize("seed", range(3))
def test_weights_mean_that_a_pair_counts_so_often(make_answers: Make, seed: int) -> None:
    answers = make_answers(120, seed=seed)
    times = np.random.default_rng(seed).integers(0, 4, (5, 120))
    for row, error, auc, cllr in zip(
        times,
        measures.ERROR.drawn(answers, times.astype(float)),
        measures.AUC.drawn(answers, times.astype(float)),
        measures.CLLR.drawn(answers, times.astype(float)),
        strict=True,
    ):
        drawn = repeat(answers, row)
        assert error == pytest.approx(measures.error_rate(drawn.score, drawn.same_author))
        assert auc == pytest.approx(measures.auc(drawn.score, drawn.same_author))
        assert cllr == pytest.approx(measures.cllr(drawn.llr, drawn.same_author))


def test_a_pair_counts_as_its_authors_were_drawn(make_answers: Make) -> None:
    answers = make_answers(200)
    _, weights, *_ = intervals.draw_weights(answers.authors, seed=1)
    numbers = intervals._number_authors(answers.authors)
    for row in weights[:5]:
        # The draw of an author can be read from his same-author pairs.
        times = {n: row[i] for i, (n, m) in enumerate(numbers) if n == m}
        for i, (n, m) in enumerate(numbers):
            if n != m and n in times and m in times:
                assert row[i] == times[n] * times[m]


def test_an_interval_holds_the_value_and_narrows_with_more_authors(make_answers: Make) -> None:
    few, many = (
        error_interval(make_answers(2000, n_authors=n_authors)) for n_authors in (30, 1500)
    )
    for found in (few, many):
        assert found["low"] < found["value"] < found["high"]
    assert many["high"] - many["low"] < few["high"] - few["low"]


def test_authors_not_known_are_each_their_own(make_answers: Make) -> None:
    answers = make_answers(50)
    answers.authors[:] = ""
    assert len(np.unique(intervals._number_authors(answers.authors))) == 50


def test_an_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    """Independent pairs with a known error of 30 %."""
    hits = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        n = 400
        same = rng.random(n) < 0.5
        wrong = rng.random(n) < 0.3
        score = np.where(same != wrong, 0.9, 0.1)
        answers = Answers(
            ids=np.arange(n).astype(object),
            score=score,
            llr=np.zeros(n),
            reliable=np.ones(n, bool),
            undecided=np.zeros(n, bool),
            same_author=same,
            same_topic=None,
            authors=np.full((n, 2), "", dtype=object),
            tokens=np.ones(n, dtype=np.int64),
        )
        found = error_interval(answers, seed=seed)
        hits += found["low"] <= 0.3 <= found["high"]
    assert 33 <= hits <= 40


def test_the_same_answers_do_not_differ(make_answers: Make) -> None:
    answers = make_answers()
    found, p = compare(answers, answers)
    assert (found["value"], found["low"], found["high"], p) == (0, 0, 0, 1)


def test_a_clear_difference_is_seen_and_a_small_one_is_not(make_answers: Make) -> None:
    good, bad = make_answers(600, skill=0.4), make_answers(600, seed=1, skill=0.0)
    clear, p = compare(bad, good)
    assert clear["low"] > 0 and p < 0.01
    assert clear["value"] == pytest.approx(
        measures.error_rate(bad.score, bad.same_author)
        - measures.error_rate(good.score, good.same_author)
    )
    alike, p = compare(make_answers(600, seed=2), make_answers(600, seed=3))
    assert alike["low"] < 0 < alike["high"] and p > 0.05
    mirrored, _ = compare(good, bad)
    assert mirrored["value"] == pytest.approx(-clear["value"])
