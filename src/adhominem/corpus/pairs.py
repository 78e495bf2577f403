"""Pairs in the four (a, c) cells of equal size, drawn anew for every epoch.

a says whether both documents have one author, c whether they have one topic (section III of the
paper). A draw depends on (seed, epoch) alone. In each cell an author's document stands in one
pair at most, and an author in few: one same-author pair per author and cell, one document in the
different-author cells. Cost: a few sorts of the documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from adhominem.errors import InputError
from adhominem.records import Document, Pair

Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class PairTable:
    """Places of documents, pair by pair; `same_topic` is None for a corpus without topics."""

    left: Integers
    right: Integers
    same_author: Booleans
    same_topic: Booleans | None

    def __len__(self) -> int:
        return len(self.left)

    def rows(self, start: int, stop: int) -> PairTable:
        topic = None if self.same_topic is None else self.same_topic[start:stop]
        part = slice(start, stop)
        return PairTable(self.left[part], self.right[part], self.same_author[part], topic)

    def cells(self) -> dict[str, int]:
        """Pairs in each (a, c) cell, by name."""
        topics = [None] if self.same_topic is None else [True, False]
        counts = {}
        for a in (True, False):
            for c in topics:
                chosen = self.same_author == a
                if self.same_topic is not None:
                    chosen = chosen & (self.same_topic == c)
                counts[cell_name(a, c)] = int(np.sum(chosen))
        return counts

    def pairs(self, documents: Sequence[Document], *, prefix: str = "pair") -> list[Pair]:
        return [
            Pair(
                left=(documents[self.left[i]],),
                right=(documents[self.right[i]],),
                same_author=bool(self.same_author[i]),
                same_topic=None if self.same_topic is None else bool(self.same_topic[i]),
                id=f"{prefix}-{i}",
            )
            for i in range(len(self))
        ]


def cell_name(same_author: bool, same_topic: bool | None) -> str:
    author = "same author" if same_author else "different authors"
    if same_topic is None:
        return author
    return f"{author}, {'same topic' if same_topic else 'different topics'}"


@dataclass(frozen=True)
class PairSampler:
    """Draws pairs of places in a corpus given by the author and the topic of each document."""

    authors: Integers
    topics: Integers | None
    seed: int

    def draw(self, epoch: int) -> PairTable:
        rng = np.random.default_rng([self.seed, epoch])
        cells: dict[tuple[bool, bool | None], Integers]
        if self.topics is None:
            one_topic = np.zeros_like(self.authors)
            cells = {
                (True, None): self._same_author(rng, one_topic, same_topic=True),
                (False, None): self._different_author(rng, one_topic, same_topic=True),
            }
        else:
            cells = {
                (a, c): (self._same_author if a else self._different_author)(
                    rng, self.topics, same_topic=c
                )
                for a in (True, False)
                for c in (True, False)
            }
        size = min(len(pairs) for pairs in cells.values())
        if not size:
            empty = [cell for cell, pairs in cells.items() if not len(pairs)]
            raise InputError(
                f"no pairs for the cells (same author, same topic) = {empty}: the corpus needs "
                "authors with two documents on one topic and on two, and topics with two authors"
            )
        kept = [rng.permutation(pairs)[:size] for pairs in cells.values()]
        same_author = np.repeat([a for a, _ in cells], size)
        same_topic = np.repeat([bool(c) for _, c in cells], size)
        order = rng.permutation(size * len(cells))
        left, right = np.concatenate(kept)[order].T
        return PairTable(
            left, right, same_author[order], None if self.topics is None else same_topic[order]
        )

    def _same_author(
        self, rng: np.random.Generator, topics: Integers, *, same_topic: bool
    ) -> Integers:
        if same_topic:
            # Neighbours in the order (author, topic) that agree in both; one pair per author.
            order = _shuffled_order(rng, topics, self.authors)
            one, other = order[:-1], order[1:]
        else:
            # The first half of an author's documents against the second, sorted by topic.
            order = _shuffled_order(rng, _shuffle_labels(rng, topics), self.authors)
            one, other = _halves(order, self.authors)
        fits = (self.authors[one] == self.authors[other]) & (
            (topics[one] == topics[other]) == same_topic
        )
        pairs = rng.permutation(np.stack([one[fits], other[fits]], axis=1))
        _, first = np.unique(self.authors[pairs[:, 0]], return_index=True)
        return pairs[first]

    def _different_author(
        self, rng: np.random.Generator, topics: Integers, *, same_topic: bool
    ) -> Integers:
        shuffled = rng.permutation(len(self.authors))
        _, first = np.unique(self.authors[shuffled], return_index=True)
        chosen = rng.permutation(shuffled[first])  # one document of each author
        by_topic = chosen[np.argsort(_shuffle_labels(rng, topics)[chosen], kind="stable")]
        if same_topic:
            place = _place_in_group(topics[by_topic])
            opens = np.flatnonzero(place[:-1] % 2 == 0)
            one, other = by_topic[opens], by_topic[opens + 1]
        else:
            half = len(by_topic) // 2
            one, other = by_topic[:half], by_topic[half : 2 * half]
        fits = (topics[one] == topics[other]) == same_topic
        return np.stack([one[fits], other[fits]], axis=1)


def _shuffled_order(rng: np.random.Generator, minor: Integers, major: Integers) -> Integers:
    """Places in the order (major, minor), ties in random order."""
    shuffled = rng.permutation(len(major))
    return shuffled[np.lexsort((minor[shuffled], major[shuffled]))]


def _shuffle_labels(rng: np.random.Generator, labels: Integers) -> Integers:
    """The same grouping under labels whose order is random."""
    _, numbers = np.unique(labels, return_inverse=True)
    return rng.permutation(int(numbers.max(initial=-1)) + 1)[numbers]


def _place_in_group(labels: Integers) -> Integers:
    """0, 1, 2 ... within each run of equal labels."""
    starts = np.flatnonzero(np.diff(labels, prepend=labels[:1] - 1))
    return np.arange(len(labels)) - np.repeat(starts, np.diff(np.append(starts, len(labels))))


def _halves(order: Integers, authors: Integers) -> tuple[Integers, Integers]:
    """Document i of an author with document i + n/2, for the n documents of each author."""
    labels = authors[order]
    place = _place_in_group(labels)
    starts = np.flatnonzero(place == 0)
    sizes = np.diff(np.append(starts, len(order)))
    half = np.repeat((sizes + 1) // 2, sizes)
    first = np.flatnonzero(place + half < np.repeat(sizes, sizes))
    return order[first], order[first + half[first]]
