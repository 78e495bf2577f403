"""Word sequences of both sides, found by comparing every two places as well."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from adhominem.instrument.linguistics.findings import shared_sequences
from adhominem.instrument.linguistics.text_tokens import read_tokens


def found(left: list[str], right: list[str]) -> list[str | None]:
    sides = ([read_tokens(text) for text in side] for side in (left, right))
    return [finding.form for finding in shared_sequences(*sides)]


def test_a_sign_in_a_bracket_is_found() -> None:
    left, right = "It rained. Secondly (& last) we left.", "Secondly (& this is it) we stayed."
    assert found([left], [right]) == ["secondly (&"]


def test_common_words_names_and_marks_alone_tell_nothing() -> None:
    for text in ("it was the best of all", "at Hilton Garden Inn", "so, e.g., this", "!! ... ??"):
        assert found([f"One {text} here"], [f"Two {text} there"]) == []


def test_the_longest_sequence_is_shown_as_written_with_its_places() -> None:
    left, right = "They dont bother w/ us", "Please dont bother w/ me, dont bother w/ them"
    sides = ([read_tokens(text)] for text in (left, right))
    [finding] = shared_sequences(*sides)
    assert finding.form == "dont bother w/"
    assert [right[place.start : place.end] for place in finding.right] == ["dont bother w/"] * 2
    assert left[finding.left[0].start : finding.left[0].end] == "dont bother w/"
    assert math.isnan(finding.share)


@given(st.lists(st.sampled_from(["tea", "&", "cuz", "we", ",", "flummoxed"]), max_size=12))
def test_a_text_shares_itself(words: list[str]) -> None:
    text = " ".join(words)
    assert len(found([text], [text])) == len(set(found([text], [text])))
    assert found([text], ["nothing of the kind"]) == []
