"""A pair as a method sees it, and what many such pairs of known authors say of a similarity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from adhominem.instrument.evidence.calibration import Calibration, Covariates, covariates_of
from adhominem.laboratory.calibration.unknown_genre import (
    FEWEST_KINDS,
    Judged,
    calibrate_unknown_genre,
)
from adhominem.records import Pair, Reading

_ENOUGH = 300  # pairs of each answer for the calibration of a genre


@dataclass(frozen=True, slots=True)
class Comparison:
    """One pair as the method sees it; the similarity is NaN where there is nothing to compare."""

    similarity: float
    left: Reading
    right: Reading
    distance: float | None = None

    @property
    def covariates(self) -> Covariates:
        """Of both sides together, as the calibration counts them."""
        return covariates_of(self.left, self.right)

    @property
    def genre(self) -> str | None:
        """That of both sides; None where they differ."""
        return self.left.genre if self.left.genre == self.right.genre else None

    def of_genre(self, genre: str) -> Comparison:
        return replace(self, left=self.left.of_genre(genre), right=self.right.of_genre(genre))


def calibrate_by_genre(
    comparisons: Sequence[Comparison],
    pairs: Sequence[Pair],
    *,
    by_length: bool,
    detectable: Collection[str],
) -> tuple[Calibration, dict[str, Calibration]]:
    """For texts whose genre is not known, and for each genre of which there are enough pairs.
    Those that are known on sight have no part in the first, where there are others enough."""
    everything = _judged(comparisons, pairs)
    places: dict[str, list[int]] = {}
    for place, pair in enumerate(pairs):
        if pair.genre is not None:
            places.setdefault(pair.genre, []).append(place)
    parts = {genre: everything.select(np.array(chosen)) for genre, chosen in places.items()}
    parts = {
        genre: part
        for genre, part in parts.items()
        if min(Counter(part.same.tolist())[answer] for answer in (True, False)) >= _ENOUGH
    }
    unsure = {genre: part for genre, part in parts.items() if genre not in detectable}
    unknown = (
        calibrate_unknown_genre(unsure)
        if by_length and len(unsure) >= FEWEST_KINDS
        else _calibration(everything, by_length)
    )
    return unknown, {genre: _calibration(part, by_length) for genre, part in parts.items()}


def _calibration(judged: Judged, by_length: bool) -> Calibration:
    covariates = judged.covariates if by_length else Covariates()
    return Calibration.fit(judged.similarity, judged.same, covariates)


def _judged(comparisons: Sequence[Comparison], pairs: Sequence[Pair]) -> Judged:
    covariates = np.array([comparison.covariates for comparison in comparisons])
    return Judged(
        np.array([comparison.similarity for comparison in comparisons]),
        np.array([bool(pair.same_author) for pair in pairs]),
        Covariates(*covariates.T),
    )
