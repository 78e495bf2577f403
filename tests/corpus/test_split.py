"""Splits by author: disjoint, near their shares, and a function of the names and the seed."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adhominem.corpus.split import SPLITS, split_by_author

PROPERTY = settings(max_examples=100, deadline=None)
AUTHORS = st.lists(st.text("abé日 ", max_size=3), max_size=60)
SEEDS = st.integers(0, 2**32)
SHARES = st.tuples(*[st.floats(0.01, 10)] * 3)
MANY = [f"author{i % 500}" for i in range(2000)]


@given(AUTHORS, SEEDS, SHARES)
@PROPERTY
def test_no_author_is_in_two_splits(
    authors: list[str], seed: int, shares: tuple[float, float, float]
) -> None:
    splits = split_by_author(authors, seed=seed, shares=shares)
    assert len(splits) == len(authors)
    assert set(splits.tolist()) <= set(range(len(SPLITS)))
    for author in set(authors):
        assert len({s for s, a in zip(splits.tolist(), authors, strict=True) if a == author}) == 1


@given(AUTHORS, SEEDS, SHARES)
@PROPERTY
def test_each_split_has_its_share_of_the_authors_but_for_one(
    authors: list[str], seed: int, shares: tuple[float, float, float]
) -> None:
    splits = split_by_author(authors, seed=seed, shares=shares)
    split_of = dict(zip(authors, splits.tolist(), strict=True))
    for number, share in enumerate(shares):
        exact = share / sum(shares) * len(split_of)
        assert abs(list(split_of.values()).count(number) - exact) <= 1 + 1e-6


@pytest.mark.parametrize("seed", [0, 1, 7])
def test_the_default_is_eight_one_one(seed: int) -> None:
    splits = split_by_author(MANY, seed=seed)
    assert np.bincount(splits).tolist() == [1600, 200, 200]  # each author has four documents


def test_a_seed_is_one_split_and_another_seed_another() -> None:
    one = split_by_author(MANY, seed=3)
    np.testing.assert_array_equal(one, split_by_author(MANY, seed=3))
    assert (one != split_by_author(MANY, seed=4)).any()


@given(AUTHORS, SEEDS, st.randoms(use_true_random=False))
@PROPERTY
def test_neither_the_order_nor_the_number_of_documents_matters(
    authors: list[str], seed: int, rng: random.Random
) -> None:
    split_of = dict(zip(authors, split_by_author(authors, seed=seed).tolist(), strict=True))
    others = [author for author in split_of for _ in range(rng.randint(1, 3))]
    rng.shuffle(others)
    assert split_by_author(others, seed=seed).tolist() == [split_of[author] for author in others]
