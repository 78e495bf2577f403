"""Authors to splits and folds."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adhominem.laboratory.corpus.hashes import hash_texts
from adhominem.laboratory.corpus.labels import cut_authors, part_of

PROPERTY = settings(max_examples=100)
NAMES = st.lists(st.text(max_size=8), unique=True, max_size=60)
SEEDS = st.integers(0, 2**32)


def split(names: list[str], seed: int = 1, train: float = 0.8, dev: float = 0.1) -> list[int]:
    places = hash_texts(names, key=seed)
    return part_of(places, cut_authors(places, [train, train + dev])).tolist()


@given(NAMES, SEEDS, st.integers(0, 10), st.integers(0, 10), st.integers(2, 7))
@PROPERTY
def test_parts_have_the_sizes_that_were_asked_for(
    names: list[str], seed: int, train: int, dev: int, n_folds: int
) -> None:
    train = min(train, 10 - dev)
    places = hash_texts(names, key=seed)
    shares, n = [train / 10, train / 10 + dev / 10], len(names)
    first, second = (round(share * n) for share in shares)
    sizes = Counter(part_of(places, cut_authors(places, shares)).tolist())
    assert [sizes[i] for i in range(3)] == [first, second - first, n - second]
    cuts = cut_authors(places, [i / n_folds for i in range(1, n_folds)])
    sizes = Counter(part_of(places, cuts).tolist())
    assert sum(sizes[i] for i in range(n_folds)) == n
    assert all(abs(sizes[i] - n / n_folds) <= 1 for i in range(n_folds))


@given(st.lists(st.sampled_from([f"author{i}" for i in range(30)]), max_size=90), SEEDS)
@PROPERTY
def test_an_author_is_in_one_part_whatever_the_order_of_the_documents(
    names: list[str], seed: int
) -> None:
    """Of each document the author's place alone counts; another order moves nobody."""
    authors = sorted(set(names))
    places = hash_texts(names, key=seed)
    for shares in ([0.6, 0.8], [0.25, 0.5, 0.75]):
        cuts = cut_authors(hash_texts(authors, key=seed), shares)
        assert cut_authors(hash_texts(authors[::-1], key=seed), shares) == cuts
        parts = part_of(places, cuts)
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
