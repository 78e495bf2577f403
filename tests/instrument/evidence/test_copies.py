"""Repeated and copied text is left out, and a note says so."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from copy import copy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adhominem.bench.case.index import open_index, write_index
from adhominem.bench.case.search import search
from adhominem.errors import InputError
from adhominem.instrument.evidence.attribution import rank
from adhominem.instrument.evidence.copies import (
    are_copies,
    distinct_pair,
    distinct_side,
    find_copies,
    shingles,
)
from adhominem.instrument.report.render import ranking_text
from adhominem.instrument.verifier import Verifier
from adhominem.records import Document, Pair, Reason, Verdict

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


def test_the_first_of_equal_texts_stays_in_its_place() -> None:
    assert distinct_side(documents(ONE, TWO, ONE)) == documents(ONE, TWO)


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


def test_sides_that_are_copies_of_each_other_are_found() -> None:
    edited = ONE.replace("lovely", "nice")
    sides = [documents(ONE), documents(edited, TWO), documents(THREE), documents(""), documents("")]
    expected = np.zeros((5, 5), dtype=bool)
    expected[0, 1] = expected[1, 0] = True
    np.testing.assert_array_equal(find_copies(sides), expected)
    one = shingles(documents(ONE))
    assert len(one) == len(ONE.split()) - 4
    assert are_copies(one, shingles(documents(edited, TWO)))
    assert not are_copies(one, shingles(documents(THREE)))


def test_copies_are_found_as_by_comparing_every_two() -> None:
    rng = random.Random(5)
    sides = [documents(" ".join(rng.choices("abc", k=rng.randint(0, 90)))) for _ in range(40)]
    own = [shingles(side) for side in sides]
    expected = [[a is not b and are_copies(a, b) for b in own] for a in own]
    np.testing.assert_array_equal(find_copies(sides), expected)
    assert 0 < np.sum(expected) < 40 * 39


def test_hashes_of_word_sequences_are_the_same_in_every_process() -> None:
    program = (
        "from adhominem.instrument.evidence.copies import shingles\n"
        "from adhominem.records import Document\n"
        f"print(sorted(shingles([Document({ONE!r})])))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == sorted(shingles(documents(ONE)))


def test_a_copy_is_told_by_rank_search_and_matrix(small: Verifier, tmp_path: Path) -> None:
    """Made-up texts are all much alike to the network; only the copied one is called that."""
    rng = random.Random(4)
    mine, other = (" ".join(rng.sample((ONE + TWO + THREE).split(), 30)) for _ in range(2))
    copied = f"{mine} And so on."
    known = {"copyist": [copied], "stranger": [other]}
    small = copy(small)
    assert small.calibration_ is not None
    small.calibration_ = replace(small.calibration_, sure_same=-9.0, sure_different=9.0)
    small.min_llr, small.max_unknown = 0.0, 1.0
    write_index(small, known.items(), tmp_path / "index")
    for ranking in (
        rank(small, mine, known),
        search(small, mine, open_index(tmp_path / "index", small)),
    ):
        found = {c.name: c.decision for c in ranking.candidates}
        assert [note.code for note in found["copyist"].notes] == ["copied-text"]
        assert not found["copyist"].reliable
        assert found["stranger"].notes == () and found["stranger"].reliable
        [line] = [line for line in ranking_text(ranking).splitlines() if "copyist " in line]
        assert "copied text" in line and "reliable" not in line
    table = small.matrix([documents(mine), documents(copied), documents(other)])
    assert table.copied[0, 1] and not table.copied[0, 2]
    assert not table.reliable[0, 1] and table.reliable[0, 2]


def numbered(first: int, n: int) -> str:
    """A text of n words, none of them twice."""
    return " ".join(f"w{i}" for i in range(first, first + n))


@pytest.mark.parametrize(("shared", "is_copy"), [(5, False), (6, True)])
def test_a_copy_shares_more_than_half_of_the_smaller_text(shared: int, is_copy: bool) -> None:
    """Both sides have ten sequences of five words or more."""
    left, right = numbered(0, 14), numbered(0, shared + 4) + " " + numbered(100, 30)
    assert are_copies(shingles(documents(left)), shingles(documents(right))) == is_copy
    assert find_copies([documents(left), documents(right)]).tolist() == [
        [False, is_copy],
        [is_copy, False],
    ]
    pair, notes = distinct_pair(Pair(documents(left), documents(right)))
    assert [note.code for note in notes] == ["copied-text" if is_copy else "shared-passages"]
    if is_copy:
        assert notes[0].message == "texts that stand on both sides were left out"
    assert (pair.left[0].text == "") == (pair.right[0].text == "") == is_copy


@pytest.mark.parametrize(("shared", "noted"), [(2, []), (3, ["15%"])])
def test_common_passages_are_noted_from_a_tenth_on(shared: int, noted: list[str]) -> None:
    left, right = numbered(0, 24), numbered(0, shared + 4) + " " + numbered(100, 30)
    _, notes = distinct_pair(Pair(documents(left), documents(right)))
    assert [note.message.split()[0] for note in notes] == noted


@pytest.mark.parametrize(("n_words", "is_kept"), [(5, True), (6, False)])
def test_a_passage_of_six_words_counts_once(n_words: int, is_kept: bool) -> None:
    passage = numbered(0, n_words)
    [kept] = distinct_side(documents(f"{passage}. Something else. {passage.upper()}! The end."))
    assert kept.text.lower().count(passage) == 1 + is_kept
    assert kept.text.startswith(f"{passage}. Something else.") and kept.text.endswith(" The end.")


def test_only_marks_at_the_end_of_a_sentence_do_not_count() -> None:
    passage = numbered(0, 8)
    [kept] = distinct_side(documents(f"{passage}~. Something else. {passage}!?"))
    assert kept.text.count(passage) == 2
    [kept] = distinct_side(documents(f"{passage}. Something else. {passage}!?"))
    assert kept.text.count(passage) == 1


def test_texts_with_broken_characters_have_word_sequences() -> None:
    assert len(shingles(documents("one \ud800 three four five six"))) == 2


def test_a_near_copy_within_a_side_shares_more_than_half_of_its_own_words() -> None:
    half, more = (numbered(0, n + 4) + " " + numbered(100, 10 - n) for n in (5, 6))
    side = documents(numbered(0, 40), half)
    assert distinct_side(side) == side
    assert distinct_side(documents(numbered(0, 40), more)) == documents(numbered(0, 40))


def test_notes_of_documents_and_sides_are_kept() -> None:
    note = Reason("quoted-text", "quoted text was left out")
    noted = replace(Document(ONE), notes=(note,))
    pair, notes = distinct_pair(Pair((noted, noted), documents(TWO)))
    assert pair.left == (noted,)
    assert [each.message for each in notes] == [
        *[note.message] * 2,
        "repeated text of left counts once",
    ]
    _, notes = distinct_pair(Pair(documents(TWO), documents(ONE, ONE)))
    assert [each.message for each in notes] == ["repeated text of right counts once"]
