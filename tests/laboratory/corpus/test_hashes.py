"""Hashes against tuples: what is equal has one hash, what differs has two."""

from __future__ import annotations

import hashlib

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from adhominem.laboratory.corpus.hashes import (
    Hashes,
    hash_ngrams,
    hash_texts,
    mix,
    ngrams_of_documents,
)

PROPERTY = settings(max_examples=150)
KEYS = st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 9), max_size=60)


def words(tokens: list[int]) -> Hashes:
    return hash_texts(map(str, tokens))


@given(st.lists(st.text()), st.integers(0, 2**64 - 1))
@PROPERTY
def test_a_text_has_64_bits_of_blake2b(texts: list[str], key: int) -> None:
    expected = [
        hashlib.blake2b(t.encode(), digest_size=8, key=key.to_bytes(8, "little")).digest()
        for t in texts
    ]
    found = hash_texts(texts, key=key)
    assert found.dtype == np.uint64
    assert [int(n).to_bytes(8, "little") for n in found] == expected


def test_hashes_never_change() -> None:
    """Splits of corpora that are built already depend on these numbers."""
    assert hash_texts(["", "author", "naïve 🙂"], key=1).tolist() == [
        2210062140993465007,
        17314540889474775985,
        17070948919166701273,
    ]


def test_any_string_has_a_hash() -> None:
    lone, other = hash_texts(["\ud800", "\udfff"])
    assert lone != other


def slow_mix(one: int, other: int) -> int:
    mixed = (one * 0x9E3779B97F4A7C15 % 2**64 ^ other) * 0xD1B54A32D192ED03 % 2**64
    return mixed ^ mixed >> 29


def test_a_5_gram_is_one_token_and_a_run_of_four() -> None:
    a, b, c, d, e = words([1, 2, 3, 4, 5]).tolist()
    expected = slow_mix(a, slow_mix(slow_mix(b, c), slow_mix(d, e)))
    assert hash_ngrams(words([1, 2, 3, 4, 5]), 5).tolist() == [expected]


@given(st.lists(st.integers(0, 3), max_size=80), st.integers(1, 17))
@PROPERTY
def test_ngrams_have_one_hash_when_they_are_equal_and_else_two(tokens: list[int], n: int) -> None:
    expected = [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]
    found = hash_ngrams(words(tokens), n).tolist()
    assert len(found) == len(expected)
    by_hash = dict(zip(found, expected, strict=True))
    by_ngram = dict(zip(expected, found, strict=True))
    assert [by_hash[h] for h in found] == expected
    assert [by_ngram[ngram] for ngram in expected] == found


def test_a_hundred_thousand_ngrams_do_not_collide() -> None:
    tokens = np.random.default_rng(1).integers(0, 50, 100_000).tolist()
    for n in (5, 8):
        expected = {tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)}
        assert len(set(hash_ngrams(words(tokens), n).tolist())) == len(expected)


def test_the_order_of_two_counts() -> None:
    one, other = words([1]), words([2])
    assert mix(one, other) != mix(other, one)


@given(st.lists(st.lists(st.integers(0, 2), max_size=12), max_size=8), st.integers(1, 9))
@PROPERTY
def test_no_ngram_reaches_over_the_edge_of_a_document(documents: list[list[int]], n: int) -> None:
    tokens = words([token for document in documents for token in document])
    edges = np.cumsum([0, *map(len, documents)])
    owner, hashes = ngrams_of_documents(tokens, edges, n)
    expected = [
        (place, int(h))
        for place, document in enumerate(documents)
        for h in hash_ngrams(words(document), n)
    ]
    assert list(zip(owner.tolist(), hashes.tolist(), strict=True)) == expected
