"""Two documents of one author, in blocks of authors of one genre who serve each other as negatives.

A block has an author once. In a share of the blocks the first documents are on one topic, as far as
it lasts, and the second ones on another if the author has one: topic can then neither tell authors
apart nor bring the two documents of an author together. Documents without a topic count as one
topic. The block of a small genre is as large as the genre. A draw depends on (seed, epoch) alone.
"""

import numpy as np

from adhominem.arrays import Integers
from adhominem.errors import InputError
from adhominem.laboratory.corpus.pairs import PairTable, ranges_of_runs


class _Genre:
    """Documents, given by their indices, of the authors who have two or more of them."""

    def __init__(self, authors: Integers, topics: Integers, documents: Integers) -> None:
        _, author, count = np.unique(authors[documents], return_inverse=True, return_counts=True)
        documents = documents[count[author] > 1]
        self.documents = documents[np.lexsort((topics[documents], authors[documents]))]
        own = authors[self.documents]
        # Author a has `count[a]` documents from position `first[a]` on.
        _, self.first, self.count = np.unique(own, return_index=True, return_counts=True)
        _, self.topics = np.unique(topics[self.documents], return_inverse=True)
        # Of the same author's documents on the topic of each document.
        self.topic_start, self.topic_end = ranges_of_runs(own, self.topics)

    def turn(self, size: int, n_focused: int, rng: np.random.Generator) -> list[Integers]:
        """One pair of each author, in blocks (2, size), of which the first `n_focused` stay within
        a topic. Authors who fill no block are left out."""
        authors = rng.permutation(len(self.first))
        one = self.first[authors] + rng.integers(0, self.count[authors])
        focused, free = one[: n_focused * size], one[n_focused * size :]
        label = rng.permutation(int(self.topics.max()) + 1)[self.topics[focused]]
        focused = focused[np.argsort(label, kind="stable")]
        left = np.concatenate([focused, free])
        right = np.concatenate([self._other_topic(focused, rng), self._any_other(free, rng)])
        pairs = self.documents[np.stack([left, right])]
        return [pairs[:, i : i + size] for i in range(0, len(left) - size + 1, size)]

    def blocks(
        self, n: int, size: int, topic_share: float, rng: np.random.Generator
    ) -> list[Integers]:
        """n blocks (2, size), in which all authors take turns."""
        per_turn = len(self.first) // size
        blocks: list[Integers] = []
        while len(blocks) < n:
            turn = self.turn(size, int(topic_share * per_turn + rng.random()), rng)
            blocks += [turn[i] for i in rng.permutation(per_turn)[: n - len(blocks)]]
        return blocks

    def _other_topic(self, one: Integers, rng: np.random.Generator) -> Integers:
        """A document of the same author on another topic, or any other if there is none."""
        first, count = self._author(one)
        alike = self.topic_end[one] - self.topic_start[one]
        has_other = count > alike
        other = first + rng.integers(0, np.where(has_other, count - alike, 1))
        other += np.where(other >= self.topic_start[one], alike, 0)
        return np.where(has_other, other, self._any_other(one, rng))

    def _any_other(self, one: Integers, rng: np.random.Generator) -> Integers:
        """Another document of the same author."""
        first, count = self._author(one)
        other = first + rng.integers(0, count - 1)
        return other + (other >= one)

    def _author(self, one: Integers) -> tuple[Integers, Integers]:
        """`first` and `count` of the author of each document."""
        author = np.searchsorted(self.first, one, side="right") - 1
        return self.first[author], self.count[author]


class AuthorSampler:
    """Draws pairs from documents with author, topic (-1: none) and genre; `topic_share` of the
    blocks stay within a topic."""

    def __init__(
        self, authors: Integers, topics: Integers, genres: Integers, *, topic_share: float
    ) -> None:
        self._topics, self._topic_share = topics, topic_share
        found = [_Genre(authors, topics, np.flatnonzero(genres == g)) for g in np.unique(genres)]
        self._genres = [genre for genre in found if len(genre.first) > 1]
        if not self._genres:
            raise InputError("no genre has two authors with two documents: nothing to learn from")

    def draw(self, n_pairs: int, *, size: int, power: float, seed: int, epoch: int) -> PairTable:
        """`n_pairs` pairs in blocks of up to `size` authors; the last block is cut off if it does
        not fit. Genres are drawn by this power of their number of authors."""
        rng = np.random.default_rng([seed, 7, epoch])
        n_authors = np.array([len(genre.first) for genre in self._genres])
        sizes = np.minimum(n_authors, size)
        weights = n_authors.astype(np.float64) ** power
        most = -(-n_pairs // int(sizes.min()))
        drawn = rng.choice(len(sizes), size=most, p=weights / weights.sum())
        drawn = drawn[: np.searchsorted(np.cumsum(sizes[drawn]), n_pairs) + 1]
        waiting = [
            iter(genre.blocks(int((drawn == i).sum()), int(sizes[i]), self._topic_share, rng))
            for i, genre in enumerate(self._genres)
        ]
        left, right = np.hstack([next(waiting[number]) for number in drawn])[:, :n_pairs]
        block = np.repeat(np.arange(len(drawn)), sizes[drawn])[:n_pairs]
        same_topic = self._topics[left] == self._topics[right]
        return PairTable(left, right, np.ones(n_pairs, dtype=bool), same_topic, block)
