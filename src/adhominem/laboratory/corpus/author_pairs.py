"""Same-author pairs in blocks of authors of one genre, who are each other's negatives.

An author occurs once in a block. In a share of the blocks, the focused ones, the left documents are
sorted by topic, so that nearly all have the same one, and the right documents are on another topic
where the author has one: topic then helps neither to tell authors apart nor to match documents.
Documents without a topic count as one topic. A genre with fewer authors than a block has smaller
blocks. A draw depends on (seed, epoch) only.
"""

import numpy as np

from adhominem.arrays import Integers
from adhominem.errors import InputError
from adhominem.laboratory.corpus.pairs import PairTable, ranges_of_runs


class _Genre:
    """Documents of the authors who have at least two, sorted by author and topic. Positions below
    are positions in this order."""

    def __init__(self, authors: Integers, topics: Integers, documents: Integers) -> None:
        _, author, count = np.unique(authors[documents], return_inverse=True, return_counts=True)
        documents = documents[count[author] > 1]
        self.documents = documents[np.lexsort((topics[documents], authors[documents]))]
        _, self.topics = np.unique(topics[self.documents], return_inverse=True)
        own = authors[self.documents]
        self.first = np.unique(own, return_index=True)[1]  # first position of each author
        # For each position, the range of its author and of the author's documents on its topic.
        self.author_start, self.author_end = ranges_of_runs(own)
        self.topic_start, self.topic_end = ranges_of_runs(own, self.topics)

    def draw_round(self, size: int, n_focused: int, rng: np.random.Generator) -> list[Integers]:
        """Return one pair of each author in blocks (2, size), the first `n_focused` of them
        focused. Authors left over after the last full block are left out."""
        first = rng.permutation(self.first)
        one = first + rng.integers(0, self.author_end[first] - first)
        focused, free = one[: n_focused * size], one[n_focused * size :]
        label = rng.permutation(int(self.topics.max()) + 1)[self.topics[focused]]
        focused = focused[np.argsort(label, kind="stable")]
        left = np.concatenate([focused, free])
        right = np.concatenate([self._other_topic(focused, rng), self._any_other(free, rng)])
        pairs = self.documents[np.stack([left, right])]
        return [pairs[:, i : i + size] for i in range(0, len(left) - size + 1, size)]

    def draw_blocks(
        self, n: int, size: int, topic_share: float, rng: np.random.Generator
    ) -> list[Integers]:
        """Return n blocks (2, size), from as many rounds over all authors as are needed."""
        per_round = len(self.first) // size
        blocks: list[Integers] = []
        while len(blocks) < n:
            drawn = self.draw_round(size, int(topic_share * per_round + rng.random()), rng)
            blocks += [drawn[i] for i in rng.permutation(per_round)[: n - len(blocks)]]
        return blocks

    def _other_topic(self, one: Integers, rng: np.random.Generator) -> Integers:
        """A document of the same author on another topic, or any other if there is none."""
        start, n_topic = self.author_start[one], self.topic_end[one] - self.topic_start[one]
        n_other = self.author_end[one] - start - n_topic
        other = start + rng.integers(0, np.maximum(n_other, 1))
        other += np.where(other >= self.topic_start[one], n_topic, 0)
        return np.where(n_other > 0, other, self._any_other(one, rng))

    def _any_other(self, one: Integers, rng: np.random.Generator) -> Integers:
        """Another document of the same author."""
        start = self.author_start[one]
        other = start + rng.integers(0, self.author_end[one] - start - 1)
        return other + (other >= one)


class AuthorSampler:
    """Draws pairs from documents with an author, a topic (-1 if none) and a genre; `topic_share` is
    the share of focused blocks."""

    def __init__(
        self, authors: Integers, topics: Integers, genres: Integers, *, topic_share: float
    ) -> None:
        self._topics, self._topic_share = topics, topic_share
        parts = [_Genre(authors, topics, np.flatnonzero(genres == g)) for g in np.unique(genres)]
        self._genres = [genre for genre in parts if len(genre.first) > 1]
        if not self._genres:
            raise InputError("no genre has two authors with two documents: nothing to learn from")

    def draw(self, n_pairs: int, *, size: int, power: float, seed: int, epoch: int) -> PairTable:
        """Return `n_pairs` pairs in blocks of up to `size` authors; the last block may be cut off.
        The probability of a genre is proportional to this power of its number of authors."""
        rng = np.random.default_rng([seed, 7, epoch])
        n_authors = np.array([len(genre.first) for genre in self._genres])
        sizes = np.minimum(n_authors, size)
        weights = n_authors.astype(np.float64) ** power
        most = -(-n_pairs // int(sizes.min()))
        drawn = rng.choice(len(sizes), size=most, p=weights / weights.sum())
        drawn = drawn[: np.searchsorted(np.cumsum(sizes[drawn]), n_pairs) + 1]
        blocks = [
            iter(genre.draw_blocks(int((drawn == i).sum()), int(sizes[i]), self._topic_share, rng))
            for i, genre in enumerate(self._genres)
        ]
        left, right = np.hstack([next(blocks[number]) for number in drawn])[:, :n_pairs]
        block = np.repeat(np.arange(len(drawn)), sizes[drawn])[:n_pairs]
        same_topic = self._topics[left] == self._topics[right]
        return PairTable(left, right, np.ones(n_pairs, dtype=bool), same_topic, block)
