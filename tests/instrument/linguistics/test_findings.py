"""Shared and distinctive habits: what tells more comes first, and every place is a true one."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adhominem.instrument.linguistics.findings import (
    Finding,
    Findings,
    SideHabits,
    form_of,
    weigh_habits,
)
from adhominem.instrument.linguistics.habits import CATEGORIES, find_habits
from adhominem.instrument.linguistics.reference import reference_for
from adhominem.instrument.linguistics.text_tokens import Hit

PARTS = (
    *("cuz", "because", "definately", "&", "and", "w/", "with", "sooo", "!!", "...", "i", "alot"),
    *("<b>", "(", ")", ",", "The", "room", "was", "TOTALLY", "Mr", "favourite", "日本語", "\ud800"),
)
TEXTS = st.lists(st.sampled_from(PARTS), max_size=40).map(" ".join) | st.text(max_size=60)


def side(*texts: str) -> SideHabits:
    return SideHabits(texts, tuple(find_habits(text) for text in texts))


def weigh(left: str, right: str, genre: str | None = None) -> Findings:
    return weigh_habits(side(left), side(right), reference_for(genre))


def forms(findings: tuple[Finding, ...]) -> list[str | None]:
    return [finding.form for finding in findings]


def test_rare_forms_tell_more_than_commas(samples: tuple[str, str]) -> None:
    shared = forms(weigh(*samples, "hotels").shared)
    assert {"definately", "w/", "tho", "&", ","} <= set(shared)
    assert max(shared.index(form) for form in ("definately", "w/", "tho", "&")) < 5
    assert shared.index(",") > 5


def test_a_word_for_another_is_a_shared_form() -> None:
    """Whatever stands around it: "your" is meant as "you're" in both."""
    found = weigh("If your not sure, ask.", "There your in the middle of town.", "hotels")
    [your] = [finding for finding in found.shared if finding.form == "your"]
    assert (your.category, your.intended) == ("non-standard grammar", "you're")
    assert your.is_listed and 0 < your.share < 0.05
    taken = weigh("He has took it.", "She has took them.", "hotels").shared
    assert forms(taken)[0] == "has took"


def test_what_one_side_has_and_the_other_has_not_sets_them_apart() -> None:
    plain = "The room was clean and the staff were kind. " * 6
    marked = "The room was clean & the staff were kind. " * 6
    found = weigh(marked, plain)
    assert forms(found.distinctive)[0] == "&"
    assert "&" not in forms(found.shared)
    assert (len(found.distinctive[0].left), len(found.distinctive[0].right)) == (6, 0)


def test_the_standard_word_on_the_other_side_sets_them_apart() -> None:
    found = weigh("We left cuz it was late.", "We stayed because it was early.")
    [cuz] = [finding for finding in found.distinctive if finding.form == "cuz"]
    assert (cuz.intended, cuz.standard) == ("because", 1)
    both = weigh("We left cuz it was late, and because of rain.", "We stayed because it was early.")
    assert "cuz" not in forms(both.distinctive)
    assert "cuz" not in forms(weigh("We left cuz it was late.", "We stayed.").distinctive)


def test_very_different_rates_are_not_shared() -> None:
    commas = "Oh, well, yes, no, so, and, but, then, now, here."
    found = weigh(commas, "Once, long " + "ago it " * 200)
    assert "," in forms(found.distinctive)
    assert "," not in forms(found.shared)


def test_a_category_is_told_by_its_forms_where_there_are_any() -> None:
    mistake = "substituted characters"
    found = weigh("It was definately seperate.", "It was definately wierd.")
    assert forms(found.shared)[0] == "definately"
    assert [f.form for f in found.shared if f.category == mistake] == ["definately"]
    other = weigh("It was seperate from us.", "It was very wierd to us.")
    assert [f.form for f in other.shared if f.category == mistake] == [None]


def test_a_sign_inside_an_abbreviation_is_no_use_of_the_sign() -> None:
    assert "/" not in forms(weigh("a room w/ a view", "a room w/ a bath").shared)


def test_categories_on_trial_give_no_evidence() -> None:
    text = "A great Hotel with a nice Pool, good Food, great Staff and very nice Beds. "
    found = weigh(text * 3, text * 3)
    experimental = {category.name for category in CATEGORIES if category.experimental}
    assert any(hit.category in experimental for hit in find_habits(text * 3).hits)
    assert not experimental & {f.category for f in (*found.shared, *found.distinctive)}


@settings(max_examples=150)
@given(left=TEXTS, right=TEXTS)
def test_any_two_texts(left: str, right: str) -> None:
    sides = side(left), side(right)
    found = weigh_habits(*sides, reference_for(None))
    assert found == weigh_habits(*sides, reference_for(None))
    keys = [(f.category, f.form) for f in (*found.shared, *found.distinctive)]
    assert len(keys) == len(set(keys))
    for findings in (found.shared, found.distinctive):
        tellings = [finding.telling for finding in findings]
        assert tellings == sorted(tellings, reverse=True)
    for finding in (*found.shared, *found.distinctive):
        assert 0 < finding.share <= 1
        assert finding.telling >= 0
        for text, places in ((left, finding.left), (right, finding.right)):
            for place in places:
                hit = Hit(
                    place.start, place.end, finding.category, text[place.start : place.end], None
                )
                assert finding.form in (None, form_of(hit))
    for finding in found.shared:
        assert finding.left and finding.right


@settings(max_examples=100)
@given(left=TEXTS, right=TEXTS)
def test_sides_may_be_exchanged(left: str, right: str) -> None:
    one, other = weigh(left, right), weigh(right, left)
    for found, mirrored in ((one.shared, other.shared), (one.distinctive, other.distinctive)):
        assert {(f.category, f.form, f.left, f.right) for f in found} == {
            (f.category, f.form, f.right, f.left) for f in mirrored
        }


def test_several_texts_of_a_side_know_their_places() -> None:
    left = side("Nothing here.", "We left cuz it rained.")
    found = weigh_habits(left, side("I came cuz it rained."), reference_for(None))
    [cuz] = [finding for finding in found.shared if finding.form == "cuz"]
    assert [(place.document, place.start) for place in cuz.left] == [(1, 8)]


def test_long_texts_take_no_longer_than_their_tokens() -> None:
    habits = side("We left cuz the room & the bath were seperate, w/ no view!! " * 3000)
    start = time.process_time()
    found = weigh_habits(habits, habits, reference_for("blogs"))
    assert len(found.shared[0].left) >= 3000
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("category", "surface", "form"),
    [
        ("accumulated punctuation", ". . . .", "..."),
        ("accumulated punctuation", "…", "..."),
        ("accumulated punctuation", "!!!!!", "!!"),
        ("accumulated punctuation", "?!?", "!?"),
        ("accumulated special characters", "A++++++", "++"),
        ("alternative spelling", "Sooooo", "sooo"),
        ("missing characters", "DONT", "dont"),
        ("punctuation mark", "“", '"'),
        ("punctuation mark", ")", None),
        ("lower for upper case", "i", "i"),
        ("lower for upper case", "the", None),
        ("proper noun", "Rome", None),
    ],
)
def test_forms(category: str, surface: str, form: str | None) -> None:
    assert form_of(Hit(0, len(surface), category, surface)) == form


@pytest.mark.parametrize("genre", ["hotels", "blogs", "reddit", None])
def test_reference_is_whole(genre: str | None) -> None:
    reference = reference_for(genre)
    assert reference.genre == genre
    assert reference.n_texts >= 4000
    counted = {category.name for category in CATEGORIES if not category.experimental}
    assert counted <= reference.categories.keys() <= {category.name for category in CATEGORIES}
    for usual in reference.categories.values():
        assert 0 <= usual.share <= 1
        assert (usual.per_thousand > 0) == (usual.share > 0)
        assert all(0 < share <= usual.share for share in usual.forms.values())


def test_longer_texts_show_more_and_unknown_forms_are_rare() -> None:
    reference = reference_for("hotels")
    shares = [reference.share("special character", "&", n) for n in (10, 100, 1000, 100_000)]
    assert shares == sorted(shares)
    mean = reference.n_tokens // reference.n_texts
    listed = reference.categories["special character"].forms["&"]
    assert reference.share("special character", "&", mean) == pytest.approx(listed, rel=0.02)
    assert reference.share("slang", "nonesuch", mean) == pytest.approx(reference.rarest, rel=0.02)
    assert not reference.is_listed("slang", "nonesuch")
    assert reference_for("poems").genre is None


def test_a_category_that_was_not_counted_is_unlisted() -> None:
    reference = reference_for("hotels")
    mean = reference.n_tokens // reference.n_texts
    for form in (None, "cuz"):
        assert not reference.is_listed("nonesuch", form)
        share = reference.share("nonesuch", form, mean)
        assert share == pytest.approx(reference.rarest, rel=0.02)
