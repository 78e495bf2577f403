"""Two documents of an author, in blocks of authors of one genre who serve each other as negatives.

A step is made of blocks of several genres, so a genre with few authors is learnt from as well: its
block is as large as the genre. Genres are drawn by a power of their number of authors; the square
root lies between learning from the large ones alone and going through the small ones too often.

In a share of the blocks the first documents are on one topic as far as it lasts, and the second on
another where the author has one: there topic can neither tell authors apart nor bring the two
documents of an author together. A draw depends on (seed, epoch) alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from adhominem.errors import InputError
from adhominem.laboratory.corpus.pairs import PairTable, ranges_of_runs

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class BlockSettings:
    """
    block           most authors in a block
    power           genres are drawn by this power of their number of authors
    topic_share     of the blocks that stay within a topic
    """

    block: int
    power: float = 0.5
    topic_share: float = 0.5


@dataclass(frozen=True, slots=True)
class _Genre:
    """The documents of authors who have two or more, sorted by author and topic.

    Author a has the documents from `first[a]` on, `count[a]` of them. The document at place i has
    those on its own topic from `topic_start[i]` to `topic_end[i]`.
    """

    documents: Integers
    topics: Integers
    first: Integers
    count: Integers
    topic_start: Integers
    topic_end: Integers

    def blocks(
        self, n: int, settings: BlockSettings, rng: np.random.Generator
    ) -> list[tuple[Integers, Integers]]:
        """n blocks: the first and the second document of each author. Authors take turns; what
        fills no block at the end of a turn waits for another."""
        size = min(settings.block, len(self.first))
        per_turn = len(self.first) // size
        found: list[tuple[Integers, Integers]] = []
        while len(found) < n:
            n_focused = int(settings.topic_share * per_turn + rng.random())
            authors = rng.permutation(len(self.first))
            one = self.first[authors] + rng.integers(0, self.count[authors])
            focused, free = one[: n_focused * size], one[n_focused * size :]
            label = rng.permutation(int(self.topics.max()) + 1)[self.topics[focused]]
            focused = focused[np.argsort(label, kind="stable")]
            one = np.concatenate([focused, free])
            other = np.concatenate([self._other_topic(focused, rng), self._any_other(free, rng)])
            for turn in rng.permutation(per_turn)[: n - len(found)]:
                part = slice(turn * size, (turn + 1) * size)
                found.append((self.documents[one[part]], self.documents[other[part]]))
        return found

    def _other_topic(self, one: Integers, rng: np.random.Generator) -> Integers:
        """A document of the same author on another topic, or any where there is none."""
        first, count = self._author(one)
        alike = self.topic_end[one] - self.topic_start[one]
        has_other = count > alike
        other = first + rng.integers(0, np.where(has_other, count - alike, 1))
        other += np.where(other >= self.topic_start[one], alike, 0)
        return np.where(has_other, other, self._any_other(one, rng))

    def _any_other(self, one: Integers, rng: np.random.Generator) -> Integers:
        first, count = self._author(one)
        other = first + rng.integers(0, count - 1)
        return other + (other >= one)

    def _author(self, one: Integers) -> tuple[Integers, Integers]:
        author = np.searchsorted(self.first, one, side="right") - 1
        return self.first[author], self.count[author]


class BlockSampler:
    """Draws pairs of places in a corpus given by author, topic and genre of each document; `topics`
    are -1 where a document has none."""

    def __init__(
        self, authors: Integers, topics: Integers, genres: Integers, settings: BlockSettings
    ) -> None:
        self._settings = settings
        self._topics = topics
        found = [_genre(authors, topics, np.flatnonzero(genres == g)) for g in np.unique(genres)]
        self._genres = [genre for genre in found if len(genre.first) > 1]
        if not self._genres:
            raise InputError(
                "no genre has two authors with two documents: there is nothing to learn from"
            )

    def draw(self, n_pairs: int, *, seed: int, epoch: int) -> PairTable:
        """So many pairs; `block` tells the blocks apart, which follow each other. The last one is
        cut off where it does not fit."""
        rng = np.random.default_rng([seed, 7, epoch])
        n_authors = np.array([len(genre.first) for genre in self._genres])
        sizes = np.minimum(n_authors, self._settings.block)
        weights = n_authors.astype(np.float64) ** self._settings.power
        drawn = rng.choice(
            len(sizes), size=-(-n_pairs // int(sizes.min())), p=weights / weights.sum()
        )
        drawn = drawn[: np.searchsorted(np.cumsum(sizes[drawn]), n_pairs) + 1]
        waiting = [
            iter(genre.blocks(int((drawn == number).sum()), self._settings, rng))
            for number, genre in enumerate(self._genres)
        ]
        left, right = np.hstack([np.stack(next(waiting[number])) for number in drawn])
        left, right = left[:n_pairs], right[:n_pairs]
        same_topic = (self._topics[left] == self._topics[right]) & (self._topics[left] >= 0)
        block = np.repeat(np.arange(len(drawn)), sizes[drawn])[:n_pairs]
        return PairTable(left, right, np.ones(n_pairs, dtype=bool), same_topic, block)


def _genre(authors: Integers, topics: Integers, places: Integers) -> _Genre:
    """Documents without a topic are on one of their own together."""
    _, author, count = np.unique(authors[places], return_inverse=True, return_counts=True)
    places = places[count[author] > 1]
    places = places[np.lexsort((topics[places], authors[places]))]
    _, numbers = np.unique(topics[places], return_inverse=True)
    new_author = np.diff(authors[places], prepend=-1) != 0
    topic_start, topic_end = ranges_of_runs(new_author | (np.diff(numbers, prepend=-1) != 0))
    first = np.flatnonzero(new_author)
    return _Genre(
        documents=places,
        topics=numbers,
        first=first,
        count=np.diff(np.append(first, len(places))),
        topic_start=topic_start,
        topic_end=topic_end,
    )
