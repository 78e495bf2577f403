"""Labels of documents (author, topic, split, fold), and pairs drawn from them.

Splits and folds divide authors, not documents. The name of an author is hashed with the seed as
key, and the hashes are cut at exact quantiles: the parts have the requested sizes, and a process
that knows the cuts needs no list of all authors.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import numpy.typing as npt

from adhominem.arrays import Booleans, Integers, Rows
from adhominem.laboratory.corpus import pairs
from adhominem.laboratory.corpus.hashes import Hashes
from adhominem.laboratory.corpus.pairs import PairSampler, PairTable, SidePair

SPLITS = ("train", "dev", "test")
_ENOUGH = 2000  # pairs per cell
_MOST_DRAWS = 20


def cut_authors(authors: Hashes, shares: Sequence[float]) -> list[int]:
    """Return the upper bounds of the hashes of all parts but the last, given the hash of each
    author and the cumulative share of the authors at which each part ends."""
    ordered = np.append(np.sort(authors), np.uint64(2**64 - 1)).tolist()
    return [ordered[round(share * len(authors))] for share in shares]


def part_of(authors: Hashes, cuts: Sequence[int]) -> npt.NDArray[np.int8]:
    """Return the split (as index in SPLITS) or the fold of each author, given the bounds."""
    bounds = np.array(cuts, dtype=np.uint64)
    return np.searchsorted(bounds, authors, side="right").astype(np.int8)


@dataclass(frozen=True, slots=True)
class Labels(Rows):
    """Labels with one entry per document."""

    authors: Integers  # number of the author
    topics: Integers  # number of the topic, -1 if it has none
    splits: npt.NDArray[np.int8]  # index in SPLITS
    folds: npt.NDArray[np.int8]  # for cross-validation
    copied: Booleans  # another author has the same text; such documents are in no pair
    genres: Integers  # number of the corpus, if several are joined

    def indices(self, split: str, genre: int | None = None, *, fold: int | None = None) -> Integers:
        """Return the indices of the documents of a split or, if it is given, of a fold."""
        chosen = self.splits == SPLITS.index(split) if fold is None else self.folds == fold
        return np.flatnonzero(chosen if genre is None else chosen & (self.genres == genre))

    def for_fold(self, fold: int) -> Self:
        """Return the labels with this fold as test split, the next as development split, and all
        others as training split."""
        turn = (self.folds - fold) % (int(self.folds.max(initial=0)) + 1)
        return replace(self, splits=np.select([turn == 0, turn == 1], [2, 1], 0).astype(np.int8))

    def without_training(self) -> Self:
        """Return the labels with the training authors moved to the development split."""
        return replace(self, splits=np.maximum(self.splits, SPLITS.index("dev")).astype(np.int8))

    def draw(self, documents: Integers, *, seed: int, epoch: int) -> PairTable:
        """Draw pairs of the documents with these indices. If there are topics, documents without
        one are left out; if authors rarely share a topic (a thread, a novel), only pairs on
        different topics are drawn."""
        documents = documents[~self.copied[documents]]
        topical = documents[self.topics[documents] >= 0]
        has_topics = len(np.unique(self.topics[topical])) > 1
        documents = topical if has_topics else documents
        topics = self.topics[documents] if has_topics else None
        sampler = PairSampler(self.authors[documents], topics, seed)
        only_other = has_topics and sampler.lacks_common_topics()
        return replace(sampler, other_topics_only=only_other).draw(epoch).renumber(documents)

    def draw_several(
        self, split: str, *, seed: int, enough: int = _ENOUGH, draws: int = _MOST_DRAWS
    ) -> PairTable:
        """Draw pairs of a split, the same number for each cell. Draws are joined until each cell
        has `enough` pairs, but no more than `draws`; each pair is kept once."""
        documents = self.indices(split)
        table = self.draw(documents, seed=seed, epoch=0)
        for epoch in range(1, draws):
            if min(table.cells().values()) >= enough:
                break
            table = pairs.join_distinct([table, self.draw(documents, seed=seed, epoch=epoch)])
        return table.at_most(min(table.cells().values()))

    def draw_sides(self, split: str, *, seed: int) -> list[SidePair]:
        """Draw pairs of a split with several documents on a side."""
        documents = self.indices(split)
        documents = documents[~self.copied[documents]]
        drawn: list[SidePair] = []
        for epoch in range(_MOST_DRAWS):
            drawn += pairs.draw_sides(documents, self.authors[documents], seed=seed, epoch=epoch)
            if not drawn or len(drawn) >= 2 * _ENOUGH:
                break
        return drawn[: 4 * _ENOUGH]


def join_labels(parts: Sequence[Labels]) -> Labels:
    """Join the labels of several corpora, each a genre with authors and topics of its own."""
    distinct, n_authors, n_topics = [], 0, 0
    for genre, part in enumerate(parts):
        topics = np.where(part.topics < 0, -1, part.topics + n_topics)
        authors, genres = part.authors + n_authors, np.full(len(part), genre)
        distinct.append(replace(part, authors=authors, topics=topics, genres=genres))
        n_authors += int(part.authors.max(initial=-1)) + 1
        n_topics += int(part.topics.max(initial=-1)) + 1
    return Labels.join(distinct)
