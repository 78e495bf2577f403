"""Batches of authors: who is in them, and what topic can tell there."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adhominem.errors import InputError
from adhominem.laboratory.corpus.author_pairs import AuthorSampler
from adhominem.laboratory.corpus.pairs import PairTable

PROPERTY = settings(max_examples=100, deadline=None)
LABELS = st.lists(
    st.tuples(st.integers(0, 9), st.integers(-1, 3), st.integers(0, 1)), min_size=2, max_size=60
)


def draw(
    labels: list[tuple[int, int, int]],
    *,
    batch: int = 4,
    topic_share: float = 0.5,
    seed: int = 1,
    epoch: int = 0,
) -> PairTable:
    """Authors of different genres are different people, whatever their number."""
    authors, topics, genres = np.array(labels, dtype=np.int64).T
    sampler = AuthorSampler(authors + 100 * genres, topics, genres, topic_share=topic_share)
    return sampler.batches(batch, seed=seed, epoch=epoch)


@given(LABELS, st.integers(1, 7), st.floats(0, 1), st.integers(0, 99))
@PROPERTY
def test_a_batch_is_of_one_genre_and_has_an_author_once(
    labels: list[tuple[int, int, int]], batch: int, share: float, seed: int
) -> None:
    if max(Counter((author, genre) for author, _, genre in labels).values()) < 2:
        with pytest.raises(InputError, match="two documents"):
            draw(labels, batch=batch, topic_share=share, seed=seed)
        return
    table = draw(labels, batch=batch, topic_share=share, seed=seed)
    assert len(table) > 0
    for start in range(0, len(table), batch):
        rows = table.select(slice(start, start + batch))
        assert len({labels[i][2] for i in rows.left}) == 1
        assert len({labels[i][0] for i in rows.left}) == len(rows)
    assert table.same_topic is not None
    for one, other, same_topic in zip(table.left, table.right, table.same_topic, strict=True):
        assert one != other
        assert (labels[one][0], labels[one][2]) == (labels[other][0], labels[other][2])
        assert same_topic == (labels[one][1] == labels[other][1])


@given(LABELS, st.integers(0, 99))
@PROPERTY
def test_an_author_has_half_as_many_pairs_as_documents(
    labels: list[tuple[int, int, int]], seed: int
) -> None:
    """Batches of one leave nothing over."""
    documents = Counter((author, genre) for author, _, genre in labels)
    expected = {author: min(n // 2, 8) for author, n in documents.items() if n > 1}
    if expected:
        table = draw(labels, batch=1, seed=seed)
        assert Counter((labels[i][0], labels[i][2]) for i in table.left) == expected


def test_what_fills_no_batch_is_left_out_unless_it_is_all_there_is() -> None:
    labels = [(author, 0, 0) for author in range(5) for _ in range(2)]
    assert len(draw(labels, batch=4)) == 4
    assert len(draw(labels, batch=9)) == 5


def many() -> list[tuple[int, int, int]]:
    rng = np.random.default_rng(5)
    return [(int(a), int(t), 0) for a, t in rng.integers(0, [400, 5], (2000, 2))]


def test_focused_batches_stay_within_a_topic_and_cross_it_within_an_author() -> None:
    labels = many()
    topic = np.array([t for _, t, _ in labels])
    focused = draw(labels, batch=20, topic_share=1.0)
    mixed = draw(labels, batch=20, topic_share=0.0)

    def topics_per_batch(table: PairTable) -> float:
        batches = [topic[table.left[i : i + 20]] for i in range(0, len(table) - 20, 20)]
        return float(np.mean([len(set(b.tolist())) for b in batches]))

    assert topics_per_batch(focused) < 1.5
    assert topics_per_batch(mixed) > 4
    assert focused.same_topic is not None and mixed.same_topic is not None
    assert focused.same_topic.mean() < 0.05 < mixed.same_topic.mean()


def test_a_draw_goes_with_seed_and_epoch() -> None:
    labels = many()
    first = draw(labels)
    again = draw(labels)
    assert first.left.tolist() == again.left.tolist()
    assert first.right.tolist() == again.right.tolist()
    for other in (draw(labels, epoch=1), draw(labels, seed=2)):
        assert other.left.tolist() != first.left.tolist()
