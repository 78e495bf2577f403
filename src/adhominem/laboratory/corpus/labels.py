"""Labels of documents beside their texts: author, topic, split and fold; pairs drawn from them.

Authors, not documents, are divided into train, development and test, and into folds. An author has
the hash of their name, with the seed as its key. The hashes are cut at exact quantiles, so the
parts have the sizes asked for, and a process that knows the cuts needs no list of all authors.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import numpy.typing as npt

from adhominem.arrays import Booleans, Integers, Rows
from adhominem.laboratory.corpus import pairs
from adhominem.laboratory.corpus.hashes import Hashes
from adhominem.laboratory.corpus.pairs import PairSampler, PairTable, Sides

SPLITS = ("train", "dev", "test")
_ENOUGH = 2000  # pairs of a cell
_MOST_DRAWS = 20


def cut_authors(authors: Hashes, shares: Sequence[float]) -> list[int]:
    """Return the upper bounds of the hashes of all parts but the last; part i ends at `shares[i]`
    of the authors. `authors` has the hash of each author once."""
    ordered = np.append(np.sort(authors), np.uint64(2**64 - 1)).tolist()
    return [ordered[round(share * len(authors))] for share in shares]


def part_of(authors: Hashes, cuts: Sequence[int]) -> npt.NDArray[np.int8]:
    """Return the split (its index in SPLITS) or the fold of each author, by these bounds."""
    bounds = np.array(cuts, dtype=np.uint64)
    return np.searchsorted(bounds, authors, side="right").astype(np.int8)


@dataclass(frozen=True, slots=True)
class Labels(Rows):
    """One entry per document in each array."""

    authors: Integers  # number of the author
    topics: Integers  # number of the topic, -1 if it has none
    splits: npt.NDArray[np.int8]  # index in SPLITS
    folds: npt.NDArray[np.int8]  # for cross-validation
    copied: Booleans  # another author has the same text; such documents are in no pair
    genres: Integers  # number of the corpus, if several are read as one

    def indices(self, split: str, genre: int | None = None, *, fold: int | None = None) -> Integers:
        """Return the indices of the documents of a split, or of a fold instead."""
        chosen = self.splits == SPLITS.index(split) if fold is None else self.folds == fold
        return np.flatnonzero(chosen if genre is None else chosen & (self.genres == genre))

    def for_fold(self, fold: int) -> Self:
        """Return the labels of a turn: this fold is for testing, the next one for development."""
        n_folds = int(self.folds.max(initial=0)) + 1
        turn = (self.folds - fold) % n_folds
        splits = np.select([turn == 0, turn == 1], [2, 1], 0).astype(np.int8)
        return replace(self, splits=splits)

    def without_training(self) -> Self:
        """Return the labels with the training authors in development."""
        return replace(self, splits=np.maximum(self.splits, SPLITS.index("dev")).astype(np.int8))

    def draw(self, documents: Integers, *, seed: int, epoch: int) -> PairTable:
        """Draw pairs of these documents, given by index; the same seed and epoch give the same
        pairs. If there are topics, documents without one are left out; if authors rarely share a
        topic (one is a thread, or a novel), all pairs are on different topics."""
        documents = documents[~self.copied[documents]]
        topical = documents[self.topics[documents] >= 0]
        has_topics = len(np.unique(self.topics[topical])) > 1
        documents = topical if has_topics else documents
        topics = self.topics[documents] if has_topics else None
        sampler = PairSampler(self.authors[documents], topics, seed)
        if has_topics and sampler.lacks_common_topics():
            sampler = replace(sampler, other_topics_only=True)
        return sampler.draw(epoch).renumber(documents)

    def draw_several(
        self, split: str, *, seed: int, enough: int = _ENOUGH, draws: int = _MOST_DRAWS
    ) -> PairTable:
        """Draw pairs of a split, as many of each cell: those of one draw or, if that gives fewer
        than `enough` of a cell, of at most so many `draws`, each pair once."""
        documents = self.indices(split)
        table = self.draw(documents, seed=seed, epoch=0)
        for epoch in range(1, draws):
            if min(table.cells().values()) >= enough:
                break
            table = pairs.join_distinct([table, self.draw(documents, seed=seed, epoch=epoch)])
        return table.at_most(min(table.cells().values()))

    def draw_sides(self, split: str, *, seed: int) -> list[Sides]:
        """Draw pairs of a split with several documents on a side."""
        documents = self.indices(split)
        documents = documents[~self.copied[documents]]
        sides: list[Sides] = []
        for epoch in range(_MOST_DRAWS):
            sides += pairs.draw_sides(documents, self.authors[documents], seed=seed, epoch=epoch)
            if not sides or len(sides) >= 2 * _ENOUGH:
                break
        return sides[: 4 * _ENOUGH]


def join_labels(parts: Sequence[Labels]) -> Labels:
    """Join several corpora, each a genre; they have neither authors nor topics in common."""
    distinct, n_authors, n_topics = [], 0, 0
    for genre, part in enumerate(parts):
        topics = np.where(part.topics < 0, -1, part.topics + n_topics)
        genres = np.full(len(part), genre)
        authors = part.authors + n_authors
        distinct.append(replace(part, authors=authors, topics=topics, genres=genres))
        n_authors += int(part.authors.max(initial=-1)) + 1
        n_topics += int(part.topics.max(initial=-1)) + 1
    return Labels.join(distinct)
