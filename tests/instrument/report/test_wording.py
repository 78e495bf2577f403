from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import pytest

from adhominem.instrument.report import wording
from adhominem.records import Explanation, Faithfulness


@pytest.mark.parametrize(
    ("llr", "words"),
    [
        (0.0, "no support either way to speak of"),
        (-0.49, "no support either way to speak of"),
        (0.5, "limited support for one author"),
        (-1.0, "moderate support for two authors"),
        (1.99, "moderate support for one author"),
        (2.0, "strong support for one author"),
        (-4.0, "very strong support for two authors"),
        (math.inf, "very strong support for one author"),
        (math.nan, "no support either way to speak of"),
    ],
)
def test_verbal_scale(llr: float, words: str) -> None:
    assert wording.support_words(llr) == words


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
