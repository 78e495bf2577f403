"""What is known of each document beside its text, as arrays; pairs are drawn from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from adhominem.corpus.folds import SPLITS
from adhominem.corpus.pairs import PairSampler, PairTable

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Labels:
    """
    authors     a number for the author of each document
    topics      a number for its topic, -1 where it has none
    splits      its place in SPLITS
    folds       its fold for cross-validation
    copied      whether another author has its text as well; no pair is made of such documents
    genres      a number for the corpus it comes from, where several are read as one
    """

    authors: Integers
    topics: Integers
    splits: npt.NDArray[np.int8]
    folds: npt.NDArray[np.int8]
    copied: npt.NDArray[np.bool_]
    genres: Integers

    def places(self, split: str, genre: int | None = None) -> Integers:
        """The documents of train, dev or test; of all genres or of one."""
        chosen = self.splits == SPLITS.index(split)
        return np.flatnonzero(chosen if genre is None else chosen & (self.genres == genre))

    def for_fold(self, fold: int) -> Labels:
        """One turn of a cross-validation: this fold is for testing, the next one for development,
        all others for training."""
        n_folds = int(self.folds.max(initial=0)) + 1
        turn = (self.folds - fold) % n_folds
        splits = np.select([turn == 0, turn == 1], [2, 1], 0).astype(np.int8)
        return replace(self, splits=splits)

    def unlearnt(self) -> Labels:
        """Nothing is for training: those authors are for development, too."""
        return replace(self, splits=np.maximum(self.splits, SPLITS.index("dev")).astype(np.int8))

    def draw(self, places: Integers, *, seed: int, epoch: int) -> PairTable:
        """Pairs of the documents at these places, a function of (seed, epoch) alone. Where there
        are topics, a document without one is in no pair; where authors seldom share one (a topic
        is a thread, or a novel), all pairs are on different topics."""
        places = places[~self.copied[places]]
        topics = self.topics[places]
        has_topics = len(np.unique(topics[topics >= 0])) > 1
        if has_topics:
            places = places[topics >= 0]
        sampler = PairSampler(
            self.authors[places], self.topics[places] if has_topics else None, seed
        )
        if has_topics and sampler.lacks_topics_in_common():
            sampler = replace(sampler, other_topics_only=True)
        table = sampler.draw(epoch)
        return PairTable(
            places[table.left], places[table.right], table.same_author, table.same_topic
        )


def join_labels(parts: Sequence[Labels]) -> Labels:
    """Several corpora as one, each a genre of its own: they share neither authors nor topics."""
    authors = np.cumsum([0] + [int(part.authors.max(initial=-1)) + 1 for part in parts])
    topics = np.cumsum([0] + [int(part.topics.max(initial=-1)) + 1 for part in parts])
    return Labels(
        authors=np.concatenate([p.authors + n for p, n in zip(parts, authors, strict=False)]),
        topics=np.concatenate(
            [np.where(p.topics < 0, -1, p.topics + n) for p, n in zip(parts, topics, strict=False)]
        ),
        splits=np.concatenate([part.splits for part in parts]),
        folds=np.concatenate([part.folds for part in parts]),
        copied=np.concatenate([part.copied for part in parts]),
        genres=np.repeat(np.arange(len(parts)), [len(part.authors) for part in parts]),
    )
