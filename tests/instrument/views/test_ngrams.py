"""Character and masked-token sequences, against slow loops."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adhominem.instrument.text.tokenise import tokenise
from adhominem.instrument.views.ngrams import (
    CharacterNgrams,
    MaskedTokens,
    character_pairs,
    mask_class,
)

TEXTS = st.lists(st.text("aAb .!\n\t’…1🙂", max_size=30), min_size=1, max_size=4)
VIEWS = (
    CharacterNgrams(("a b.", "aaaa", " a a", "b. A", "’…1a", "AaAa", "\nabA")),
    character_pairs(("a ", "aa", "  ", "’…", "\na", "🙂a", "A.")),
)
FOURS = VIEWS[0]


def squeezed(text: str) -> str:
    """White space as a blank or a new line, at most two in a row, character by character."""
    kept = ""
    blanks = 0
    for character in text:
        blanks = blanks + 1 if character.isspace() else 0
        if blanks <= 2:
            is_line = character in "\n\r"
            kept += ("\n" if is_line else " ") if character.isspace() else character
    return kept


@pytest.mark.parametrize("view", VIEWS)
@given(texts=TEXTS)
def test_characters_are_those_of_a_slow_loop(view: CharacterNgrams, texts: list[str]) -> None:
    found = view.find(texts, tokenise(texts))
    for number, text in enumerate(texts):
        short = squeezed(text)
        sequences = [short[i : i + view.length] for i in range(len(short) - view.length + 1)]
        assert found.totals[number] == len(sequences)
        own = Counter(view.features[f] for f in found.feature[found.text == number])
        assert own == Counter(s for s in sequences if s in view.features)


@pytest.mark.parametrize("view", VIEWS)
@given(texts=TEXTS)
def test_positions_are_those_of_the_text(view: CharacterNgrams, texts: list[str]) -> None:
    found = view.find(texts, tokenise(texts))
    for text, feature, start, end in zip(
        found.text, found.feature, found.start, found.end, strict=True
    ):
        assert squeezed(texts[text][start:end])[-1] == view.features[feature][-1]
        assert end - start >= view.length


def test_cues_as_written_are_features() -> None:
    """A missing space, curly quotes and an ellipsis in one sign stand in different sequences."""
    one, other = "I read the book.5 stars. It’s good…", "I read the book. 5 stars. It's good..."
    codes = [set(FOURS.keys(FOURS.codes(t)[0]).tolist()) for t in (one, other)]
    assert len(codes[0] - codes[1]) >= 8


WORDS = ("the", "i", "was", ".", "!")


@given(
    texts=st.lists(
        st.lists(st.sampled_from(["The", "dog", "I", "was", "happily", "Paris", ".", "42"])).map(
            " ".join
        ),
        min_size=1,
        max_size=3,
    )
)
def test_masked_sequences_are_those_of_a_slow_loop(texts: list[str]) -> None:
    features = ("the NOUN", "NOUN", "i was ADVERB", "NAME .", "NUMBER", "the")
    tokens = tokenise(texts)
    view = MaskedTokens(WORDS, features)
    found = view.find(texts, tokens)
    words, edges = tokens.words(), tokens.sentences[tokens.documents]
    for number in range(len(texts)):
        own = [
            w.lower() if w.lower() in WORDS else mask_class(w)
            for w in words[edges[number] : edges[number + 1]]
        ]
        grams = [" ".join(own[i : i + n]) for n in (1, 2, 3) for i in range(len(own) - n + 1)]
        assert found.totals[number] == len(grams)
        got = Counter(features[f] for f in found.feature[found.text == number])
        assert got == Counter(g for g in grams if g in features)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("dog", "NOUN"),
        ("Paris", "NAME"),
        ("running", "VERB"),
        ("cameras", "PLURAL"),
        ("quickly", "ADVERB"),
        ("famous", "ADJECTIVE"),
        ("3rd", "NUMBER"),
        ("!?", "SIGN"),
    ],
)
def test_classes_of_words(word: str, expected: str) -> None:
    assert mask_class(word) == expected


def test_a_key_is_decoded() -> None:
    view = MaskedTokens(WORDS, ())
    tokens = tokenise(["I was happily running ."])
    keys = view.sequences(tokens)[0]
    assert {view.decode(int(key)) for key in keys} >= {"i was ADVERB", "VERB .", "ADVERB"}
    assert np.all(keys > 0)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("wanted", "VERB"), ("helpful", "ADJECTIVE"), ("massive", "ADJECTIVE"),
        ("floral", "ADJECTIVE"), ("readable", "ADJECTIVE"), ("glorious", "ADJECTIVE"),
        ("fly", "NOUN"), ("ably", "NOUN"), ("daily", "ADVERB"),  # three letters before the ending
        ("bus", "NOUN"), ("cats", "PLURAL"), ("sing", "NOUN"), ("McDonald", "NAME"),
        ("iPhone", "NOUN"), ("route66", "NUMBER"), ("-", "SIGN"), ("x", "NOUN"),
    ],
)  # fmt: skip
def test_an_ending_tells_the_class_of_a_long_enough_word(word: str, expected: str) -> None:
    assert mask_class(word) == expected


@pytest.mark.parametrize("blank", [chr(c) for c in range(0x3001) if chr(c).isspace()])
def test_every_white_space_is_a_blank_or_a_new_line(blank: str) -> None:
    """But for four separators of data, which no text has."""
    if blank in "\x1c\x1d\x1e\x1f\u1680":
        return
    [found] = FOURS.codes(blank)[0].tolist()
    assert chr(found) == ("\n" if blank in "\n\r" else " ")


def test_characters_beyond_the_basic_plane_are_one() -> None:
    """Sequences with any two of them have the same number."""
    one, other = (FOURS.keys(FOURS.codes(t)[0]) for t in ("ab🙂c", "ab🚀c"))
    assert one.tolist() == other.tolist()
    plain = FOURS.keys(FOURS.codes("ab\u2603c")[0])
    assert plain.tolist() != one.tolist()


def test_a_view_without_features_finds_nothing() -> None:
    texts = ["some words", ""]
    tokens = tokenise(texts)
    for view in (CharacterNgrams(()), MaskedTokens(WORDS, ())):
        found = view.find(texts, tokens)
        assert not len(found.feature) and not len(found.text)
        assert len(found.totals) == 2 and found.totals[0] > 0 == found.totals[1]


def test_masked_sequences_stand_where_their_tokens_do() -> None:
    texts = ["no. The dog barks", "I saw the cat"]
    view = MaskedTokens(WORDS, ("the NOUN",))
    found = view.find(texts, tokenise(texts))
    spans = zip(found.text, found.start, found.end, strict=True)
    assert [texts[text][start:end] for text, start, end in spans] == ["The dog", "the cat"]


def test_broken_characters_count_as_question_marks() -> None:
    broken, marked = (FOURS.codes(text)[0].tolist() for text in ("ab\ud800c", "ab?c"))
    assert broken == marked
