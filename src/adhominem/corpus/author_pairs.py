"""Two documents of every author, in batches whose authors serve each other as negatives.

In a share of the batches the first documents are on one topic as far as it lasts, and the second
on another where the author has one: there topic can neither tell authors apart nor bring the two
documents of an author together. A draw depends on (seed, epoch) alone.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from adhominem.corpus.pairs import PairTable, ranges_of_runs
from adhominem.errors import InputError

Integers = npt.NDArray[np.int64]


def draw_author_pairs(
    authors: Integers,
    topics: Integers,
    *,
    batch: int,
    topic_share: float,
    seed: int,
    epoch: int,
) -> PairTable:
    """One pair of places for each author with two documents; every `batch` of them on end are one
    step. `topics` are -1 where a document has none."""
    rng = np.random.default_rng([seed, 3, epoch])
    shuffled = rng.permutation(len(authors))
    by_author = shuffled[np.argsort(authors[shuffled], kind="stable")]
    start, end = ranges_of_runs(np.diff(authors[by_author], prepend=-1) != 0)
    first = np.unique(start)
    first = first[end[first] - first > 1]
    if not len(first):
        raise InputError("no author has two documents: there is nothing to learn from")
    left = by_author[first]
    right = by_author[first + 1]
    order = rng.permutation(len(left))
    n_by_topic = round(topic_share * len(left) / batch) * batch
    focused = order[: min(n_by_topic, len(left))]
    right[focused] = _other_topic(by_author, topics, first[focused], end[first[focused]])
    label = rng.permutation(int(topics.max(initial=-1)) + 2)[topics[left[focused]]]
    focused = focused[np.argsort(label, kind="stable")]
    order = np.concatenate([focused, order[len(focused) :]])
    order = _shuffle_batches(order, batch, rng)
    same = np.ones(len(order), dtype=bool)
    return PairTable(left[order], right[order], same, topics[left[order]] == topics[right[order]])


def _other_topic(by_author: Integers, topics: Integers, start: Integers, end: Integers) -> Integers:
    """The first document after `start` on another topic, or the next one where there is none."""
    chosen = by_author[start + 1]
    is_open = topics[chosen] == topics[by_author[start]]
    for step in range(2, int((end - start).max(initial=0))):
        here = np.flatnonzero(is_open & (start + step < end))
        if not len(here):
            break
        found = by_author[start[here] + step]
        differs = topics[found] != topics[by_author[start[here]]]
        chosen[here[differs]] = found[differs]
        is_open[here[differs]] = False
    return chosen


def _shuffle_batches(order: Integers, batch: int, rng: np.random.Generator) -> Integers:
    """Whole batches in random order, what is left over last."""
    n_whole = len(order) // batch
    whole = order[: n_whole * batch].reshape(n_whole, batch)
    return np.concatenate([whole[rng.permutation(n_whole)].ravel(), order[n_whole * batch :]])
