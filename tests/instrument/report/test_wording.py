from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adhominem.instrument.report import wording
from adhominem.instrument.report.scales import axis_position, verbal_scale
from adhominem.instrument.report.terminal import decision_text
from adhominem.records import Decision, Explanation, Faithfulness, TrackRecord, Verdict

Decide = Callable[..., Decision]


@pytest.mark.parametrize(
    ("llr", "words"),
    [
        (0.0, "no support either way"),
        (-0.3, "no support either way"),
        (math.log10(2), "weak support for one author"),
        (-0.99, "weak support for two authors"),
        (-1.0, "moderate support for two authors"),
        (1.99, "moderate support for one author"),
        (2.0, "moderately strong support for one author"),
        (-3.0, "strong support for two authors"),
        (-4.0, "very strong support for two authors"),
        (6.0, "extremely strong support for one author"),
        (math.inf, "extremely strong support for one author"),
        (math.nan, "no support either way"),
    ],
)
def test_verbal_scale(llr: float, words: str) -> None:
    assert wording.support_words(llr) == words


@given(llr=st.floats(-9, 9), other=st.floats(-9, 9))
def test_the_needle_stands_in_the_step_that_is_reached(llr: float, other: float) -> None:
    steps = verbal_scale(llr)
    [reached] = [i for i, step in enumerate(steps) if step.is_reached]
    assert reached - 1e-9 <= axis_position(llr) * len(steps) <= reached + 1 + 1e-9
    assert llr > other or axis_position(llr) <= axis_position(other) + 1e-12


@pytest.mark.parametrize(("llr", "side"), [(1.01, "one author"), (-2.0, "two authors")])
def test_evidence_at_its_bound_says_so(decide: Decide, llr: float, side: str) -> None:
    verdict = Verdict.SAME if llr > 0 else Verdict.DIFFERENT
    decision = decide(verdict, llr=llr, bounds=(-2.0, 1.01))
    assert f"strongest support for {side}" in wording.bound_words(decision)
    assert "strongest support" in " ".join(decision_text(decision, colour=False).split())
    assert wording.bound_words(replace(decision, llr=0.9 * llr)) == ""
    assert wording.bound_words(replace(decision, bounds=None)) == ""


@pytest.mark.parametrize(
    ("llr", "words"),
    [
        (0.0, "about as probable from one author as from two"),
        (0.83, "about 6.8 times as probable from one author as from two"),
        (-1.69, "about 49 times as probable from two authors as from one"),
        (3.5, "about 3,200 times as probable from one author as from two"),
        (-400.0, "more than a million times as probable from two authors as from one"),
        (math.inf, "more than a million times as probable from one author as from two"),
    ],
)
def test_likelihood_ratio_as_a_sentence(llr: float, words: str) -> None:
    assert words in wording.ratio_words(llr)


@pytest.mark.parametrize(
    ("score", "words"), [(1.0, "> 0.999"), (0.0, "< 0.001"), (0.5, "0.500"), (0.9994, "0.999")]
)
def test_score_never_claims_certainty(score: float, words: str) -> None:
    assert wording.score_words(score) == words


@pytest.mark.parametrize(
    ("weight", "words"), [(0.0, "+0.0000"), (-0.12345, "−0.1235"), (0.00061, "+6.1e−04")]
)
def test_weights_keep_their_sign_and_size(weight: float, words: str) -> None:
    assert wording.weight_words(weight, sign=True) == words


def test_small_shares_get_more_decimals() -> None:
    assert wording.percent_words(0.123, 0.4) == "12%"
    assert wording.percent_words(0.0123, 0.04) == "1.2%"
    assert wording.percent_words(0.00123, 0.004) == "0.12%"


def test_faithfulness_is_quoted_with_a_warning_where_chance_does_as_well(
    explain: Callable[..., Explanation],
) -> None:
    row = Faithfulness("occlusion", 1200, "delete", 2.1, -0.04, low=1.9, high=2.3)
    explanation = replace(explain(), contributions="occlusion", faithfulness=row)
    words = wording.faithfulness_words(explanation)
    assert "1,200 pairs" in words
    assert "by 2.10 (log10 LR), words drawn at random by \N{MINUS SIGN}0.04." in words
    assert "Warning" not in words
    poor = replace(explanation, faithfulness=replace(row, low=-0.1))
    assert "Warning: that is no better than chance" in wording.faithfulness_words(poor)
    untested = replace(explanation, faithfulness=None)
    assert "was not tested" in wording.faithfulness_words(untested)
    assert "nothing to compare" in wording.faithfulness_words(explain())


def test_the_quoted_errors_say_how_they_were_counted() -> None:
    """The whole counts undecided pairs, the two parts do not: a reader must be told."""
    row = TrackRecord("hotels", 150, 200, 265, 0.1, 0.2, None, 0.067, 0.143, 0.043, 0.142)
    assert wording.record_words(row, {"hotels": "hotel reviews"}) == (
        "Of 265 test pairs like these, hotel reviews, the shorter text of 150 to 200 tokens, 10.0% "
        "were judged wrongly, an undecided one counted as half (95 % interval 6.7% to 14.3%); of "
        "those decided, 4.3% by two authors and 14.2% by one."
    )


def test_errors_over_many_kinds_say_which_kinds() -> None:
    """With reference texts the kind is known, though it has no name."""
    row = TrackRecord(None, 50, None, 900, 0.28, 0.0, None, 0.03, 0.68, kinds=70)
    unknown = wording.record_words(row, {})
    assert unknown == (
        "The kind of text was not stated, and how often the model is wrong depends on it: of the "
        "test pairs of this length (the shorter text of 50 tokens or more) 28% were judged "
        "wrongly, between 3% and 68% over 70 groups of pairs, each of one kind, known to the model "
        "or never seen. State the kind or give reference texts."
    )
    named = replace(row, genre="reference", kinds=34)
    given = wording.record_words(named, {"reference": "the reference texts"})
    assert "not stated" not in given and "State" not in given
    assert "between 3% and 68% over 34 groups of pairs, each of one kind, never seen" in given
