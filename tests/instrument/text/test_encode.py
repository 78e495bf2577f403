"""Ragged integers against lists of lists of words."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from adhominem.instrument.text.encode import Encoded, encode, unknown_counts
from adhominem.instrument.text.tokenise import tokenise
from adhominem.instrument.text.tokenised import Tokenised, join, offsets, take_ranges
from adhominem.instrument.text.vocabulary import (
    LINE_BREAK,
    MARKERS,
    RESERVED_WORDS,
    SENTENCE_END,
    UNKNOWN,
    Vocabulary,
)

Words = list[list[list[str]]]  # documents of sentences of words

PROPERTY = settings(max_examples=60)
WORD = st.text("abé日", min_size=1, max_size=6) | st.sampled_from(["<url>", "<unknown>", "a" * 30])
DOCUMENT = st.lists(st.lists(WORD, min_size=1, max_size=9), max_size=4)
DOCUMENTS = st.lists(DOCUMENT, max_size=6)
VOCABULARY = Vocabulary.fit(
    {"a": 5, "ab": 4, "abé": 3, "b": 2}, min_word_count=3, min_character_count=4
)


def tokenised(documents: Words) -> Tokenised:
    tokens = [word for document in documents for sentence in document for word in sentence]
    types = tuple(dict.fromkeys(tokens))
    places = np.array(
        [place for document in documents for place in range(sum(map(len, document)))], np.int32
    )
    return Tokenised(
        types=types,
        tokens=np.array([types.index(word) for word in tokens], dtype=np.int32),
        starts=places,
        ends=places + 1,
        sentences=offsets([len(sentence) for document in documents for sentence in document]),
        documents=offsets([len(document) for document in documents]),
    )


def words(corpus: Tokenised) -> Words:
    return [
        [
            [corpus.types[t] for t in corpus.tokens[corpus.sentences[s] : corpus.sentences[s + 1]]]
            for s in range(first, last)
        ]
        for first, last in zip(corpus.documents[:-1], corpus.documents[1:], strict=True)
    ]


def lines(encoded: Encoded, types: tuple[str, ...]) -> Words:
    return [
        [
            [types[t] for t in encoded.tokens[encoded.lines[i] : encoded.lines[i + 1]]]
            for i in range(first, last)
        ]
        for first, last in zip(encoded.documents[:-1], encoded.documents[1:], strict=True)
    ]


def slow_lines(documents: Words, max_words: int) -> Words:
    result: Words = []
    for document in documents:
        result.append([])
        for sentence in document:
            rest = list(sentence)
            while len(rest) > max_words - 1:
                result[-1].append([*rest[: max_words - 1], LINE_BREAK])
                rest = rest[max_words - 1 :]
            result[-1].append([*rest, SENTENCE_END])
    return result


@given(DOCUMENTS)
@PROPERTY
def test_tokens_come_back_as_they_were(documents: Words) -> None:
    corpus = tokenised(documents)
    assert words(corpus) == documents
    assert len(set(corpus.types)) == len(corpus.types)
    assert corpus.n_tokens.tolist() == [sum(map(len, document)) for document in documents]
    flat = [word for document in documents for sentence in document for word in sentence]
    assert corpus.counts() == {word: flat.count(word) for word in flat}


@given(DOCUMENTS, st.integers(2, 6))
@PROPERTY
def test_lines_are_those_of_a_loop(documents: Words, max_words: int) -> None:
    corpus = tokenised(documents)
    encoded = encode(corpus, VOCABULARY, max_words=max_words)
    assert lines(encoded, corpus.types + MARKERS) == slow_lines(documents, max_words)
    assert encoded.n_documents == len(documents)


@given(DOCUMENTS, st.integers(1, 8))
@PROPERTY
def test_types_have_their_number_and_at_most_so_many_characters(
    documents: Words, max_characters: int
) -> None:
    corpus = tokenised(documents)
    encoded = encode(corpus, VOCABULARY, max_characters=max_characters)
    assert len(encoded.type_words) == len(corpus.types) + len(MARKERS)
    for i, word in enumerate(corpus.types + MARKERS):
        assert encoded.type_words[i] == (
            VOCABULARY.words.index(word) if word in VOCABULARY.words else UNKNOWN
        )
        start, end = encoded.type_starts[i : i + 2]
        spelling = "" if word in RESERVED_WORDS else word[:max_characters]
        assert encoded.type_characters[start:end].tolist() == [
            VOCABULARY.characters.find(c) + 2 if c in VOCABULARY.characters else UNKNOWN
            for c in spelling
        ]


def test_an_unknown_word_keeps_its_characters_up_to_fifteen() -> None:
    corpus = tokenised([[["ab", "babab", "ab" * 10]]])
    encoded = encode(corpus, VOCABULARY)
    a, b = VOCABULARY.character_numbers("ab")
    assert encoded.type_words.tolist()[1:3] == [UNKNOWN, UNKNOWN]
    assert np.diff(encoded.type_starts).tolist() == [2, 5, 15, 0, 0]
    assert encoded.type_characters[2:7].tolist() == [b, a, b, a, b]


@given(st.lists(DOCUMENTS, max_size=4))
@PROPERTY
def test_joined_parts_are_the_whole_read_at_once(parts: list[Words]) -> None:
    joined = join([tokenised(part) for part in parts])
    whole = tokenised([document for part in parts for document in part])
    assert joined.types == whole.types
    for name in ("tokens", "sentences", "documents"):
        np.testing.assert_array_equal(getattr(joined, name), getattr(whole, name))
        assert getattr(joined, name).dtype == getattr(whole, name).dtype


@given(DOCUMENTS, st.data())
@PROPERTY
def test_a_selection_is_what_reading_it_alone_gives(documents: Words, data: st.DataObject) -> None:
    chosen = data.draw(  # in any order, with repeats
        st.lists(st.sampled_from(range(len(documents))), max_size=8) if documents else st.just([])
    )
    corpus = tokenised(documents)
    selection = corpus.select(np.array(chosen, dtype=np.int64))
    expected = [documents[i] for i in chosen]
    assert words(selection) == expected
    assert selection.counts() == tokenised(expected).counts()
    encoded = encode(corpus, VOCABULARY, max_words=4).select(np.array(chosen, dtype=np.int64))
    assert lines(encoded, corpus.types + MARKERS) == slow_lines(expected, 4)


@given(DOCUMENTS)
@PROPERTY
def test_unknown_tokens_are_counted_per_document(documents: Words) -> None:
    known = set(VOCABULARY.words) - {RESERVED_WORDS[UNKNOWN]}
    expected = [
        sum(word not in known for sentence in document for word in sentence)
        for document in documents
    ]
    assert unknown_counts(tokenised(documents), VOCABULARY).tolist() == expected


def test_empty_documents_are_allowed_everywhere() -> None:
    corpus = tokenise(["", "one two", " ", "\u200b", "three"])
    assert corpus.n_tokens.tolist() == [0, 2, 0, 0, 1]
    assert unknown_counts(corpus, VOCABULARY).tolist() == [0, 2, 0, 0, 1]
    encoded = encode(corpus, VOCABULARY)
    assert np.diff(encoded.documents).tolist() == [0, 1, 0, 0, 1]
    for none in (corpus.select(np.array([0, 2])), tokenise(["", ""])):
        assert none.counts() == {}
        assert unknown_counts(none, VOCABULARY).tolist() == [0, 0]
        assert encode(none, VOCABULARY).documents.tolist() == [0, 0, 0]
        assert encode(none, VOCABULARY).tokens.tolist() == []
    for nothing in (tokenise([]), join([]), join([tokenise([]), tokenise([])])):
        assert nothing.documents.tolist() == [0]
        assert encode(nothing, VOCABULARY).n_documents == 0


@given(st.lists(st.integers(0, 5), min_size=1, max_size=8), st.data())
@PROPERTY
def test_ranges_are_taken_in_the_order_asked_for(lengths: list[int], data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.integers(0, len(lengths) - 1), max_size=10))
    starts = np.concatenate([[0], np.cumsum(lengths)])
    places, new = take_ranges(starts, np.array(chosen, dtype=np.int64))
    ranges = [list(range(starts[c], starts[c + 1])) for c in chosen]
    assert places.tolist() == [place for r in ranges for place in r]
    assert np.diff(new).tolist() == [len(r) for r in ranges]
