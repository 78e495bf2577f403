"""The part of a large case that figures and reports show, and the counts of the whole case."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from adhominem.arrays import Integers, Reals
from adhominem.instrument.evidence.matrix import MOST_EXACT, EvidenceMatrix

MOST_DRAWN = MOST_EXACT  # texts of a case that is shown whole, with all its numbers
_LINKED = 100  # texts with the strongest links: among them are both ends of the 50 strongest


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts of a whole case: its texts and those that could not be judged, its pairs by verdict,
    reliable answers, and the sizes of its groups of two texts or more, the largest first."""

    texts: int
    not_judged: int
    pairs: int
    same: int
    different: int
    undecided: int
    reliable: int
    groups: tuple[int, ...]


def summarise(evidence: EvidenceMatrix, groups: Sequence[int]) -> Summary:
    n, decided = len(groups), evidence.decided
    tables = (decided & (evidence.llr > 0), decided, evidence.reliable)
    n_same, n_decided, n_reliable = (int(np.count_nonzero(table)) // 2 for table in tables)
    n_pairs = n * (n - 1) // 2
    return Summary(
        texts=n,
        not_judged=sum(map(bool, evidence.doubts)),
        pairs=n_pairs,
        same=n_same,
        different=n_decided - n_same,
        undecided=n_pairs - n_decided,
        reliable=n_reliable,
        groups=tuple(size for _, size in Counter(groups).most_common() if size > 1),
    )


def choose_drawn(llr: Reals, groups: Sequence[int], questioned: int | None = None) -> Integers:
    """The numbers of the texts to draw, in ascending order: all of them, or of a large case the
    questioned text and those nearest to it, the texts with the strongest links, the largest
    groups, and single texts by their strongest link."""
    n = len(llr)
    if n <= MOST_DRAWN:
        return np.arange(n)
    strongest = np.fmax.reduce(llr, axis=1)
    sizes = Counter(groups)
    group = np.array([own if sizes[own] > 1 else n for own in groups])
    chosen: list[int] = []
    if questioned is not None:  # NaN, which a text has with itself, comes last
        chosen = [questioned, *np.argsort(-llr[questioned], kind="stable")[:_LINKED]]
    chosen += [*np.argsort(-strongest, kind="stable")[:_LINKED], *np.lexsort((-strongest, group))]
    return np.sort(list(dict.fromkeys(chosen))[:MOST_DRAWN])
