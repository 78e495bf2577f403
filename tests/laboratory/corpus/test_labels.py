"""Which documents may stand in a pair."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adhominem.errors import InputError
from adhominem.laboratory.corpus.labels import Labels, join_labels
from adhominem.laboratory.corpus.pairs import PairTable

SEEDS = st.integers(0, 2**32)


def make_labels(seed: int, *, first_topic: int = -1, last_topic: int = 3) -> Labels:
    rng = np.random.default_rng(seed)
    authors = rng.integers(0, 40, 400)
    return Labels(
        authors=authors,
        topics=rng.integers(first_topic, last_topic + 1, 400),
        splits=(authors % 3).astype(np.int8),
        folds=(authors % 5).astype(np.int8),
        copied=rng.random(400) < 0.3,
        genres=np.zeros(400, dtype=np.int64),
    )


def used(table: PairTable) -> set[int]:
    return {*table.left.tolist(), *table.right.tolist()}


@given(SEEDS, st.integers(0, 9))
@settings(max_examples=40)
def test_pairs_are_of_whole_topical_documents_of_their_split(seed: int, epoch: int) -> None:
    labels = make_labels(seed)
    for number, split in enumerate(("train", "dev", "test")):
        table = labels.draw(labels.indices(split), seed=seed, epoch=epoch)
        for place in used(table):
            assert not labels.copied[place]
            assert labels.topics[place] >= 0
            assert labels.splits[place] == number
        assert table.same_topic is not None
        for name, same in (("authors", table.same_author), ("topics", table.same_topic)):
            of = getattr(labels, name)
            assert ((of[table.left] == of[table.right]) == same).all()
        assert len(set(table.cells().values())) == 1
        assert len(table.cells()) == 4


@pytest.mark.parametrize(("first", "last"), [(0, 0), (-1, 0), (-1, -1)])
def test_one_topic_or_none_makes_two_cells(first: int, last: int) -> None:
    labels = make_labels(1, first_topic=first, last_topic=last)
    seen: set[int] = set()
    for epoch in range(40):
        table = labels.draw(labels.indices("train"), seed=1, epoch=epoch)
        assert table.same_topic is None
        assert list(table.cells()) == ["same author", "different authors"]
        seen |= used(table)
    assert not labels.copied[list(seen)].any()
    if first != last:  # then a document without the only topic serves as well
        assert set(labels.topics[list(seen)].tolist()) == {-1, 0}


def test_a_draw_is_a_function_of_seed_and_epoch() -> None:
    labels = make_labels(2)
    places = labels.indices("train")
    first = labels.draw(places, seed=1, epoch=0)
    assert np.array_equal(first.left, labels.draw(places, seed=1, epoch=0).left)
    for seed, epoch in ((1, 1), (2, 0)):
        assert not np.array_equal(first.left, labels.draw(places, seed=seed, epoch=epoch).left)


def test_every_fold_is_tested_once_and_its_authors_do_nothing_else() -> None:
    labels = make_labels(4)
    for fold in range(5):
        turn = labels.for_fold(fold)
        authors = [set(labels.authors[turn.indices(s)].tolist()) for s in ("train", "dev", "test")]
        assert set(labels.folds[turn.indices("test")].tolist()) == {fold}
        assert set(labels.folds[turn.indices("dev")].tolist()) == {(fold + 1) % 5}
        assert sum(map(len, authors)) == len(set.union(*authors)) == 40


def test_a_split_of_copies_alone_has_no_pairs() -> None:
    labels = make_labels(3)
    with pytest.raises(InputError, match="no pairs of"):
        labels.draw(np.flatnonzero(labels.copied), seed=1, epoch=0)


def test_joined_corpora_share_neither_authors_nor_topics() -> None:
    parts = [make_labels(5), make_labels(6, first_topic=-1, last_topic=-1), make_labels(7)]
    joined = join_labels(parts)
    for name in ("splits", "folds", "copied"):
        assert np.array_equal(
            getattr(joined, name), np.concatenate([getattr(part, name) for part in parts])
        )
    for genre, part in enumerate(parts):
        mine = joined.genres == genre
        assert mine.sum() == 400
        assert not np.isin(joined.authors[mine], joined.authors[~mine]).any()
        topics = joined.topics[mine]
        assert np.array_equal(topics < 0, part.topics < 0)
        assert not np.isin(topics[topics >= 0], joined.topics[~mine]).any()
        places = joined.indices("dev", genre)
        assert (joined.splits[places] == 1).all() and (joined.genres[places] == genre).all()
    assert len(joined.indices("dev")) == sum(len(joined.indices("dev", g)) for g in range(3))


def test_threads_that_nobody_shares_make_pairs_across_them() -> None:
    authors = np.repeat(np.arange(30), 6)
    labels = Labels(
        authors=authors,
        topics=authors * 3 + np.tile([0, 0, 1, 1, 2, 2], 30),
        splits=np.zeros(180, np.int8),
        folds=np.zeros(180, np.int8),
        copied=np.zeros(180, bool),
        genres=np.zeros(180, np.int64),
    )
    table = labels.draw(labels.indices("train"), seed=1, epoch=0)
    assert table.same_topic is not None and not table.same_topic.any()
    assert list(table.cells().values()) == [15, 15]
