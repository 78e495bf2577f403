"""The vocabulary: what is kept, in which order, and whose texts may decide it."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adhominem.instrument.text.normalise import UNIVERSAL
from adhominem.instrument.text.tokenise import tokenise
from adhominem.instrument.text.tokenised import Tokenised, join, offsets
from adhominem.instrument.text.vocabulary import (
    LINE_BREAK,
    PADDING,
    RESERVED_WORDS,
    SENTENCE_END,
    UNKNOWN,
    Vocabulary,
)

PROPERTY = settings(max_examples=60)
WORDS = st.text("abcé日", min_size=1, max_size=4) | st.sampled_from(RESERVED_WORDS)


def one_sentence(words: list[str]) -> Tokenised:
    types = tuple(dict.fromkeys(words))
    places = np.arange(len(words), dtype=np.int32)
    tokens = np.array([types.index(word) for word in words], dtype=np.int32)
    edges = offsets([len(words)] if words else [])
    return Tokenised(types, tokens, places, places + 1, edges, np.array([0, len(edges) - 1]))


def test_words_and_characters_at_the_limits_are_kept_below_them_not() -> None:
    counts = {"aa": 20, "bb": 19, "cc": 50, "dd": 30, "d": 39, "e": 100}
    vocabulary = Vocabulary.fit(counts)
    assert set(vocabulary.words) == {*RESERVED_WORDS, "aa", "cc", "dd", "d", "e"}
    # aa: 40 times a; bb: 38 b; cc: exactly 100 c; dd and d: 60 + 39 = 99 d; exactly 100 e.
    assert set(vocabulary.characters) == {"c", "e"}


def test_rare_words_still_count_for_their_characters() -> None:
    counts = {f"x{i}": 1 for i in range(100)}
    vocabulary = Vocabulary.fit(counts)
    assert vocabulary.words == RESERVED_WORDS
    assert vocabulary.characters == "x"


@given(st.dictionaries(WORDS, st.integers(1, 6)), st.integers(1, 6), st.integers(1, 12))
@PROPERTY
def test_the_cut_is_that_of_a_count_over_the_whole_text(
    counts: dict[str, int], min_words: int, min_characters: int
) -> None:
    vocabulary = Vocabulary.fit(
        counts, min_word_count=min_words, min_character_count=min_characters
    )
    text = [word for word, n in counts.items() for _ in range(n) if word not in RESERVED_WORDS]
    words, characters = Counter(text), Counter("".join(text))
    assert set(vocabulary.words[len(RESERVED_WORDS) :]) == {
        word for word, n in words.items() if n >= min_words
    }
    assert set(vocabulary.characters) == {c for c, n in characters.items() if n >= min_characters}
    assert len(set(vocabulary.words)) == vocabulary.n_words
    assert vocabulary.n_characters == len(set(vocabulary.characters)) + 2


@given(st.dictionaries(WORDS, st.integers(1, 6)), st.randoms(use_true_random=False))
@PROPERTY
def test_the_order_is_by_count_and_then_by_word_however_it_was_counted(
    counts: dict[str, int], rng: random.Random
) -> None:
    shuffled = list(counts.items())
    rng.shuffle(shuffled)
    one = Vocabulary.fit(counts, min_word_count=1, min_character_count=1)
    assert one == Vocabulary.fit(dict(shuffled), min_word_count=1, min_character_count=1)
    ranks = [(-counts[word], word) for word in one.words[len(RESERVED_WORDS) :]]
    assert ranks == sorted(ranks)


def test_reserved_words_come_first_and_stand_for_no_spelling() -> None:
    vocabulary = Vocabulary.fit({"a": 99, "<url>": 99}, min_word_count=1, min_character_count=1)
    assert vocabulary.words[: len(RESERVED_WORDS)] == RESERVED_WORDS
    assert RESERVED_WORDS[PADDING] == "<padding>"
    assert RESERVED_WORDS[UNKNOWN] == "<unknown>"
    assert {"<sentence-end>", "<line-break>"} < set(RESERVED_WORDS)  # as in every model folder
    assert {SENTENCE_END, LINE_BREAK, *UNIVERSAL.values()} < set(RESERVED_WORDS)
    assert [vocabulary.word_number(word) for word in RESERVED_WORDS] == list(
        range(len(RESERVED_WORDS))
    )
    assert all(vocabulary.character_numbers(word) == [] for word in RESERVED_WORDS)


def test_numbers_are_places_and_what_is_rare_is_unknown() -> None:
    vocabulary = Vocabulary.fit({"ab": 2, "ba": 2, "b": 1}, min_word_count=2, min_character_count=5)
    assert vocabulary.words[vocabulary.word_number("ba")] == "ba"
    assert vocabulary.word_number("ab") == len(RESERVED_WORDS)
    assert vocabulary.word_number("b") == vocabulary.word_number("never seen") == UNKNOWN
    assert vocabulary.characters == "b"
    assert vocabulary.character_numbers("baX") == [2, UNKNOWN, UNKNOWN]


@pytest.mark.parametrize("word", RESERVED_WORDS)
def test_a_reserved_string_in_the_tokens_of_a_user_changes_nothing(word: str) -> None:
    plain = one_sentence(["a", "b", "a"])
    forged = one_sentence(["a", word, "b", word, "a"])
    limits = {"min_word_count": 1, "min_character_count": 1}
    assert Vocabulary.fit(forged.counts(), **limits) == Vocabulary.fit(plain.counts(), **limits)


@given(st.lists(st.lists(WORDS, max_size=8), max_size=6), st.lists(st.lists(WORDS), max_size=6))
@PROPERTY
def test_test_documents_leave_the_training_vocabulary_alone(
    train: list[list[str]], test: list[list[str]]
) -> None:
    everything = join([one_sentence(words) for words in [*test, *train]])
    chosen = everything.select(np.arange(len(test), len(test) + len(train)))
    alone = join([one_sentence(words) for words in train])
    limits = {"min_word_count": 2, "min_character_count": 3}
    assert Vocabulary.fit(chosen.counts(), **limits) == Vocabulary.fit(alone.counts(), **limits)


def test_the_same_holds_for_texts() -> None:
    train = ["The room was clean. The staff, too!", "A clean room… at last"]
    test = ["Zebras love www.x.com 👍 the the the"]
    joined = tokenise([*train, *test])
    limits = {"min_word_count": 1, "min_character_count": 1}
    fitted = Vocabulary.fit(joined.select(np.array([0, 1])).counts(), **limits)
    assert fitted == Vocabulary.fit(tokenise(train).counts(), **limits)
    assert "Zebras" not in fitted.words
    assert "Z" not in fitted.characters
    assert fitted != Vocabulary.fit(joined.counts(), **limits)


def test_words_of_too_few_authors_are_dropped() -> None:
    texts = tokenise(["our bungalow is bungalow", "the bungalow", "the pool, the pool"])
    authors = np.array([7, 7, 3])
    by_author = texts.author_counts(authors)
    assert by_author == {"our": 1, "bungalow": 1, "is": 1, "the": 2, "pool": 1, ",": 1}
    fitted = Vocabulary.fit(
        texts.counts(),
        min_word_count=1,
        min_character_count=1,
        authors=by_author,
        min_word_authors=2,
    )
    assert set(fitted.words) - set(RESERVED_WORDS) == {"the"}
