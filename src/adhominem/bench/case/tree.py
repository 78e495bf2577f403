"""Which texts belong together: average linkage over the evidence.

Two groups are as near as the mean log10 likelihood ratio between their texts is large. A pair that
is undecided counts as 0: it neither joins nor parts. Groups are cut where the mean no longer speaks
for one author, so a text that could not be judged is alone. That two groups are joined is a way to
look at many numbers, not evidence of its own: the pairs are not independent of each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Merge:
    """Of two nodes: a text has its own number, merge k the number n_texts + k. The mean log10 LR
    between them is `Tree.neutral - height`."""

    left: int
    right: int
    height: float
    size: int


@dataclass(frozen=True, slots=True)
class Tree:
    """order     the leaves as they are drawn
    merges    from the nearest to the farthest
    neutral   the height at which the mean evidence is 0
    groups    for each text the number of its group, the largest first
    """

    order: tuple[int, ...]
    merges: tuple[Merge, ...]
    neutral: float
    groups: tuple[int, ...]

    def renumbered(self, numbers: Sequence[int]) -> Tree:
        """Text i of this tree is text `numbers[i]` of the new one."""
        n = len(numbers)
        nodes = [*numbers, *range(n, 2 * n - 1)]
        groups = dict(zip(numbers, self.groups, strict=True))
        return replace(
            self,
            order=tuple(numbers[text] for text in self.order),
            merges=tuple(
                replace(merge, left=nodes[merge.left], right=nodes[merge.right])
                for merge in self.merges
            ),
            groups=tuple(groups[text] for text in range(n)),
        )


def grow_tree(llr: Floats, *, min_llr: float) -> Tree:
    """From a symmetric table of two texts or more, whose diagonal is not looked at; a mean below
    `min_llr` joins nothing."""
    from scipy.cluster.hierarchy import fcluster, leaves_list, linkage, optimal_leaf_ordering

    n = len(llr)
    above = llr[np.triu_indices(n, 1)]
    neutral = float(max(above.max(), min_llr))
    distance = neutral - above
    links = optimal_leaf_ordering(linkage(distance, "average"), distance)
    # Means of equal numbers may differ in their last digit.
    cut = neutral - min_llr + 1e-9
    return Tree(
        tuple(leaves_list(links).tolist()),
        tuple(Merge(int(a), int(b), float(height), int(size)) for a, b, height, size in links),
        neutral,
        _by_size(fcluster(links, cut, "distance").tolist()),
    )


def _by_size(labels: list[int]) -> tuple[int, ...]:
    """Groups numbered from 0, the largest first; of equally large ones the one that comes first."""
    sizes = Counter(labels)
    ranked = sorted(sizes, key=lambda label: (-sizes[label], labels.index(label)))
    return tuple(ranked.index(label) for label in labels)
