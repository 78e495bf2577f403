"""Groups by the mean evidence, against a slow loop; the map keeps neighbours together."""

from __future__ import annotations

import itertools

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage

from adhominem.bench.case.plane import draw_map
from adhominem.bench.case.tree import Tree, grow_tree, leaf_order

Floats = npt.NDArray[np.float64]


def table(n: int, seed: int) -> Floats:
    llr = np.random.default_rng(seed).normal(size=(n, n))
    llr = (llr + llr.T) / 2
    np.fill_diagonal(llr, np.nan)
    return llr


def by_hand(llr: Floats, min_llr: float) -> tuple[set[frozenset[int]], list[float]]:
    """The two groups with the largest mean between them are joined, again and again."""
    groups = [frozenset([i]) for i in range(len(llr))]
    means, cut = [], None
    while len(groups) > 1:
        mean, one, other = max(
            (float(np.mean([llr[i, j] for i in a for j in b])), sorted(a), sorted(b))
            for a, b in itertools.combinations(groups, 2)
        )
        if mean < min_llr and cut is None:
            cut = set(groups)
        means.append(mean)
        joined = frozenset(one) | frozenset(other)
        groups = [group for group in groups if not group & joined] + [joined]
    return cut if cut is not None else set(groups), means


@given(seed=st.integers(0, 2**32 - 1), n=st.integers(2, 9))
def test_joins_what_the_mean_evidence_joins(seed: int, n: int) -> None:
    llr = table(n, seed)
    tree = grow_tree(llr, min_llr=0.05)
    groups, means = by_hand(llr, 0.05)
    found = {frozenset(np.flatnonzero(np.equal(tree.groups, g)).tolist()) for g in tree.groups}
    assert found == groups
    assert [tree.neutral - merge.height for merge in tree.merges] == pytest.approx(means)
    assert sorted(leaf_order(llr, tree)) == list(range(n))
    sizes = [tree.groups.count(g) for g in range(len(groups))]
    assert sizes == sorted(sizes, reverse=True)


@settings(max_examples=30)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(2, 40))
def test_the_tree_is_that_of_scipy(seed: int, n: int) -> None:
    llr = table(n, seed)
    tree = grow_tree(llr, min_llr=0.05)
    above = tree.neutral - llr[np.triu_indices(n, 1)]
    links = linkage(above, "average")
    assert [merge.height for merge in tree.merges] == pytest.approx(links[:, 2])
    labels = fcluster(links, tree.neutral - 0.05 + 1e-9, "distance")
    same = np.equal.outer(labels, labels)
    np.testing.assert_array_equal(np.equal.outer(tree.groups, tree.groups), same)


@settings(max_examples=40)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(2, 8))
def test_no_other_order_of_the_leaves_has_nearer_neighbours(seed: int, n: int) -> None:
    """All orders that the tree allows: every merge may have its branches the other way round."""
    llr = table(n, seed)
    tree = grow_tree(llr, min_llr=0.05)

    def orders(node: int) -> list[tuple[int, ...]]:
        if node < n:
            return [(node,)]
        merge = tree.merges[node - n]
        pairs = itertools.product(orders(merge.left), orders(merge.right))
        return [order for a, b in pairs for order in (a + b, b + a)]

    def length(order: tuple[int, ...]) -> float:
        return sum(float(-llr[a, b]) for a, b in itertools.pairwise(order))

    best = min(map(length, orders(2 * n - 2)))
    assert length(tuple(leaf_order(llr, tree))) == pytest.approx(best)


def test_a_branch_is_drawn_in_one_piece() -> None:
    n = 30
    tree = grow_tree(table(n, 5), min_llr=0.05)
    order = leaf_order(table(n, 5), tree)
    members: dict[int, set[int]] = {i: {i} for i in range(n)}
    for number, merge in enumerate(tree.merges, n):
        members[number] = members[merge.left] | members[merge.right]
        assert len(members[number]) == merge.size
        places = sorted(order.index(text) for text in members[number])
        assert places == list(range(places[0], places[0] + merge.size))


def heights(tree: Tree) -> Floats:
    """The height at which every two texts are joined."""
    n = len(tree.merges) + 1
    members, found = {i: [i] for i in range(n)}, np.zeros((n, n))
    for number, merge in enumerate(tree.merges, n):
        one, other = members[merge.left], members[merge.right]
        found[np.ix_(one, other)] = merge.height
        found[np.ix_(other, one)] = merge.height
        members[number] = one + other
    return found


@settings(max_examples=40)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(2, 20), data=st.data())
def test_a_part_of_a_tree_joins_texts_where_the_whole_does(
    seed: int, n: int, data: st.DataObject
) -> None:
    llr = table(n, seed)
    tree = grow_tree(llr, min_llr=0.05)
    chosen = data.draw(st.lists(st.integers(0, n - 1), min_size=2, max_size=n, unique=True))
    part = tree.part(chosen)
    np.testing.assert_array_equal(heights(part), heights(tree)[np.ix_(chosen, chosen)])
    assert list(part.groups) == [tree.groups[text] for text in chosen]
    order = leaf_order(llr[np.ix_(chosen, chosen)], part)
    assert sorted(order) == list(range(len(chosen)))


def test_undecided_texts_join_nobody() -> None:
    llr = np.zeros((4, 4))
    llr[0, 1] = llr[1, 0] = 2.0
    assert grow_tree(llr, min_llr=0.05).groups == (0, 0, 1, 2)
    assert grow_tree(np.zeros((3, 3)), min_llr=0.05).groups == (0, 1, 2)


@pytest.mark.parametrize("n", [2, 3, 7, 40])
def test_the_map_is_repeatable_and_keeps_neighbours(n: int) -> None:
    labels = np.arange(n) // 5
    llr = np.where(np.equal.outer(labels, labels), 2.0, -2.0)
    llr += np.random.default_rng(1).normal(scale=0.1, size=(n, n))
    llr = (llr + llr.T) / 2
    np.fill_diagonal(llr, np.nan)
    points = draw_map(llr)
    assert points.shape == (n, 2)
    assert np.abs(points).max() <= 1
    np.testing.assert_array_equal(points, draw_map(llr))
    if n == 40:
        apart = np.linalg.norm(points[:, None] - points[None], axis=-1)
        np.fill_diagonal(apart, np.inf)
        assert (labels[apart.argmin(axis=1)] == labels).all()


def test_classical_scaling_gives_back_points_of_the_plane() -> None:
    """Few texts are not moved by neighbourhoods, so distances must come out exactly."""
    points = np.random.default_rng(2).normal(size=(7, 2))
    apart = np.linalg.norm(points[:, None] - points[None], axis=-1)
    np.fill_diagonal(apart, np.nan)
    drawn = draw_map(np.nanmin(apart) - apart)
    found = np.linalg.norm(drawn[:, None] - drawn[None], axis=-1)
    off = ~np.eye(7, dtype=bool)
    shifted = (apart - np.nanmin(apart))[off]
    # The nearest pair is at distance 0 for the map; the others keep their order.
    assert np.corrcoef(shifted, found[off])[0, 1] > 0.95
