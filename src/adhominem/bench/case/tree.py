"""Hierarchical clustering of the texts of a case by average linkage.

The similarity of two groups is the mean log10 likelihood ratio between their texts, with 0 for an
undecided pair. The tree is cut where the mean no longer speaks for one author. A group summarises
many numbers and is no evidence of its own: the pairs are not independent of each other.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from adhominem.arrays import Floats, Integers, Reals

_ROUNDING = 1e-9  # means of equal numbers may differ in their last digit


@dataclass(frozen=True, slots=True)
class Merge:
    """Two nodes that are joined. Text i is node i, merge k is node n + k. The mean log10 LR between
    the nodes is `Tree.neutral - height`; `size` counts their texts."""

    left: int
    right: int
    height: float
    size: int


@dataclass(frozen=True, slots=True)
class Tree:
    """merges    from the most to the least similar
    neutral   height at which the mean evidence is 0
    groups    number of the group of each text, by descending size of the groups, then by their
              first text
    """

    merges: tuple[Merge, ...]
    neutral: float
    groups: tuple[int, ...]

    def renumbered(self, numbers: Sequence[int]) -> Self:
        """A copy in which text i becomes text `numbers[i]`."""
        n = len(numbers)
        nodes = [*numbers, *range(n, 2 * n - 1)]
        merges = tuple(replace(m, left=nodes[m.left], right=nodes[m.right]) for m in self.merges)
        groups = tuple(self.groups[text] for text in np.argsort(numbers))
        return replace(self, merges=merges, groups=groups)

    def part(self, texts: Sequence[int]) -> Self:
        """The tree of these texts alone, in this order; heights, groups and sizes stay."""
        n = len(self.groups)
        nodes = {text: place for place, text in enumerate(texts)}
        merges: list[Merge] = []
        for number, merge in enumerate(self.merges, n):
            below = [nodes[node] for node in (merge.left, merge.right) if node in nodes]
            if len(below) == 2:
                nodes[number] = len(texts) + len(merges)
                merges.append(replace(merge, left=min(below), right=max(below)))
            elif below:
                nodes[number] = below[0]
        groups = tuple(self.groups[text] for text in texts)
        return replace(self, merges=tuple(merges), groups=groups)


def grow_tree(llr: Reals, *, min_llr: float) -> Tree:
    """Cluster texts by a symmetric table of log10 LR, whose diagonal is ignored. Means below
    `min_llr` join no groups. Needs one more table of doubles."""
    n = len(llr)
    distance = llr.astype(np.float64)
    np.fill_diagonal(distance, -np.inf)
    neutral = float(max(distance.max(), min_llr))
    np.subtract(neutral, distance, distance)
    merges = _average_linkage(distance)
    labels = np.arange(n)
    for merge, texts in zip(merges, _members(merges)[n:], strict=True):
        if merge.height <= neutral - min_llr + _ROUNDING:
            labels[texts] = labels[texts].min()
    by_size = [label for label, _ in Counter(labels.tolist()).most_common()]
    return Tree(tuple(merges), neutral, tuple(map(by_size.index, labels.tolist())))


def _members(merges: Sequence[Merge]) -> list[Integers]:
    """The texts below every node."""
    members = [np.array([text]) for text in range(len(merges) + 1)]
    for merge in merges:
        members.append(np.concatenate([members[merge.left], members[merge.right]]))
    return members


def _average_linkage(distance: Floats) -> list[Merge]:
    """The merges by the nearest-neighbour algorithm; overwrites the table of distances."""
    n = len(distance)
    np.fill_diagonal(distance, np.inf)
    nearest = distance.argmin(axis=1)
    least = distance[np.arange(n), nearest]
    nodes, size_of = list(range(n)), [1] * n
    merges: list[Merge] = []
    for number in range(n, 2 * n - 1):
        row = int(least.argmin())
        other = int(nearest[row])
        height = float(least[row])
        left, right = sorted((nodes[row], nodes[other]))
        sizes = size_of[row], size_of[other]
        merges.append(Merge(left, right, height, sum(sizes)))
        nodes[row], size_of[row] = number, sum(sizes)
        joined = (sizes[0] * distance[row] + sizes[1] * distance[other]) / sum(sizes)
        joined[[row, other]] = np.inf
        distance[row] = distance[:, row] = joined
        distance[other] = distance[:, other] = np.inf
        least[other] = np.inf
        for changed in (row, *np.flatnonzero((nearest == row) | (nearest == other)).tolist()):
            nearest[changed] = distance[changed].argmin()
            least[changed] = distance[changed, nearest[changed]]
    return merges


def leaf_order(llr: Floats, tree: Tree) -> list[int]:
    """Optimal leaf ordering: the smallest sum of distances between neighbours (Bar-Joseph, Gifford
    and Jaakkola 2001). `cost[i, j]` is the smallest sum for the smallest subtree with both i and j,
    if they are its first and its last leaf."""
    n, merges = len(llr), tree.merges
    members, distance = _members(merges), tree.neutral - llr
    cost = np.zeros((n, n))

    def other_end(node: int, leaf: int) -> Integers:
        """Leaves that can be at one end of a subtree while `leaf` is at the other."""
        if node < n:
            return members[node]
        left, right = merges[node - n].left, merges[node - n].right
        return members[right] if leaf in members[left] else members[left]

    def add_subtree(table: Floats, node: int) -> Floats:
        """Turn rows for leaves at the near end of a subtree into rows for leaves at its far end."""
        if node < n:
            return table
        one, other = members[merges[node - n].left], members[merges[node - n].right]
        inner = cost[np.ix_(one, other)]
        top, bottom = table[: len(one)], table[len(one) :]
        return np.concatenate([_min_plus(inner, bottom), _min_plus(inner.T, top)])

    for merge in merges:
        across = distance[np.ix_(members[merge.left], members[merge.right])]
        across = add_subtree(add_subtree(across, merge.left).T, merge.right).T
        cost[np.ix_(members[merge.left], members[merge.right])] = across
        cost[np.ix_(members[merge.right], members[merge.left])] = across.T
    one, other = members[merges[-1].left], members[merges[-1].right]
    ends = np.unravel_index(cost[np.ix_(one, other)].argmin(), (len(one), len(other)))
    order: list[int] = []
    waiting = [(2 * n - 2, int(one[ends[0]]), int(other[ends[1]]))]
    while waiting:  # a stack of subtrees with their first and last leaf, the leftmost on top
        node, first, last = waiting.pop()
        if node < n:
            order.append(node)
            continue
        sides = [merges[node - n].left, merges[node - n].right]
        if first not in members[sides[0]]:
            sides.reverse()
        one, other = other_end(sides[0], first), other_end(sides[1], last)
        sums = cost[first, one][:, None] + distance[np.ix_(one, other)] + cost[other, last]
        inner = np.unravel_index(sums.argmin(), sums.shape)
        waiting.append((sides[1], int(other[inner[1]]), last))
        waiting.append((sides[0], first, int(one[inner[0]])))
    return order


def _min_plus(one: Floats, other: Floats) -> Floats:
    """The min-plus matrix product: the minimum of sums instead of the sum of products."""
    if other.shape[1] <= len(one):
        return np.stack([(one + column).min(axis=1) for column in other.T], axis=1)
    return np.stack([(row[:, None] + other).min(axis=0) for row in one])
