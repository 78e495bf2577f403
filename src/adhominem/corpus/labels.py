"""What is known of each document beside its text, as arrays; pairs are drawn from it."""

from __future__ import annotations

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
    """

    authors: Integers
    topics: Integers
    splits: npt.NDArray[np.int8]
    folds: npt.NDArray[np.int8]
    copied: npt.NDArray[np.bool_]

    def places(self, split: str) -> Integers:
        """The documents of train, dev or test."""
        return np.flatnonzero(self.splits == SPLITS.index(split))

    def for_fold(self, fold: int) -> Labels:
        """One turn of a cross-validation: this fold is for testing, the next one for development,
        all others for training."""
        n_folds = int(self.folds.max(initial=0)) + 1
        turn = (self.folds - fold) % n_folds
        splits = np.select([turn == 0, turn == 1], [2, 1], 0).astype(np.int8)
        return replace(self, splits=splits)

    def draw(self, places: Integers, *, seed: int, epoch: int) -> PairTable:
        """Pairs of the documents at these places, a function of (seed, epoch) alone. Where there
        are topics, a document without one is in no pair."""
        places = places[~self.copied[places]]
        topics = self.topics[places]
        has_topics = len(np.unique(topics[topics >= 0])) > 1
        if has_topics:
            places = places[topics >= 0]
        table = PairSampler(
            self.authors[places], self.topics[places] if has_topics else None, seed
        ).draw(epoch)
        return PairTable(
            places[table.left], places[table.right], table.same_author, table.same_topic
        )
