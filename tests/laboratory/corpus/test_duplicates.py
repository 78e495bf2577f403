"""Near duplicates against sets of word n-grams."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adhominem.instrument.text.tokenise import tokenise
from adhominem.laboratory.corpus import duplicates
from adhominem.laboratory.corpus.duplicates import exact_duplicates, near_duplicates
from adhominem.laboratory.corpus.hashes import Hashes, hash_texts

PROPERTY = settings(max_examples=150)
REVIEW = (
    "We stayed three nights in a quiet room with a view of the harbour. Breakfast was rich, the "
    "staff helped us with tickets for the boat, and the bed was better than the one at home."
)


def hashes_of(numbers: list[int]) -> Hashes:
    return hash_texts(str(number) for number in numbers)


def repeats_of(texts: list[str], authors: list[int]) -> list[bool]:
    corpus = tokenise(texts)
    documents = corpus.sentences[corpus.documents]
    words = hash_texts(corpus.types)[corpus.tokens]
    return near_duplicates(words, documents, hashes_of(authors)).tolist()


def slow_repeats(
    documents: list[list[int]], authors: list[int], n: int, share: Fraction
) -> list[bool]:
    kept: dict[int, list[set[tuple[int, ...]]]] = {}
    repeats = []
    for document, author in zip(documents, authors, strict=True):
        ngrams = {tuple(document[i : i + n]) for i in range(len(document) - n + 1)}
        is_repeat = any(
            len(ngrams & other) > share * size
            for other in kept.get(author, [])
            for size in (len(ngrams), len(other))
            if size
        )
        repeats.append(is_repeat)
        if not is_repeat:
            kept.setdefault(author, []).append(ngrams)
    return repeats


@given(
    st.lists(st.tuples(st.lists(st.integers(0, 3), max_size=12), st.integers(0, 2)), max_size=8),
    st.integers(1, 5),
    st.integers(0, 10),
)
@PROPERTY
def test_repeats_are_those_of_a_loop_over_sets(
    rows: list[tuple[list[int], int]], n: int, tenths: int
) -> None:
    documents, authors = [tokens for tokens, _ in rows], [author for _, author in rows]
    found = near_duplicates(
        hashes_of([token for tokens in documents for token in tokens]),
        np.cumsum([0, *map(len, documents)]),
        hashes_of(authors),
        n=n,
        share=tenths / 10,
    )
    assert found.tolist() == slow_repeats(documents, authors, n, Fraction(tenths, 10))


def test_a_copy_with_small_edits_is_found_and_the_first_one_stays() -> None:
    edited = REVIEW.replace("three", "four").replace("boat", "ferry") + " Come again!"
    other = (
        "The lift was out of order, and nobody at the desk cared to tell us when it would run. "
        "Our room smelled of smoke. We moved twice, and got half a night's sleep in the end."
    )
    assert repeats_of([REVIEW, other, edited, other + " Never again."], [1, 1, 1, 1]) == [
        False,
        False,
        True,
        True,
    ]


def test_a_review_inside_a_longer_one_is_found_in_either_order() -> None:
    longer = "Dear reader, this is long. " * 2 + REVIEW + " And so on, for many more words." * 9
    assert repeats_of([REVIEW, longer], [5, 5]) == [False, True]
    assert repeats_of([longer, REVIEW], [5, 5]) == [False, True]


def test_the_same_text_by_two_authors_is_no_repeat() -> None:
    assert repeats_of([REVIEW, REVIEW, REVIEW, REVIEW], [2, 1, 2, 1]) == [False, False, True, True]


def test_a_tenth_is_allowed_and_no_more() -> None:
    """14 tokens have 10 5-grams; the first 5 tokens in common are one, the first 6 are two."""
    first = list(range(14))
    for n_common, is_repeat in ((4, False), (5, False), (6, True)):
        second = first[:n_common] + list(range(100, 114 - n_common))
        found = near_duplicates(hashes_of(first + second), np.array([0, 14, 28]), hashes_of([0, 0]))
        assert found.tolist() == [False, is_repeat]


def test_ngrams_do_not_reach_into_the_next_document() -> None:
    """Of five documents of three tokens none has a 5-gram, though the whole has eleven."""
    tokens = hashes_of([1, 2, 3] * 5)
    found = near_duplicates(tokens, np.arange(0, 16, 3), hashes_of([0] * 5))
    assert not found.any()


def test_no_documents_have_no_repeats() -> None:
    none = near_duplicates(hashes_of([]), np.zeros(1, np.int64), hashes_of([]))
    assert none.tolist() == []
    assert exact_duplicates(hashes_of([]), hashes_of([])).tolist() == []


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=12))
@PROPERTY
def test_exact_duplicates_are_the_later_ones_of_one_author(rows: list[tuple[int, int]]) -> None:
    texts, authors = [text for text, _ in rows], [author for _, author in rows]
    found = exact_duplicates(hashes_of(texts), hashes_of(authors))
    assert found.tolist() == [row in rows[:i] for i, row in enumerate(rows)]


def test_blocks_of_documents_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    tokens, edges = hashes_of(rng.integers(0, 3, 600).tolist()), np.arange(0, 601, 10)
    authors = hashes_of(rng.integers(0, 3, 60).tolist())
    whole = near_duplicates(tokens, edges, authors, n=4)
    monkeypatch.setattr(duplicates, "_BLOCK", 7)
    assert np.array_equal(whole, near_duplicates(tokens, edges, authors, n=4))
    assert 0 < whole.sum() < 57
