"""Edits that keep the meaning: each in its place, and none over another."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adhominem.errors import InputError
from adhominem.instrument.linguistics.rewrites import KINDS, find_edits, replacements, rewrite

PARTS = (
    *("cuz", "definately", "&", "w/", "sooo", "!!", "...", "i", "alot", "don't", "can’t", "Mr"),
    *("know.Will", "ALL", "OF", "THIS", "it's", "we're", "<b>", "\ud800", "日本語", "R&B"),
)
TEXTS = st.lists(st.sampled_from(PARTS), max_size=30).map(" ".join) | st.text(max_size=60)


@pytest.mark.parametrize(
    ("text", "kind", "new"),
    [
        ("It was definately good.", "spelling", "It was definitely good."),
        ("Definately worth the visit.", "spelling", "Definitely worth the visit."),
        ("We left cuz it rained.", "spelling", "We left because it rained."),
        ("bread & butter", "sign", "bread and butter"),
        ("Secondly (& last) it rained.", "sign", "Secondly (and last) it rained."),
        ("It rained. & we left.", "sign", "It rained. And we left."),
        ("free wifi + breakfast", "sign", "free wifi and breakfast"),
        ("i think so", "case", "I think so"),
        ("It was TOTALLY AWESOME here.", "case", "It was totally awesome here."),
        ("Go there!! Now.", "punctuation", "Go there! Now."),
        ("Nice... but small", "punctuation", "Nice, but small"),
        ("Nice...but small", "punctuation", "Nice, but small"),
        ("It was nice... The end.", "punctuation", "It was nice. The end."),
        ("I liked the book.5 of them.", "punctuation", "I liked the book. 5 of them."),
        ("We don't know.", "contraction", "We do not know."),
        ("We can’t say.", "contraction", "We cannot say."),
        ("Don't go there. Is it far?", "contraction", "Do not go there. Is it far?"),
        ("It wasn't that bad, was it?", "contraction", "It was not that bad, was it?"),
        ("He wasn't there. Why?", "contraction", "He was not there. Why?"),
        ("They're late, I've seen.", "contraction", "They are late, I have seen."),
        ("A room w/ a view.", "abbreviation", "A room with a view."),
    ],
)
def test_edits(text: str, kind: str, new: str) -> None:
    edits = [edit for edit in find_edits(text) if edit.kind == kind]
    assert rewrite(text, edits).text == new


@pytest.mark.parametrize(
    "text",
    [
        *("R&B is fine.", "It's hers.", "Ain't it so?", "LET'S go now."),
        *("Don't you think so?", "It rains, doesn't it?", "Why can’t we go?", "Didn't they come?"),
        *("Isn't the pool nice?", "Why didn't the staff help?", "But wasn't that the plan?"),
        *(
            "C + was the grade.",
            "A grade of B + is fine.",
            "We like Disney + a lot.",
            "It is 2 + 2.",
        ),
        *("AT&T is slow.", "AT & T is slow.", "He heads R & D there.", "By Johnson & Johnson."),
        "The best grade + was seen.",
    ],
)
def test_what_is_left_alone(text: str) -> None:
    assert rewrite(text, find_edits(text)).text == text


@settings(max_examples=200)
@given(text=TEXTS)
def test_any_text_can_be_rewritten(text: str) -> None:
    edits = find_edits(text)
    assert all(text[edit.start : edit.end] == edit.old != edit.new for edit in edits)
    assert all(one.end <= other.start for one, other in pairwise(edits))
    assert {edit.kind for edit in edits} <= set(KINDS)
    done = rewrite(text, edits)
    assert [done.text[start:end] for start, end in done.places] == [edit.new for edit in edits]
    assert rewrite(text, ()).text == text


def test_replacements_are_of_whole_words_in_their_case() -> None:
    text = "cuz Cuz because,cuz w/o w/ a & b"
    edits = replacements(text, {"cuz": "because", "w/": "with", "&": "and"})
    assert rewrite(text, edits).text == "because Cuz because,because w/o with a and b"
    with pytest.raises(InputError, match="'CUZ' is not in the text as a whole word"):
        replacements(text, {"CUZ": "because"})
    assert rewrite("a.b", replacements("a.b", {"a.b": "<x>"})).text == "<x>"
