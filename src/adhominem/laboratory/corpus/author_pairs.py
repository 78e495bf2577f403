"""Two documents of an author, in batches whose authors serve each other as negatives.

A batch is of one genre and has an author once. An author with n documents has n / 2 pairs in an
epoch, so that the many documents of a few are used as well. In a share of the batches the first
documents are on one topic as far as it lasts, and the second on another where the author has one:
there topic can neither tell authors apart nor bring the two documents of an author together. A
draw depends on (seed, epoch) alone.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from adhominem.errors import InputError
from adhominem.laboratory.corpus.pairs import PairTable, ranges_of_runs

Integers = npt.NDArray[np.int64]
_MOST_PAIRS = 8  # of one author in an epoch


def draw_author_pairs(
    authors: Integers,
    topics: Integers,
    genres: Integers,
    *,
    batch: int,
    topic_share: float,
    seed: int,
    epoch: int,
) -> PairTable:
    """Every `batch` pairs on end are one step; pairs that fill none are left for another epoch,
    unless there is no other. `topics` are -1 where a document has none."""
    rng = np.random.default_rng([seed, 3, epoch])
    batches: list[Integers] = []
    for genre in np.unique(genres):
        places = np.flatnonzero(genres == genre)
        for turn in range(_MOST_PAIRS):
            drawn = _one_turn(authors[places], topics[places], turn, batch, topic_share, rng)
            batches += [places[part] for part in drawn]
    if not batches:
        raise InputError("no author has two documents: there is nothing to learn from")
    whole = [part for part in batches if part.shape[1] == batch]
    chosen = whole or batches[:1]
    left, right = np.hstack([chosen[i] for i in rng.permutation(len(chosen))])
    same = np.ones(len(left), dtype=bool)
    return PairTable(left, right, same, topics[left] == topics[right])


def _one_turn(
    authors: Integers,
    topics: Integers,
    turn: int,
    batch: int,
    topic_share: float,
    rng: np.random.Generator,
) -> list[Integers]:
    """One pair of each author who has documents for so many turns, cut into batches (2, n)."""
    shuffled = rng.permutation(len(authors))
    by_author = shuffled[np.argsort(authors[shuffled], kind="stable")]
    start, end = ranges_of_runs(np.diff(authors[by_author], prepend=-1) != 0)
    first = np.unique(start)
    first = first[(end[first] - first) // 2 > turn]
    left, right = by_author[first], by_author[first + 1]
    order = rng.permutation(len(left))
    n_by_topic = round(topic_share * len(left) / batch) * batch
    focused = order[: min(n_by_topic, len(left))]
    right[focused] = _other_topic(by_author, topics, first[focused], end[first[focused]])
    label = rng.permutation(int(topics.max(initial=-1)) + 2)[topics[left[focused]]]
    focused = focused[np.argsort(label, kind="stable")]
    order = np.concatenate([focused, order[len(focused) :]])
    pairs = np.stack([left[order], right[order]])
    return [pairs[:, i : i + batch] for i in range(0, len(order), batch)]


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
