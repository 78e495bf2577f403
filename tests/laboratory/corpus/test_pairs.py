"""Drawn pairs: what holds for every draw, and what a draw is a function of."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from adhominem.errors import InputError
from adhominem.laboratory.corpus.pairs import (
    PairSampler,
    PairTable,
    cell_name,
    join_distinct,
    make_pairs,
)
from adhominem.records import Document

Labels = list[tuple[int, int]]  # author and topic of each document
Cell = tuple[bool, bool | None]

PROPERTY = settings(max_examples=80)
FEW = st.lists(st.tuples(st.integers(-2, 5), st.integers(10, 13)), max_size=40)
MANY = st.integers(0, 2**32).map(
    lambda seed: [
        (int(author), int(topic))
        for author, topic in np.random.default_rng(seed).integers(0, [40, 5], (300, 2))
    ]
)
SEEDS = st.integers(0, 2**32)
EPOCHS = st.integers(0, 1000)


def sampler(labels: Labels, seed: int = 0, *, topics: bool = True) -> PairSampler:
    authors, topic_of = np.array(labels, dtype=np.int64).reshape(-1, 2).T
    return PairSampler(authors, topic_of if topics else None, seed)


def cells_of(table: PairTable) -> dict[Cell, list[tuple[int, int]]]:
    cells: dict[Cell, list[tuple[int, int]]] = {}
    for i in range(len(table)):
        c = None if table.same_topic is None else bool(table.same_topic[i])
        cells.setdefault((bool(table.same_author[i]), c), []).append(
            (int(table.left[i]), int(table.right[i]))
        )
    return cells


def equal(one: PairTable, other: PairTable) -> bool:
    return all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("left", "right", "same_author", "same_topic")
    )


def possible(labels: Labels) -> dict[Cell, int]:
    """How many pairs of each cell there are at all."""
    counts: dict[Cell, int] = {(a, c): 0 for a in (True, False) for c in (True, False)}
    for (author, topic), (other_author, other_topic) in combinations(labels, 2):
        counts[author == other_author, topic == other_topic] += 1
    return counts


def check(labels: Labels, table: PairTable, *, topics: bool) -> None:
    cells = cells_of(table)
    assert len(cells) == (4 if topics else 2)
    assert len({len(pairs) for pairs in cells.values()}) == 1
    everything = [frozenset(pair) for pairs in cells.values() for pair in pairs]
    assert len(set(everything)) == len(everything)
    for (same_author, same_topic), pairs in cells.items():
        for left, right in pairs:
            assert left != right
            assert (labels[left][0] == labels[right][0]) == same_author
            assert same_topic is None or (labels[left][1] == labels[right][1]) == same_topic
        documents = [place for pair in pairs for place in pair]
        assert len(set(documents)) == len(documents)
        authors = [
            labels[place][0] for place in ([p for p, _ in pairs] if same_author else documents)
        ]
        assert len(set(authors)) == len(authors)


@given(FEW | MANY, SEEDS, EPOCHS, st.booleans())
@PROPERTY
def test_a_draw_keeps_its_promises_or_says_that_it_cannot(
    labels: Labels, seed: int, epoch: int, topics: bool
) -> None:
    try:
        table = sampler(labels, seed, topics=topics).draw(epoch)
    except InputError as error:
        assert "\n" not in str(error)
        counts = possible(labels)
        if topics:
            for cell, count in counts.items():  # none is empty by chance
                assert (cell_name(*cell) in str(error)) == (count == 0)
        else:
            by_author = [sum(n for (a, _), n in counts.items() if a == same) for same in (1, 0)]
            assert 0 in by_author
    else:
        check(labels, table, topics=topics)


@given(MANY, SEEDS, EPOCHS)
@PROPERTY
def test_a_corpus_of_some_size_can_always_be_drawn_from(
    labels: Labels, seed: int, epoch: int
) -> None:
    table = sampler(labels, seed).draw(epoch)
    check(labels, table, topics=True)
    assert len(table) >= 4 * 8


@given(FEW | MANY, SEEDS, EPOCHS)
@PROPERTY
def test_without_topics_every_author_serves_as_far_as_both_cells_allow(
    labels: Labels, seed: int, epoch: int
) -> None:
    authors = [author for author, _ in labels]
    n_twice = sum(authors.count(author) > 1 for author in set(authors))
    size = min(n_twice, len(set(authors)) // 2)
    draw = sampler(labels, seed, topics=False)
    if size:
        assert len(draw.draw(epoch)) == 2 * size
    else:
        with pytest.raises(InputError):
            draw.draw(epoch)


@given(MANY, SEEDS, EPOCHS, st.booleans())
@settings(max_examples=30)
def test_a_draw_is_a_function_of_seed_and_epoch(
    labels: Labels, seed: int, epoch: int, topics: bool
) -> None:
    draw = sampler(labels, seed, topics=topics)
    first = draw.draw(epoch)
    later = draw.draw(epoch + 1)
    assert equal(first, draw.draw(epoch))
    assert equal(first, sampler(labels, seed, topics=topics).draw(epoch))
    assert not equal(first, later)
    assert not equal(first, sampler(labels, seed + 1, topics=topics).draw(epoch))


def test_epochs_together_reach_every_pair_there_is() -> None:
    labels = [(author, topic) for author in range(3) for topic in (0, 0, 1, 1, 2, 2)]
    seen: set[frozenset[int]] = set()
    for epoch in range(1000):
        table = sampler(labels, seed=5).draw(epoch)
        seen |= {frozenset(pair) for pairs in cells_of(table).values() for pair in pairs}
    assert len(seen) == sum(possible(labels).values()) == 18 * 17 // 2


# One author with a topic that dominates, and others who fill the remaining cells.
UNEVEN = [(0, topic) for topic in [0] * 12 + [1, 1, 2]] + [
    (author, topic) for author in (1, 2, 3) for topic in (0, 0, 1, 1)
]


def draws(labels: Labels, cell: Cell, n: int) -> Counter[tuple[int, int]]:
    draw = sampler(labels, seed=11)
    return Counter(pair for epoch in range(n) for pair in cells_of(draw.draw(epoch))[cell])


def test_two_rarer_topics_of_an_author_meet_as_well() -> None:
    """A partner is any document on another topic, not only one on the topic that dominates."""
    seen = {frozenset(pair) for pair in draws(UNEVEN, (True, False), 1500)}
    assert seen == {
        frozenset((i, j))
        for (i, one), (j, other) in combinations(enumerate(UNEVEN), 2)
        if one[0] == other[0] and one[1] != other[1]
    }


@pytest.mark.parametrize("same_topic", [True, False])
def test_documents_and_their_partners_are_drawn_uniformly(same_topic: bool) -> None:
    counts = draws(UNEVEN, (True, same_topic), 2500)
    partners = {
        i: [
            j
            for j, other in enumerate(UNEVEN)
            if i != j and other[0] == 0 and (other[1] == UNEVEN[i][1]) == same_topic
        ]
        for i in range(15)
    }
    partners = {i: found for i, found in partners.items() if found}
    total = sum(n for (left, _), n in counts.items() if left < 15)
    cells = [
        (counts[left, right], total / len(partners) / len(found))
        for left, found in partners.items()
        for right in found
    ]
    assert total > 600
    assert sum(n for n, _ in cells) == total
    statistic = sum((n - expected) ** 2 / expected for n, expected in cells)
    assert chi2.ppf(0.001, len(cells) - 1) < statistic < chi2.ppf(0.999, len(cells) - 1)


@pytest.mark.parametrize("same_topic", [True, False])
def test_no_cell_of_a_small_corpus_is_empty_by_chance(same_topic: bool) -> None:
    """Of 60 times 60 pairs of two authors one alone is of the cell."""
    if same_topic:
        labels = [(0, 0)] * 58 + [(0, 1), (0, 2)] + [(1, 3)] * 58 + [(1, 4), (1, 2)]
        wanted = {59, 119}
    else:
        labels = [(0, 0)] * 59 + [(0, 1)] + [(1, 0)] * 59 + [(1, 0)]
        wanted = {59}
    for epoch in range(20):
        table = sampler(labels).draw(epoch)
        check(labels, table, topics=True)
        [pair] = cells_of(table)[False, same_topic]
        assert wanted <= set(pair)


def test_cells_are_mixed_and_no_side_is_favoured() -> None:
    rng = np.random.default_rng(1)
    labels = [(int(a), int(t)) for a, t in rng.integers(0, [400, 6], (4000, 2))]
    table = sampler(labels).draw(0)
    half = len(table) // 2
    assert 0.4 < table.same_author[:half].mean() < 0.6
    assert table.same_topic is not None
    assert 0.4 < table.same_topic[:half].mean() < 0.6
    assert 0.4 < (table.left < table.right).mean() < 0.6


@pytest.mark.parametrize(
    ("labels", "cell"),
    [
        ([], (True, True)),
        ([(0, 0)], (False, False)),
        ([(0, 0), (0, 0), (0, 1), (0, 1)], (False, True)),  # one author
        ([(a, 0) for a in range(9) for _ in range(3)], (True, False)),  # one topic
        ([(a, a % 2) for a in range(9)], (True, True)),  # one document each
        ([(a, t) for a in range(9) for t in (0, 1)], (True, True)),  # no topic twice
        ([(a, a) for a in range(9) for _ in range(3)], (False, True)),  # a topic each
    ],
)
def test_an_impossible_corpus_is_refused_in_one_line(labels: Labels, cell: Cell) -> None:
    for epoch in range(5):
        with pytest.raises(InputError) as caught:
            sampler(labels).draw(epoch)
        assert cell_name(*cell) in str(caught.value)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("labels", [[], [(0, 0), (0, 0)], [(0, 0), (1, 0)]])
def test_without_topics_two_authors_and_two_documents_are_needed(labels: Labels) -> None:
    with pytest.raises(InputError):
        sampler(labels, topics=False).draw(0)
    assert len(sampler([(0, 0), (0, 0), (1, 0)], topics=False).draw(0)) == 2


def table_of(same_topic: npt.NDArray[np.bool_] | None) -> PairTable:
    return PairTable(np.array([0, 2]), np.array([1, 0]), np.array([True, False]), same_topic)


def test_a_table_becomes_pairs_of_documents() -> None:
    texts = {0: ("x", "A"), 1: ("y", "A"), 2: ("z", "B"), 3: ("not asked for", "B")}
    documents = {place: Document(text, author=author) for place, (text, author) in texts.items()}
    pairs = make_pairs(table_of(np.array([False, True])).side_pairs(), documents, prefix="dev")
    assert [(p.left[0].text, p.right[0].text) for p in pairs] == [("x", "y"), ("z", "x")]
    assert [(p.same_author, p.same_topic, p.id) for p in pairs] == [
        (True, False, "dev-0"),
        (False, True, "dev-1"),
    ]
    assert [p.same_topic for p in make_pairs(table_of(None).side_pairs(), documents)] == [
        None,
        None,
    ]


@pytest.mark.parametrize("same_topic", [None, np.array([False, True])])
def test_rows_of_a_table_are_a_table(same_topic: npt.NDArray[np.bool_] | None) -> None:
    part = table_of(same_topic).select(slice(1, 2))
    assert len(part) == 1
    assert (part.left.tolist(), part.right.tolist()) == ([2], [0])
    assert part.same_author.tolist() == [False]
    assert (part.same_topic is None) if same_topic is None else part.same_topic.tolist() == [True]


def test_joined_draws_hold_each_pair_once() -> None:
    rng = np.random.default_rng(0)
    labels = [(int(a), int(t)) for a, t in rng.integers(0, [12, 3], (60, 2))]
    tables = [sampler(labels, 1).draw(epoch) for epoch in range(6)]
    joined = join_distinct(tables)
    kept = {
        frozenset(pair) for pair in zip(joined.left.tolist(), joined.right.tolist(), strict=True)
    }
    every = {
        frozenset(pair)
        for t in tables
        for pair in zip(t.left.tolist(), t.right.tolist(), strict=True)
    }
    assert kept == every and len(joined) == len(every)
    for one, other, same in zip(joined.left, joined.right, joined.same_author, strict=True):
        assert (labels[one][0] == labels[other][0]) == same


@given(FEW | MANY, SEEDS, EPOCHS)
@PROPERTY
def test_pairs_on_different_topics_alone(labels: Labels, seed: int, epoch: int) -> None:
    draw = replace(sampler(labels, seed), other_topics_only=True)
    counts = possible(labels)
    if counts[True, False] and counts[False, False]:
        table = draw.draw(epoch)
        cells = cells_of(table)
        assert set(cells) == {(True, False), (False, False)}
        assert len(cells[True, False]) == len(cells[False, False]) == len(table) // 2
        assert list(table.cells().values()) == [len(table) // 2] * 2
        for left, right in zip(table.left, table.right, strict=True):
            assert labels[left][1] != labels[right][1]
    else:
        with pytest.raises(InputError, match="different topics"):
            draw.draw(epoch)


def test_topics_are_in_common_or_not() -> None:
    """Forty authors on two topics; the same, each with threads of his own."""
    shared = [(author, topic) for author in range(40) for topic in (0, 0, 1, 1)]
    threads = [(author, 10 * author + topic) for author in range(40) for topic in (0, 0, 1, 1)]
    assert not sampler(shared).lacks_common_topics()
    assert sampler(threads).lacks_common_topics()
