"""Pairs of documents, drawn anew for each epoch; a draw depends on (seed, epoch) only.

`PairSampler` draws the four (a, c) cells of section III of the paper in equal sizes; a says whether
the documents have the same author, c whether they have the same topic. In each cell an author has
at most one same-author pair, or one document in different-author pairs. The cost is a few sorts.

`draw_sides` draws pairs with several documents on a side, for authors of whom several texts are
known.
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
    """Pairs of documents, given by their indices. In training by authors, all pairs are same-author
    pairs, and the other authors of its block are the negatives of a pair."""

    left: Integers
    right: Integers
    same_author: Booleans
    same_topic: Booleans | None  # None without topics
    block: Integers | None = None  # number of the block; None if there is only one

    def at_most(self, n: int) -> Self:
        """Return the first n pairs of each cell, in the order of the table."""
        topic = np.zeros_like(self.same_author) if self.same_topic is None else self.same_topic
        cell = 2 * self.same_author.astype(np.int64) + topic
        chosen = [np.flatnonzero(cell == c)[:n] for c in range(4)]
        return self.select(np.sort(np.concatenate(chosen)))

    def renumber(self, documents: Integers) -> Self:
        """Return the same pairs with index i replaced by `documents[i]`."""
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

    def side_pairs(self) -> "list[SidePair]":
        """Return the pairs as a list, with one document on each side."""
        topics = [None] * len(self) if self.same_topic is None else self.same_topic.tolist()
        columns = self.left[:, None], self.right[:, None], self.same_author.tolist(), topics
        return [SidePair(*pair) for pair in zip(*columns, strict=True)]


def join_distinct(tables: Sequence[PairTable]) -> PairTable:
    """Join several draws in order; of equal pairs, sides exchanged or not, the first is kept."""
    joined = PairTable.join(tables)
    both = np.sort(np.stack([joined.left, joined.right]), axis=0)
    return joined.select(np.sort(np.unique(both, axis=1, return_index=True)[1]))


def cell_name(same_author: bool, same_topic: bool | None) -> str:
    """Return the name of an (a, c) cell, without the topic if c is None."""
    author = "same author" if same_author else "different authors"
    if same_topic is None:
        return author
    return f"{author}, {'same topic' if same_topic else 'different topics'}"


@dataclass(frozen=True)
class PairSampler:
    """Draws pairs of documents, given the author and optionally the topic of each."""

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
        same_author, same_topic = (
            np.repeat(kind, size)[order] for kind in zip(*cells, strict=True)
        )
        return PairTable(left, right, same_author, None if self.topics is None else same_topic)

    def lacks_common_topics(self) -> bool:
        """Whether same-topic pairs are so few that cells of equal size would waste most of the
        other pairs. Decided by a separate draw, so it is the same in every epoch."""
        cells = self._cells(np.random.default_rng(self.seed))
        same, other = (
            min(len(cells.get((a, c), ())) for a in (True, False)) for c in (True, False)
        )
        return same < max(other / 5, min(3, other / 2))

    def _cells(self, rng: np.random.Generator) -> dict[tuple[bool, bool | None], Integers]:
        """Return the pairs (n, 2) of each cell, as many as can be drawn."""
        topics = self.topics
        kinds: list[bool | None] = [False] if self.other_topics_only else [True, False]
        if topics is None:  # as if all documents were on one topic
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
        """Return one pair per author: a random document that has a partner, and a random one of
        its partners."""
        order = np.lexsort((topics, self.authors))
        authors, topics = self.authors[order], topics[order]
        author_start, author_end = ranges_of_runs(authors)
        topic_start, topic_end = ranges_of_runs(authors, topics)
        n_topic = topic_end - topic_start  # documents of the same author and topic
        n_partners = n_topic - 1 if same_topic else author_end - author_start - n_topic
        shuffled = rng.permutation(np.flatnonzero(n_partners > 0))
        one = shuffled[np.unique(authors[shuffled], return_index=True)[1]]
        step = rng.integers(0, n_partners[one])
        # The partners are numbered without the document itself, or without its topic.
        other = (topic_start if same_topic else author_start)[one] + step
        skipped = other >= (one if same_topic else topic_start[one])
        other += skipped * (1 if same_topic else n_topic[one])
        return np.stack([order[one], order[other]], axis=1)

    def _different_author(
        self, rng: np.random.Generator, topics: Integers, *, same_topic: bool
    ) -> Integers:
        """Return pairs of one random document per author, joined within topics or across them."""
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
        if not fits.any():  # which happens by chance in a small corpus
            return self._one_pair(rng, topics, same_topic=same_topic)
        return np.stack([one[fits], other[fits]], axis=1)

    def _one_pair(
        self, rng: np.random.Generator, topics: Integers, *, same_topic: bool
    ) -> Integers:
        """Return a random different-author pair, or none if there is none."""
        both = np.stack([self.authors, topics], axis=1)
        of_author, of_topic, of_both = map(_group_sizes, (self.authors, topics, both))
        on_topic = of_topic - of_both  # documents by other authors on the same topic
        n_partners = on_topic if same_topic else len(topics) - of_author - on_topic
        have_partners = np.flatnonzero(n_partners)
        if not len(have_partners):
            return np.zeros((0, 2), np.int64)
        one = rng.choice(have_partners)
        is_partner = (self.authors != self.authors[one]) & ((topics == topics[one]) == same_topic)
        return np.array([[one, rng.choice(np.flatnonzero(is_partner))]])


def _group_sizes(labels: Integers) -> Integers:
    """Return the number of elements, or rows, that have the same label as each one."""
    _, numbers, counts = np.unique(labels, axis=0, return_inverse=True, return_counts=True)
    return counts[numbers]


def ranges_of_runs(*labels: Integers) -> tuple[Integers, Integers]:
    """Return the start and the end of each element's run of equal labels."""
    is_first = np.any([np.diff(own, prepend=own[:1] - 1) != 0 for own in labels], axis=0)
    starts = np.flatnonzero(is_first)
    sizes = np.diff(starts, append=len(is_first))
    return np.repeat(starts, sizes), np.repeat(starts + sizes, sizes)


@dataclass(frozen=True, slots=True)
class SidePair:
    """Two sides, each given by the indices of its documents."""

    left: Integers
    right: Integers
    same_author: bool
    same_topic: bool | None = None


def draw_sides(documents: Integers, authors: Integers, *, seed: int, epoch: int) -> list[SidePair]:
    """Return a same-author pair with three or more documents for each author who has as many, and
    different-author pairs made by exchanging sides; `authors[i]` wrote `documents[i]`."""
    rng = np.random.default_rng([seed, 6, epoch])
    shuffled = rng.permutation(len(documents))
    order = shuffled[np.argsort(authors[shuffled], kind="stable")]
    starts = np.flatnonzero(np.diff(authors[order], prepend=-1))
    same = []
    for own in np.split(documents[order], starts[1:]):
        if len(own) > 2:
            n = int(np.exp(rng.uniform(np.log(3), np.log(len(own) + 1))))  # log-uniform from 3 on
            cut = int(rng.integers(1, n))
            same.append(SidePair(own[:cut], own[cut:n], True))
    turn = rng.permutation(len(same))
    different = [
        SidePair(same[one].left, same[other].right, False)
        for one, other in zip(turn, np.roll(turn, 1), strict=True)
        if one != other
    ]
    return same + different


def make_pairs(
    pairs: Sequence[SidePair], documents: Mapping[int, Document], *, prefix: str = "pair"
) -> list[Pair]:
    """Return the pairs with their documents, which are looked up by index."""

    def side(indices: Integers) -> tuple[Document, ...]:
        return tuple(documents[i] for i in indices.tolist())

    return [
        Pair(side(pair.left), side(pair.right), pair.same_author, pair.same_topic, f"{prefix}-{n}")
        for n, pair in enumerate(pairs)
    ]
