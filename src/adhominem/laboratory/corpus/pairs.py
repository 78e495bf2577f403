"""Pairs of documents, drawn anew for every epoch by (seed, epoch) alone.

`PairSampler` draws the four (a, c) cells of section III of the paper in equal sizes; a says whether
both documents have one author, c whether they have one topic. In each cell a document is in one
pair at most, and an author in few: one same-author pair per author and cell, one document in the
different-author cells. Cost: a few sorts of the documents.

`draw_sides` draws pairs whose sides have several documents, as when more than one text of an author
is known.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from adhominem.arrays import Booleans, Integers, Rows
from adhominem.errors import InputError
from adhominem.records import Document, Pair


@dataclass(frozen=True, slots=True)
class PairTable(Rows):
    """Pairs of documents, given by their indices. Pairs of one author each may be in numbered
    blocks: the other authors of its block, and no others, are the negatives of a pair."""

    left: Integers
    right: Integers
    same_author: Booleans
    same_topic: Booleans | None  # None without topics
    block: Integers | None = None  # None if all are in one block

    def at_most(self, n: int) -> Self:
        """Return the first n pairs of each cell, in their order."""
        topic = np.zeros_like(self.same_author) if self.same_topic is None else self.same_topic
        cell = 2 * self.same_author.astype(np.int64) + topic
        chosen = [np.flatnonzero(cell == c)[:n] for c in range(4)]
        return self.select(np.sort(np.concatenate(chosen)))

    def renumber(self, documents: Integers) -> Self:
        """Return the same pairs with document i called `documents[i]`."""
        return replace(self, left=documents[self.left], right=documents[self.right])

    def cells(self) -> dict[str, int]:
        """Return the number of pairs in each (a, c) cell, by name."""
        topics: list[bool | None] = [None]
        if self.same_topic is not None:
            topics = [True, False] if self.same_topic.any() or not len(self) else [False]
        return {
            cell_name(a, c): int(np.sum((self.same_author == a) & (self.same_topic == c)))
            for a in (True, False)
            for c in topics
        }

    def sides(self) -> "list[Sides]":
        """Return the pairs one by one."""
        topics = [None] * len(self) if self.same_topic is None else self.same_topic.tolist()
        columns = self.left[:, None], self.right[:, None], self.same_author.tolist(), topics
        return [Sides(*pair) for pair in zip(*columns, strict=True)]


def join_distinct(tables: Sequence[PairTable]) -> PairTable:
    """Join several draws in their order; a pair is kept once, also if its sides are exchanged."""
    joined = PairTable.join(tables)
    both = np.sort(np.stack([joined.left, joined.right]), axis=0)
    return joined.select(np.sort(np.unique(both, axis=1, return_index=True)[1]))


def cell_name(same_author: bool, same_topic: bool | None) -> str:
    """Return the name of an (a, c) cell, or of a only if there are no topics."""
    author = "same author" if same_author else "different authors"
    if same_topic is None:
        return author
    return f"{author}, {'same topic' if same_topic else 'different topics'}"


@dataclass(frozen=True)
class PairSampler:
    """Draws pairs of documents, given the author and, if there are topics, the topic of each."""

    authors: Integers
    topics: Integers | None
    seed: int
    other_topics_only: bool = False  # draw no pairs on the same topic

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
        drawn = [rng.permutation(pairs)[:size] for pairs in cells.values()]
        order = rng.permutation(size * len(cells))
        left, right = np.concatenate(drawn)[order].T
        same_author = np.repeat([a for a, _ in cells], size)[order]
        same_topic = np.repeat([bool(c) for _, c in cells], size)[order]
        return PairTable(left, right, same_author, None if self.topics is None else same_topic)

    def lacks_common_topics(self) -> bool:
        """Whether pairs on the same topic are so few that equal cells would leave most of the
        others out. Decided by a draw of its own, hence alike in every epoch."""
        sizes = {cell: len(p) for cell, p in self._cells(np.random.default_rng(self.seed)).items()}
        alike, apart = (min(sizes.get((a, c), 0) for a in (True, False)) for c in (True, False))
        return alike < max(apart / 5, min(3, apart / 2))

    def _cells(self, rng: np.random.Generator) -> dict[tuple[bool, bool | None], Integers]:
        topics = self.topics
        kinds: list[bool | None] = [False] if self.other_topics_only else [True, False]
        if topics is None:  # all documents are on one
            topics, kinds = np.zeros_like(self.authors), [None]
        draws = {True: self._same_author, False: self._different_author}
        return {
            (a, c): draw(rng, topics, same_topic=c is not False)
            for a, draw in draws.items()
            for c in kinds
        }

    def _same_author(
        self, rng: np.random.Generator, topics: Integers, *, same_topic: bool
    ) -> Integers:
        """Return one pair per author: a document that has a partner, and any of its partners."""
        order = np.lexsort((topics, self.authors))
        authors, topics = self.authors[order], topics[order]
        author_start, author_end = ranges_of_runs(authors)
        topic_start, topic_end = ranges_of_runs(authors, topics)
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
        _, one_each = np.unique(self.authors[shuffled], return_index=True)
        chosen = rng.permutation(shuffled[one_each])  # one document of each author
        _, numbers = np.unique(topics, return_inverse=True)
        shuffled_topics = rng.permutation(int(numbers.max(initial=-1)) + 1)[numbers]
        by_topic = chosen[np.argsort(shuffled_topics[chosen], kind="stable")]
        if same_topic:
            rank = np.arange(len(by_topic)) - ranges_of_runs(topics[by_topic])[0]
            first = np.flatnonzero(rank[:-1] % 2 == 0)
            one, other = by_topic[first], by_topic[first + 1]
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
        """Return one document that has a partner by another author, and any of its partners."""
        both = np.stack([self.authors, topics], axis=1)
        of_author, of_topic, of_both = map(_group_sizes, (self.authors, topics, both))
        on_topic = of_topic - of_both  # documents by others
        n_partners = on_topic if same_topic else len(topics) - of_author - on_topic
        have_partners = np.flatnonzero(n_partners)
        if not len(have_partners):
            return np.zeros((0, 2), np.int64)
        one = rng.choice(have_partners)
        is_partner = (self.authors != self.authors[one]) & ((topics == topics[one]) == same_topic)
        return np.array([[one, rng.choice(np.flatnonzero(is_partner))]])


def _group_sizes(labels: Integers) -> Integers:
    """Return for each element (or row) the number of those with the same label."""
    _, numbers, counts = np.unique(labels, axis=0, return_inverse=True, return_counts=True)
    return counts[numbers]


def ranges_of_runs(*labels: Integers) -> tuple[Integers, Integers]:
    """Return the start and the end of each element's run of equal labels."""
    is_first = np.any([np.diff(own, prepend=own[:1] - 1) != 0 for own in labels], axis=0)
    starts = np.flatnonzero(is_first)
    sizes = np.diff(starts, append=len(is_first))
    return np.repeat(starts, sizes), np.repeat(starts + sizes, sizes)


@dataclass(frozen=True, slots=True)
class Sides:
    """A pair of sides: the indices of the documents on each."""

    left: Integers
    right: Integers
    same_author: bool
    same_topic: bool | None = None


def draw_sides(documents: Integers, authors: Integers, *, seed: int, epoch: int) -> list[Sides]:
    """Deal the documents of each author (`authors[i]` wrote `documents[i]`) to two sides, at least
    one with several documents. Return one pair of each author with three documents or more, and
    one of each with the next author."""
    rng = np.random.default_rng([seed, 6, epoch])
    shuffled = rng.permutation(len(documents))
    order = shuffled[np.argsort(authors[shuffled], kind="stable")]
    starts = np.flatnonzero(np.diff(authors[order], prepend=-1))
    same = []
    for own in np.split(documents[order], starts[1:]):
        if len(own) > 2:
            # The number of documents is drawn evenly on a logarithmic scale.
            n = int(np.exp(rng.uniform(np.log(3), np.log(len(own) + 1))))
            cut = int(rng.integers(1, n))
            same.append(Sides(own[:cut], own[cut:n], True))
    turn = rng.permutation(len(same))
    different = [
        Sides(same[one].left, same[other].right, False)
        for one, other in zip(turn, np.roll(turn, 1), strict=True)
        if one != other
    ]
    return same + different


def make_pairs(
    sides: list[Sides], documents: Mapping[int, Document], *, prefix: str = "pair"
) -> list[Pair]:
    """Return the pairs with their documents, which are looked up by index."""
    return [
        Pair(
            left=tuple(documents[int(i)] for i in side.left),
            right=tuple(documents[int(i)] for i in side.right),
            same_author=side.same_author,
            same_topic=side.same_topic,
            id=f"{prefix}-{number}",
        )
        for number, side in enumerate(sides)
    ]
