"""A validation report: figures by other means, limits in words, the page and the command."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from adhominem.errors import InputError
from adhominem.instrument.report.cover import Cover
from adhominem.laboratory.evaluation.answers import Answers
from adhominem.laboratory.evaluation.evaluate import evaluate
from adhominem.laboratory.evaluation.measures import cllr, cllr_min, cross_entropy, recalibrated
from adhominem.laboratory.evaluation.validation import in_conditions, validate
from adhominem.laboratory.report import validation_page, validation_text


@pytest.fixture(scope="module")
def answers() -> Answers:
    rng = np.random.default_rng(3)
    same = np.arange(300) % 2 == 0
    llr = np.clip(rng.normal(np.where(same, 0.8, -0.8), 0.9), -2, 2)
    llr[:6] = 0.0
    authors = np.array([[f"a{i % 40}", f"a{(i if s else i + 7) % 40}"] for i, s in enumerate(same)])
    return Answers(
        ids=np.array([str(i) for i in range(300)], dtype=object),
        score=1 / (1 + 10**-llr),
        llr=llr,
        reliable=np.abs(llr) > 1,
        undecided=llr == 0,
        same_author=same,
        same_topic=rng.random(300) < 0.5,
        authors=authors.astype(object),
        tokens=rng.integers(40, 400, 300),
    )


def test_figures_are_those_of_an_evaluation(answers: Answers) -> None:
    report, evaluated = validate(answers), evaluate(answers, intervals=True)
    assert {name: report[name] for name in evaluated} == evaluated


def test_errors_both_ways_by_counting(answers: Answers) -> None:
    rows = list(zip(answers.same_author, answers.llr, strict=True))
    wrong = {
        "same": sum(llr < 0 for same, llr in rows if same) / 150,
        "different": sum(llr > 0 for same, llr in rows if not same) / 150,
    }
    errors = validate(answers)["errors"]
    for kind, expected in wrong.items():
        assert errors[kind]["value"] == pytest.approx(expected)
        assert errors[kind]["low"] < expected < errors[kind]["high"]
        assert errors[kind]["undecided"] == pytest.approx(3 / 150)


def test_no_error_is_not_an_error_rate_of_zero(answers: Answers) -> None:
    right = np.where(answers.same_author, 1.0, -1.0)
    errors = validate(replace(answers, llr=right))["errors"]["same"]
    assert errors["value"] == 0
    assert errors["high"] == pytest.approx(1 - 0.05 ** (1 / 150))  # the rule of three, nearly 2 %


def test_cross_entropy_by_a_slow_loop(answers: Answers) -> None:
    odds = np.array([-1.5, 0.0, 0.7])
    found = cross_entropy(answers.llr, answers.same_author, odds)
    for value, log_odds in zip(found, odds, strict=True):
        prior = 10**log_odds / (1 + 10**log_odds)
        costs: dict[bool, list[float]] = {True: [], False: []}
        for same, llr in zip(answers.same_author, answers.llr, strict=True):
            posterior = 10 ** (llr + log_odds)
            costs[bool(same)].append(math.log2(1 + (1 / posterior if same else posterior)))
        slow = prior * np.mean(costs[True]) + (1 - prior) * np.mean(costs[False])
        assert value == pytest.approx(slow)
    assert found[1] == pytest.approx(cllr(answers.llr, answers.same_author))
    best = recalibrated(answers.llr, answers.same_author)
    at_even = cross_entropy(best, answers.same_author, np.zeros(1))[0]
    assert at_even == pytest.approx(cllr_min(answers.llr, answers.same_author))


def test_conditions_of_the_case(answers: Answers) -> None:
    assert answers.same_topic is not None
    chosen = in_conditions(answers, 100, 200, "different")
    assert chosen.tokens.min() >= 100 and chosen.tokens.max() < 200
    assert chosen.same_topic is not None and not chosen.same_topic.any()
    with pytest.raises(InputError, match="choose wider"):
        in_conditions(answers, 1000)
    with pytest.raises(InputError, match="same_topic"):
        in_conditions(replace(answers, same_topic=None), topics="same")


def test_limits_are_said_in_words(answers: Answers) -> None:
    def told(given: Answers) -> str:
        return " ".join(validate(given)["limits"])

    assert "fewer than" in told(answers) and "Only 40 authors" in told(answers)
    unnamed = replace(answers, authors=np.full((300, 2), "", dtype=object), same_topic=None)
    assert "do not name authors" in told(unnamed) and "whether topics differ" in told(unnamed)
    assert "must not be used" in told(replace(answers, llr=-answers.llr))
    assert "not well calibrated" in told(replace(answers, llr=answers.llr / 10))
    assert "Only 60 pairs" in told(answers.select(np.arange(60)))


def test_page_and_text(answers: Answers) -> None:
    source = {"model": None, "pairs_file": {"name": "<b>.jsonl", "sha256": "0" * 64}}
    report = {**source, "conditions": {"topics": "different"}, **validate(answers)}
    page = validation_page(report, answers, Cover(title="<i>Case</i>"))
    assert "<b>" not in page and "<i>Case" not in page and "<script" not in page
    assert page.count("<svg") == 2 and "Languages 9" in page
    assert f"Cllr {report['cllr']:.3f}" in page
    assert f"Cllr {report['cllr']:.3f}" in validation_text(report)
    assert page == validation_page(report, answers, Cover(title="<i>Case</i>"))
    json.dumps(report, allow_nan=False)
