"""Pairs in the four (a, c) cells of equal size, drawn anew for every epoch.

a says whether both documents have one author, c whether they have one topic (section III of the
paper). A draw depends on (seed, epoch) alone. In each cell an author's document stands in one
pair at most, and an author in few: one same-author pair per author and cell, one document in the
different-author cells. Cost: a few sorts of the documents.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from adhominem.errors import InputError
from adhominem.records import Document, Pair

Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class PairTable:
    """Places of documents, pair by pair; `same_topic` is None for a corpus without topics. Pairs of
    one author each may stand in blocks, `block` being the number of a pair's: the other authors of
    its block, and no others, are its negatives."""

    left: Integers
    right: Integers
    same_author: Booleans
    same_topic: Booleans | None
    block: Integers | None = None

    def __len__(self) -> int:
        return len(self.left)

    def rows(self, start: int, stop: int) -> PairTable:
        topic = None if self.same_topic is None else self.same_topic[start:stop]
        block = None if self.block is None else self.block[start:stop]
        part = slice(start, stop)
        return PairTable(self.left[part], self.right[part], self.same_author[part], topic, block)

    def at_most(self, n: int) -> PairTable:
        """The first n pairs of each cell, in their order."""
        topic = np.zeros_like(self.same_author) if self.same_topic is None else self.same_topic
        cell = 2 * self.same_author.astype(np.int64) + topic
        kept = np.sort(np.concatenate([np.flatnonzero(cell == c)[:n] for c in range(4)]))
        return PairTable(
            self.left[kept],
            self.right[kept],
            self.same_author[kept],
            None if self.same_topic is None else self.same_topic[kept],
        )

    def cells(self) -> dict[str, int]:
        """Pairs in each (a, c) cell, by name; a table may have pairs on different topics alone."""
        topics: list[bool | None] = [None]
        if self.same_topic is not None:
            topics = [True, False] if self.same_topic.any() or not len(self) else [False]
        counts = {}
        for a in (True, False):
            for c in topics:
                chosen = self.same_author == a
                if self.same_topic is not None:
                    chosen = chosen & (self.same_topic == c)
                counts[cell_name(a, c)] = int(np.sum(chosen))
        return counts

    def pairs(self, documents: Mapping[int, Document], *, prefix: str = "pair") -> list[Pair]:
        """The pairs themselves, out of the documents by their places."""
        return [
            Pair(
                left=(documents[int(self.left[i])],),
                right=(documents[int(self.right[i])],),
                same_author=bool(self.same_author[i]),
                same_topic=None if self.same_topic is None else bool(self.same_topic[i]),
                id=f"{prefix}-{i}",
            )
            for i in range(len(self))
        ]


def join_distinct(tables: Sequence[PairTable]) -> PairTable:
    """The pairs of several draws in their order, each once whichever side its documents are on."""
    left = np.concatenate([table.left for table in tables])
    right = np.concatenate([table.right for table in tables])
    both = np.stack([np.minimum(left, right), np.maximum(left, right)])
    first = np.sort(np.unique(both, axis=1, return_index=True)[1])
    topics = [table.same_topic for table in tables if table.same_topic is not None]
    return PairTable(
        left[first],
        right[first],
        np.concatenate([table.same_author for table in tables])[first],
        np.concatenate(topics)[first] if len(topics) == len(tables) else None,
    )


def cell_name(same_author: bool, same_topic: bool | None) -> str:
    author = "same author" if same_author else "different authors"
    if same_topic is None:
        return author
    return f"{author}, {'same topic' if same_topic else 'different topics'}"


@dataclass(frozen=True)
class PairSampler:
    """Draws pairs of places in a corpus given by the author and the topic of each document; with
    `other_topics_only` the two cells of pairs on different topics."""

    authors: Integers
    topics: Integers | None
    seed: int
    other_topics_only: bool = False

    def draw(self, epoch: int) -> PairTable:
        rng = np.random.default_rng([self.seed, epoch])
        cells = self._cells(rng)
        size = min(len(pairs) for pairs in cells.values())
        if not size:
            empty = [cell_name(*cell) for cell, pairs in cells.items() if not len(pairs)]
            raise InputError(
                f"no pairs of {' or '.join(empty)}: the corpus needs authors with two documents on "
                "one topic and on two, and topics with two authors"
            )
        kept = [rng.permutation(pairs)[:size] for pairs in cells.values()]
        same_author = np.repeat([a for a, _ in cells], size)
        same_topic = np.repeat([bool(c) for _, c in cells], size)
        order = rng.permutation(size * len(cells))
        left, right = np.concatenate(kept)[order].T
        return PairTable(
            left, right, same_author[order], None if self.topics is None else same_topic[order]
        )

    def lacks_topics_in_common(self) -> bool:
        """Whether pairs on the same topic are so few that equal cells would leave most of the
        others out. Decided by a draw of its own, hence alike in every epoch."""
        sizes = {cell: len(p) for cell, p in self._cells(np.random.default_rng(self.seed)).items()}
        alike, apart = (min(sizes.get((a, c), 0) for a in (True, False)) for c in (True, False))
        return alike < max(apart / 5, min(3, apart / 2))

    def _cells(self, rng: np.random.Generator) -> dict[tuple[bool, bool | None], Integers]:
        if self.topics is None:
            one_topic = np.zeros_like(self.authors)
            return {
                (True, None): self._same_author(rng, one_topic, same_topic=True),
                (False, None): self._different_author(rng, one_topic, same_topic=True),
            }
        return {
            (a, c): (self._same_author if a else self._different_author)(
                rng, self.topics, same_topic=c
            )
            for a in (True, False)
            for c in ((False,) if self.other_topics_only else (True, False))
        }

    def _same_author(
        self, rng: np.random.Generator, topics: Integers, *, same_topic: bool
    ) -> Integers:
        """One pair per author: a document that has a partner, and any of its partners."""
        order = np.lexsort((topics, self.authors))
        authors, topics = self.authors[order], topics[order]
        new_author = np.diff(authors, prepend=authors[:1] - 1) != 0
        author_start, author_end = ranges_of_runs(new_author)
        topic_start, topic_end = ranges_of_runs(
            new_author | (np.diff(topics, prepend=topics[:1] - 1) != 0)
        )
        alike = topic_end - topic_start
        n_partners = alike - 1 if same_topic else author_end - author_start - alike
        shuffled = rng.permutation(np.flatnonzero(n_partners > 0))
        _, first = np.unique(authors[shuffled], return_index=True)
        one = shuffled[first]
        step = rng.integers(0, n_partners[one])
        if same_topic:
            other = topic_start[one] + step
            other += other >= one
        else:
            other = author_start[one] + step
            other += np.where(other >= topic_start[one], alike[one], 0)
        return np.stack([order[one], order[other]], axis=1)

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
        if not fits.any():  # by chance, in a small corpus
            return self._one_pair(rng, topics, same_topic=same_topic)
        return np.stack([one[fits], other[fits]], axis=1)

    def _one_pair(
        self, rng: np.random.Generator, topics: Integers, *, same_topic: bool
    ) -> Integers:
        """One document that has a partner by another author, and any of its partners."""
        of_author, of_topic = _group_sizes(self.authors), _group_sizes(topics)
        of_both = _group_sizes(np.stack([self.authors, topics], axis=1))
        others = len(topics) - of_author
        n_partners = of_topic - of_both if same_topic else others - (of_topic - of_both)
        have_partners = np.flatnonzero(n_partners)
        if not len(have_partners):
            return np.zeros((0, 2), np.int64)
        one = rng.choice(have_partners)
        is_partner = (self.authors != self.authors[one]) & ((topics == topics[one]) == same_topic)
        return np.array([[one, rng.choice(np.flatnonzero(is_partner))]])


def _shuffle_labels(rng: np.random.Generator, labels: Integers) -> Integers:
    """The same grouping under labels whose order is random."""
    _, numbers = np.unique(labels, return_inverse=True)
    return rng.permutation(int(numbers.max(initial=-1)) + 1)[numbers]


def _group_sizes(labels: Integers) -> Integers:
    """For each element (or row), how many have the same label."""
    _, numbers, counts = np.unique(labels, axis=0, return_inverse=True, return_counts=True)
    return counts[numbers]


def _place_in_group(labels: Integers) -> Integers:
    """0, 1, 2 ... within each run of equal labels."""
    starts = np.flatnonzero(np.diff(labels, prepend=labels[:1] - 1))
    return np.arange(len(labels)) - np.repeat(starts, np.diff(np.append(starts, len(labels))))


def ranges_of_runs(is_first: Booleans) -> tuple[Integers, Integers]:
    """Where the run of each element starts and ends; `is_first` marks the first of each run."""
    starts = np.flatnonzero(is_first)
    sizes = np.diff(np.append(starts, len(is_first)))
    return np.repeat(starts, sizes), np.repeat(starts + sizes, sizes)
