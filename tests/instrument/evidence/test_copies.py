"""Repeated and copied text is left out, and a note says so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adhominem.errors import InputError
from adhominem.instrument.evidence.copies import distinct_pair, distinct_side
from adhominem.instrument.verifier import Verifier
from adhominem.records import Document, Pair, Verdict

ONE = "We walked to the old harbour in the rain. Nobody else was there! It was lovely, really."
TWO = "The train was late again this morning. I read half of my book on the platform. Typical."
THREE = "My sister keeps bees behind the garage now. Last year they made nine jars of honey."
words = st.sampled_from("a the room was we it. good! very bad? and then she left".split())  # noqa: SIM905
texts = st.lists(words, max_size=40).map(" ".join)


def documents(*texts: str) -> tuple[Document, ...]:
    return tuple(Document(text) for text in texts)


@given(st.lists(texts, min_size=1, max_size=4), st.integers(2, 4))
def test_copies_of_a_side_change_nothing(side: list[str], k: int) -> None:
    assert distinct_side(documents(*side) * k) == distinct_side(documents(*side))


def test_near_copies_count_once() -> None:
    edited = ONE.replace("really", "truly")
    assert distinct_side(documents(ONE, edited, TWO)) == documents(ONE, TWO)


@pytest.mark.parametrize("joint", [" ", "\n", "\n\n"])
def test_a_text_pasted_twice_counts_once(joint: str) -> None:
    [kept] = distinct_side(documents(ONE + joint + ONE))
    assert kept.text.strip() == ONE


def test_a_quoted_mail_counts_once() -> None:
    assert distinct_side(documents(ONE, TWO + "\n" + ONE)) == documents(ONE, TWO + "\n")


def test_short_habits_stay() -> None:
    side = documents("Hello there. " + ONE + " Thanks!", "Hello there. " + TWO + " Thanks!")
    assert distinct_side(side) == side


def test_copies_on_both_sides_are_left_out_and_noted() -> None:
    pair, notes = distinct_pair(Pair(documents(ONE, TWO), documents(ONE, THREE)))
    assert (pair.left, pair.right) == (documents(TWO), documents(THREE))
    assert [note.code for note in notes] == ["copied-text"]
    pair, notes = distinct_pair(Pair(documents(ONE + " " + TWO + " " + THREE), documents(TWO)))
    assert [note.code for note in notes] == ["copied-text"]
    assert pair.right[0].text == ""


def test_common_passages_are_noted_and_stay() -> None:
    common = "all of us were there on the first day of it"
    left, right = f"{ONE} {common} {TWO}", f"{common} {THREE} {THREE[::-1]} {ONE[::-1]}"
    pair, notes = distinct_pair(Pair(documents(left), documents(right)))
    assert (pair.left, pair.right) == (documents(left), documents(right))
    assert [note.code for note in notes] == ["shared-passages"]


def test_a_verifier_says_so(samples: tuple[str, str]) -> None:
    import adhominem

    verifier: Verifier = adhominem.load()
    left, right = samples
    once, thrice = (verifier.verify([left] * n, [right] * n, genre="hotels") for n in (1, 3))
    assert thrice.llr == pytest.approx(once.llr, abs=1e-9)
    assert {note.code for note in thrice.notes} == {"repeated-text"}
    itself = verifier.verify(left, left)
    assert itself.verdict is Verdict.UNDECIDED
    assert [reason.code for reason in itself.reasons] == ["copied-text"]
    explained = verifier.explain_texts([left] * 3, right, genre="hotels").decision
    assert explained.llr == pytest.approx(once.llr, abs=1e-5)
    assert (explained.verdict, explained.notes) == (
        once.verdict,
        verifier.verify([left] * 3, right, genre="hotels").notes,
    )
    with pytest.raises(InputError, match="the left side has no text"):
        verifier.verify([], right)
