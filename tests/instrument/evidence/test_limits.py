"""When a side is not judged, at the very limits, and the sentences that say so."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from adhominem.instrument.evidence.fusion import APART
from adhominem.instrument.evidence.limits import (
    REST,
    Limits,
    find_caveats,
    find_doubts,
    kind_labels,
    notes_of,
    reasons_of,
)
from adhominem.instrument.evidence.sides import Sides
from adhominem.records import Reading, Term

LIMITS = Limits(min_tokens=20, max_unknown=0.5, min_english=0.15, max_english=0.95, min_voice=-1.0)
SOUND = Reading(tokens=20, unknown=10, english=0.5, voice=-1.0)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({}, None),  # as many tokens as needed, as many unknown ones and as little voice as allowed
        ({"tokens": 19}, "too-short"),
        ({"tokens": 19, "english": 0.0, "unknown": 19}, "too-short"),
        ({"english": 0.15}, None),
        ({"english": 0.149}, "not-english"),
        ({"english": 0.95}, None),
        ({"english": 0.951}, "not-english"),
        ({"english": None}, None),
        ({"unknown": 11}, "unknown-words"),
        ({"unknown": 11, "out_of_domain": True}, "unknown-words"),
        ({"out_of_domain": True}, "out-of-domain"),
        ({"out_of_domain": True, "voice": -2.0}, "out-of-domain"),
        ({"voice": -1.01}, "several-voices"),
        ({"voice": None}, None),
    ],
)  # fmt: skip
def test_the_first_limit_that_a_side_passes_is_its_reason(
    changes: dict[str, object], code: str | None
) -> None:
    reading = replace(SOUND, **changes)  # type: ignore[arg-type]
    assert [reason.code for reason in reasons_of("left", reading, LIMITS)] == [code] * bool(code)
    doubts = find_doubts(Sides.of([SOUND, reading]), LIMITS)
    assert (doubts >= 0).tolist() == [False, code is not None]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"tokens": 1}, "left has 1 token, at least 20 are needed"),
        ({"tokens": 0}, "left has 0 tokens, at least 20 are needed"),
        ({"english": 0.1}, "10% of the words of left are English function words, in running text "
         "15% to 95% are: is it English?"),
        ({"unknown": 15}, "75% of the tokens of left are unknown to the model, at most 50% may be: "
         "is it English?"),
        ({"out_of_domain": True}, "left uses words unlike any kind of text the model was trained "
         "on"),
        ({"out_of_domain": True, "genre": "mail", "recognised": "mail"}, "left uses words unlike "
         "any kind of text the model was trained on"),
        ({"out_of_domain": True, "recognised": "mail"}, "left uses words unlike any kind of text "
         "the model was trained on"),
        ({"out_of_domain": True, "genre": "blogs", "recognised": "mail"}, "you said blogs; left "
         "does not look like that, it looks more like letters (mail)"),
        ({"voice": -3.0}, "the texts of left do not seem to have one author: compare them singly"),
    ],
)  # fmt: skip
def test_reasons_are_sentences(changes: dict[str, object], message: str) -> None:
    reading = replace(SOUND, **changes)  # type: ignore[arg-type]
    limits = replace(LIMITS, labels=kind_labels(["mail", "blogs"], ["letters", "blogs"]))
    assert [reason.message for reason in reasons_of("left", reading, limits)] == [message]


@pytest.mark.parametrize(("tokens", "share"), [(1, "100%"), (2, "50%")])
def test_the_share_of_unknown_tokens_is_that_of_the_shortest_side_too(
    tokens: int, share: str
) -> None:
    limits = replace(LIMITS, min_tokens=1, max_unknown=0.0)
    [reason] = reasons_of("left", Reading(tokens, 1), limits)
    assert reason.message.startswith(f"{share} of the tokens of left are unknown")


def test_trained_thresholds_need_a_distance_and_both_values() -> None:
    whole = Limits(tau_s=1.0, tau_d=3.0, has_distance=True)
    assert whole.thresholds == (1.0, 3.0)
    for change in ({"tau_s": None}, {"tau_d": None}, {"has_distance": False}):
        assert replace(whole, **change).thresholds is None


@pytest.mark.parametrize(
    ("llrs", "off", "kinds", "message"),
    [
        ([1.0, 0.5, -0.1], -0.7, ("mail", "blogs"), " (blogs and letters (mail)), tests had pairs "
         "of one kind: the evidence counts less, its sum is +0.70 in place of +1.40"),
        ([-1.0, -0.5, 0.1], 1.4, ("mail", "mail"), ", tests had pairs of one kind: the evidence "
         "counts less, its sum is +0.00 in place of -1.40"),
        ([1.0, 0.5, -0.1], -0.35, ("mail", None), ", tests had pairs of one kind: the evidence "
         "counts less, its sum is +1.05 in place of +1.40"),
        ([1.0, 0.5, -0.1], 0.0, ("mail", "blogs"), None),
        ([1.0, -1.0, 0.1], -0.019, ("mail", "blogs"), None),
    ],
)  # fmt: skip
def test_sides_of_different_kinds_are_noted(
    llrs: list[float], off: float, kinds: tuple[str, str | None], message: str | None
) -> None:
    names = ("network", "characters", REST)
    terms = [*map(Term, names, llrs), Term(APART, off)]
    left, right = (replace(SOUND, recognised=kind) for kind in kinds)
    found = [*notes_of(left, right, Limits(labels={"mail": "letters (mail)"}), terms=terms)]
    notes = [note.message for note in found if note.code == "different-kinds"]
    whole = f"the sides look like different kinds of text{message}"
    assert notes == ([] if message is None else [whole])
    assert not [*notes_of(left, right, Limits())]  # nothing was judged


def test_reference_texts_are_noted_for_the_kind_that_they_stand_for() -> None:
    limits = Limits(references={"mail": 1200})
    (note,) = notes_of(replace(SOUND, genre="mail"), SOUND, limits)
    assert note.code == "reference-texts" and note.message.startswith("1,200 reference texts")
    assert [*notes_of(SOUND, SOUND, limits)] == [*notes_of(SOUND, SOUND, Limits())] == []


@pytest.mark.parametrize(
    ("llrs", "is_noted"),
    [
        ([0.3, -0.3], True),  # both at the weight from which on a view counts
        ([0.29, -0.5], False),
        ([0.5, -0.29], False),
        ([0.5, 0.6], False),
        ([-0.6, 0.1, 0.4], True),
        ([], False),
    ],
)
def test_views_disagree_when_both_have_weight(llrs: list[float], is_noted: bool) -> None:
    terms = [Term(f"view {i}", llr) for i, llr in enumerate(llrs)]
    rest = [Term(REST, 9.0), Term(REST, -9.0)]  # what kind and length add is no view
    for own in (terms, terms + rest):
        assert bool([*notes_of(SOUND, SOUND, Limits(), terms=own)]) == is_noted


def test_the_views_that_disagree_are_named() -> None:
    terms = [Term("network", 0.8), Term("characters", -0.7), Term("tokens", 0.1)]
    (note,) = notes_of(SOUND, SOUND, Limits(), terms=terms)
    assert note.code == "views-disagree"
    assert note.message == "the views disagree: network for one author, characters for two"


def test_columns_of_sides_give_their_readings_back() -> None:
    readings = [
        Reading(5, 2, 0.25, "mail", True, 3, 1.5, "blogs", -0.5),
        Reading(7, 0, None, None, False, 1, 2.5, None, None),
    ]
    sides = Sides.of(readings)
    assert list(map(sides.__getitem__, range(2))) == readings
    assert [len(sides), len(sides.select(slice(1, 2)))] == [2, 1]
    assert sides.select(np.array([1, 0]))[1] == readings[0]
    assert sides.is_genre("mail").tolist() == [True, False]
    assert sides.is_genre("blogs").tolist() == sides.is_genre("novels").tolist() == [False, False]
    for other in (replace(readings[1], genre="blogs"), readings[1]):
        assert Sides.of([other]).is_genre("mail").tolist() == [False]


def test_caveats_are_those_that_notes_tell() -> None:
    """Rows of terms and numbers of stretches: a note of either kind is a caveat."""
    limits = Limits(most_stretches=12.0)
    names = ("network", "characters", APART, REST)
    rows = [
        ([0.9, 0.2, 0.0, -2.0], 1.0),
        ([0.9, -0.2, -0.9, 0.1], 12.4),
        ([0.9, 0.2, 0.0, 0.1], 12.5),
        ([0.3, -0.3, 0.0, 0.1], 2.0),
        ([-0.3, 0.29, 0.0, 0.4], 2.0),
        ([-0.7, 0.31, 0.4, 0.0], 40.0),
    ]
    values, stretches = (np.array(column) for column in zip(*rows, strict=True))
    many, contradict = find_caveats(values, stretches, names, limits)
    assert many.tolist() == [False, False, True, False, False, True]
    assert contradict.tolist() == [False, False, False, True, False, True]
    for row, (_, n), *caveats in zip(values, rows, many, contradict, strict=True):
        terms = [*map(Term, names, row)]
        codes = {note.code for note in notes_of(SOUND, SOUND, limits, terms=terms, stretches=n)}
        assert [code in codes for code in ("many-texts", "views-disagree")] == caveats
    alone, none = find_caveats(None, stretches, (), limits)
    assert alone.tolist() == many.tolist() and not none.any()
