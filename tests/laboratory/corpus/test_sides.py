"""Sides of several documents."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from adhominem.laboratory.corpus.pairs import draw_sides, make_pairs
from adhominem.records import Document


@settings(max_examples=100)
@given(st.lists(st.integers(0, 8), max_size=60), st.integers(0, 99), st.integers(0, 3))
def test_sides_are_of_one_author_each_and_share_no_document(
    written_by: list[int], seed: int, epoch: int
) -> None:
    authors = np.array(written_by, dtype=np.int64)
    places = np.arange(len(authors)) + 100
    sides = draw_sides(places, authors, seed=seed, epoch=epoch)
    enough = {a for a in written_by if written_by.count(a) > 2}
    own = [side for side in sides if side.same_author]
    assert {written_by[side.left[0] - 100] for side in own} == enough
    assert len(own) == len(enough)
    assert len(sides) == (2 * len(enough) if len(enough) > 1 else len(enough))
    for side in sides:
        left, right = (set(authors[part - 100].tolist()) for part in (side.left, side.right))
        assert len(left) == len(right) == 1
        assert (left == right) == side.same_author
        assert not set(side.left.tolist()) & set(side.right.tolist())
    assert all(len(side.left) + len(side.right) > 2 for side in own)


def test_few_and_many_documents_both_occur_and_a_draw_goes_with_seed_and_epoch() -> None:
    authors = np.repeat(np.arange(300), 12)
    places = np.arange(len(authors))

    def sizes(seed: int, epoch: int) -> list[int]:
        sides = draw_sides(places, authors, seed=seed, epoch=epoch)
        return [len(s.left) + len(s.right) for s in sides if s.same_author]

    first = sizes(1, 0)
    assert min(first) == 3 and max(first) == 12
    assert np.mean(np.array(first) < 6) > 0.3
    assert first == sizes(1, 0)
    assert first != sizes(1, 1) and first != sizes(2, 0)


def test_pairs_hold_the_documents() -> None:
    documents = {i: Document(f"text {i}", f"author {i // 3}") for i in range(6)}
    sides = draw_sides(np.arange(6), np.arange(6) // 3, seed=1, epoch=0)
    for side, pair in zip(sides, make_pairs(sides, documents, prefix="x"), strict=True):
        assert [d.text for d in pair.left] == [f"text {i}" for i in side.left]
        assert pair.same_author == (pair.left[0].author == pair.right[0].author)
