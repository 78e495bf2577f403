"""Blocks of authors: who is in them, how often each genre is drawn, and what topic can
tell there."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adhominem.errors import InputError
from adhominem.laboratory.corpus.author_pairs import AuthorSampler
from adhominem.laboratory.corpus.pairs import PairTable

Labels = list[tuple[int, int, int]]  # author, topic and genre of each document
PROPERTY = settings(max_examples=100)
LABELS = st.lists(
    st.tuples(st.integers(0, 9), st.integers(-1, 3), st.integers(0, 2)), min_size=2, max_size=60
)


def sampler_of(labels: Labels, topic_share: float) -> AuthorSampler:
    """Authors of different genres are different people, whatever their number."""
    authors, topics, genres = np.array(labels, dtype=np.int64).T
    return AuthorSampler(authors + 100 * genres, topics, genres, topic_share=topic_share)


def draw_blocks(
    labels: Labels,
    n: int = 40,
    *,
    block: int = 4,
    power: float = 0.5,
    topic_share: float = 0.5,
    seed: int = 1,
    epoch: int = 0,
) -> PairTable:
    sampler = sampler_of(labels, topic_share)
    return sampler.draw(n, size=block, power=power, seed=seed, epoch=epoch)


def many(sizes: dict[int, int], n_documents: int = 6, n_topics: int = 5) -> Labels:
    """So many authors of each genre, each document on a topic drawn at random."""
    rng = np.random.default_rng(5)
    return [
        (author, int(rng.integers(n_topics)) + n_topics * genre, genre)
        for genre, n in sizes.items()
        for author in range(n)
        for _ in range(n_documents)
    ]


def authors_with_two(labels: Labels) -> dict[int, set[int]]:
    """By genre, of those genres that have two such authors."""
    documents = Counter((genre, author) for author, _, genre in labels)
    found: dict[int, set[int]] = defaultdict(set)
    for (genre, author), n in documents.items():
        if n > 1:
            found[genre].add(author)
    return {genre: authors for genre, authors in found.items() if len(authors) > 1}


@given(LABELS, st.integers(2, 12), st.integers(1, 60), st.floats(0, 1), st.integers(0, 99))
@PROPERTY
def test_a_block_is_of_one_genre_and_has_an_author_once(
    labels: Labels, block: int, n: int, share: float, seed: int
) -> None:
    expected = authors_with_two(labels)
    if not expected:
        with pytest.raises(InputError, match="two documents"):
            draw_blocks(labels, n, block=block, topic_share=share, seed=seed)
        return
    table = draw_blocks(labels, n, block=block, topic_share=share, seed=seed)
    assert len(table) == n
    assert table.block is not None
    assert table.same_author.all()
    assert (np.diff(table.block) >= 0).all() and (np.diff(table.block) <= 1).all()
    for number in np.unique(table.block):
        rows = np.flatnonzero(table.block == number)
        genres = {labels[i][2] for i in table.left[rows]}
        authors = [labels[i][0] for i in table.left[rows]]
        assert len(genres) == 1
        assert len(set(authors)) == len(authors)
        (genre,) = genres
        if number < table.block[-1]:  # the last one may be cut off
            assert len(rows) == min(block, len(expected[genre]))
    assert table.same_topic is not None
    for one, other, same_topic in zip(table.left, table.right, table.same_topic, strict=True):
        assert one != other
        assert (labels[one][0], labels[one][2]) == (labels[other][0], labels[other][2])
        assert same_topic == (labels[one][1] == labels[other][1])


@given(LABELS, st.integers(0, 99))
@PROPERTY
def test_within_a_topic_the_second_document_is_on_another_where_there_is_one(
    labels: Labels, seed: int
) -> None:
    if not authors_with_two(labels):
        return
    table = draw_blocks(labels, topic_share=1.0, seed=seed)
    for one, other in zip(table.left, table.right, strict=True):
        author, topic, genre = labels[one]
        topics = {t for a, t, g in labels if (a, g) == (author, genre)}
        assert (labels[other][1] != topic) == (topics != {topic})


@pytest.mark.parametrize("power", [0.0, 0.5, 1.0])
def test_genres_are_drawn_by_a_power_of_their_authors(power: float) -> None:
    sizes = {0: 16, 1: 64, 2: 256}
    labels = many(sizes)
    table = draw_blocks(labels, 64_000, block=16, power=power)
    drawn = Counter(labels[i][2] for i in table.left)
    weights = {genre: n**power for genre, n in sizes.items()}
    for genre, weight in weights.items():
        assert drawn[genre] / len(table) == pytest.approx(weight / sum(weights.values()), abs=0.03)


def test_a_genre_of_fewer_authors_than_a_block_is_drawn_whole() -> None:
    labels = many({0: 5, 1: 300})
    table = draw_blocks(labels, 4000, block=32)
    assert table.block is not None
    small = [i for i, place in enumerate(table.left) if labels[place][2] == 0]
    assert small
    for number in np.unique(table.block[small])[:-1]:
        authors = [labels[i][0] for i in table.left[table.block == number]]
        assert sorted(authors) == [0, 1, 2, 3, 4]


def test_authors_take_turns_and_all_their_documents_are_used() -> None:
    labels = many({0: 40})
    table = draw_blocks(labels, 40 * 60, block=10)
    turns = Counter(labels[i][0] for i in table.left)
    assert set(turns.values()) == {60}
    assert len({*table.left.tolist(), *table.right.tolist()}) == len(labels)
    assert 0.4 < (table.left < table.right).mean() < 0.6


def test_focused_blocks_stay_within_a_topic() -> None:
    labels = many({0: 400})
    topic = np.array([t for _, t, _ in labels])

    def topics_per_block(share: float) -> float:
        table = draw_blocks(labels, 4000, block=20, topic_share=share)
        assert table.block is not None
        return float(
            np.mean([len(set(topic[table.left[table.block == b]].tolist())) for b in range(199)])
        )

    assert topics_per_block(1.0) < 1.5
    assert topics_per_block(0.0) > 4
    assert topics_per_block(0.0) > topics_per_block(0.5) > topics_per_block(1.0)


def test_a_draw_goes_with_seed_and_epoch() -> None:
    labels = many({0: 30, 1: 90})
    first, again = draw_blocks(labels), draw_blocks(labels)
    assert first.left.tolist() == again.left.tolist()
    assert first.right.tolist() == again.right.tolist()
    for other in (draw_blocks(labels, epoch=1), draw_blocks(labels, seed=2)):
        assert other.left.tolist() != first.left.tolist()
