"""The costs of mistakes against a slow recursion, and the kinds of mistakes."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adhominem.instrument.linguistics.spelling import (
    distance,
    intended_word,
    kind_of_mistake,
    one_edit,
)

WORD = st.text("abehcks", min_size=1, max_size=7)
VOWELS = "aeiouy"
ALIKE = {frozenset(pair) for pair in ("ck", "cs", "sz", "gj", "dt", "mn", "vw", "fv", "ks")}


def letter(word: str) -> float:
    """The price of the last letter of a word as one too many or too few."""
    if word[-2:-1] == word[-1]:
        return 0.4
    return 0.6 if word[-1] in VOWELS + "h" else 1.0


@cache
def slow(wrong: str, right: str) -> float:
    """All ways from the one to the other, from the end."""
    if not wrong and not right:
        return 0.0
    ways = []
    if wrong:
        ways.append(slow(wrong[:-1], right) + letter(wrong))
    if right:
        ways.append(slow(wrong, right[:-1]) + letter(right))
    if wrong and right:
        pair = {wrong[-1], right[-1]}
        price = 0.6 if pair <= set(VOWELS) or frozenset(pair) in ALIKE else 1.0
        ways.append(slow(wrong[:-1], right[:-1]) + (price if len(pair) > 1 else 0))
        if len(pair) > 1 and wrong[-2:] == right[-2:][::-1] and len(wrong) > 1:
            ways.append(slow(wrong[:-2], right[:-2]) + 0.5)
    return min(ways)


@given(WORD, WORD)
@settings(max_examples=80)
def test_distance_is_the_cheapest_of_all_ways(wrong: str, right: str) -> None:
    if abs(len(wrong) - len(right)) > 3:
        assert distance(wrong, right) == float("inf")
        return
    expected = slow(wrong, right)
    if wrong[0] != right[0] and wrong[:2] != right[:2][::-1]:
        expected += 0.7
    if wrong[-1] != right[-1] and wrong[-2:] != right[-2:][::-1]:
        expected += 0.3
    assert distance(wrong, right) == pytest.approx(expected)
    assert distance(right, wrong) == pytest.approx(expected)


@given(st.text("abehcks", min_size=1, max_size=4))
@settings(max_examples=20)
def test_one_edit_is_one_edit(word: str) -> None:
    for other in set(one_edit(word)) - {word, ""}:
        assert 0 < slow(word, other) <= 1
        assert word in set(one_edit(other))


@pytest.mark.parametrize(
    ("wrong", "right", "kind"),
    [
        ("clasics", "classics", "missing"),
        ("amazone", "amazon", "surplus"),
        ("deffinatly", "definitely", "substituted"),
        ("thier", "their", "substituted"),
        ("dont", "don't", "missing"),
        ("restaraunt", "restaurant", "substituted"),
    ],
)
def test_kinds_of_mistakes(wrong: str, right: str, kind: str) -> None:
    assert kind_of_mistake(wrong, right) == kind


@pytest.mark.parametrize("word", ["", "xyz", "qqqqqqq", "x" * 30, "naïvly", "kuklinski"])
def test_nothing_is_made_up(word: str) -> None:
    assert intended_word(word) is None
