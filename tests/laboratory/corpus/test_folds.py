"""Authors to splits and folds."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adhominem.laboratory.corpus.hashes import hash_texts
from adhominem.laboratory.corpus.labels import Cuts, part_of

PROPERTY = settings(max_examples=100, deadline=None)
NAMES = st.lists(st.text(max_size=8), unique=True, max_size=60)
SEEDS = st.integers(0, 2**32)


def split(names: list[str], seed: int = 1, train: float = 0.8, dev: float = 0.1) -> list[int]:
    places = hash_texts(names, key=seed)
    cuts = Cuts(places, train=train, dev=dev, folds=5)
    return part_of(places, cuts.split).tolist()


@given(NAMES, SEEDS, st.integers(0, 10), st.integers(0, 10), st.integers(2, 7))
@PROPERTY
def test_parts_have_the_sizes_that_were_asked_for(
    names: list[str], seed: int, train: int, dev: int, n_folds: int
) -> None:
    train = min(train, 10 - dev)
    places = hash_texts(names, key=seed)
    cuts = Cuts(places, train=train / 10, dev=dev / 10, folds=n_folds)
    n = len(names)
    first, second = round(train / 10 * n), round((train / 10 + dev / 10) * n)
    sizes = Counter(part_of(places, cuts.split).tolist())
    assert [sizes[i] for i in range(3)] == [first, second - first, n - second]
    sizes = Counter(part_of(places, cuts.fold).tolist())
    assert sum(sizes[i] for i in range(n_folds)) == n
    assert all(abs(sizes[i] - n / n_folds) <= 1 for i in range(n_folds))


@given(st.lists(st.sampled_from([f"author{i}" for i in range(30)]), max_size=90), SEEDS)
@PROPERTY
def test_an_author_is_in_one_part_whatever_the_order_of_the_documents(
    names: list[str], seed: int
) -> None:
    """Of each document the author's place alone counts; another order moves nobody."""
    authors = sorted(set(names))
    cuts = Cuts(hash_texts(authors, key=seed), train=0.6, dev=0.2, folds=4)
    again = Cuts(hash_texts(authors[::-1], key=seed), train=0.6, dev=0.2, folds=4)
    assert vars(cuts) == vars(again)
    places = hash_texts(names, key=seed)
    for parts in (part_of(places, cuts.split), part_of(places, cuts.fold)):
        assert len({*zip(names, parts.tolist(), strict=True)}) == len(authors)
        by_name = dict(zip(names, parts.tolist(), strict=True))
        assert [by_name[name] for name in names] == parts.tolist()


def test_another_seed_is_another_split() -> None:
    names = [f"author{i}" for i in range(100)]
    assert split(names, 1) == split(names, 1)
    assert split(names, 1) != split(names, 2)
    both = sum(a == b == 2 for a, b in zip(split(names, 1), split(names, 2), strict=True))
    assert both < 6  # of ten test authors


@pytest.mark.parametrize(
    ("train", "dev", "sizes"), [(1, 0, [9, 0, 0]), (0, 1, [0, 9, 0]), (0, 0, [0, 0, 9])]
)
def test_a_part_may_be_everything_or_nothing(train: float, dev: float, sizes: list[int]) -> None:
    parts = split([f"author{i}" for i in range(9)], train=train, dev=dev)
    assert np.bincount(parts, minlength=3).tolist() == sizes
