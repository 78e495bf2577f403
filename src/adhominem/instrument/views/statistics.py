"""Means and deviations over texts of one kind, from sums that texts can be taken out of again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from adhominem.arrays import Floats, Singles

LEAST_DEVIATION = 1e-4
_CLIP = 6.0  # deviations


class Statistics(NamedTuple):
    """Statistics of a kind of text: the mean features of the network, and for each feature of the
    views mean and standard deviation of the square root of its relative frequency."""

    centre: Singles
    mean: Singles
    deviation: Singles

    def z_scores(self, frequencies: Floats) -> Floats:
        """Square roots of frequencies as z-scores, clipped."""
        z_scores: Floats = (frequencies - self.mean) / self.deviation
        return np.clip(z_scores, -_CLIP, _CLIP)


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over texts: of the features of the network, of the frequencies (square roots) of the
    views and of their squares."""

    n: int
    features: Floats
    frequencies: Floats
    squares: Floats

    @classmethod
    def over(cls, features: Floats, frequencies: Floats) -> Sums:
        """Sums over the rows, one for each text."""
        own = features.sum(axis=0), frequencies.sum(axis=0), np.square(frequencies).sum(axis=0)
        return cls(len(features), *own)

    def without(self, other: Sums) -> Sums:
        """These sums without the texts of the others."""
        return Sums(
            self.n - other.n,
            self.features - other.features,
            self.frequencies - other.frequencies,
            self.squares - other.squares,
        )

    def statistics(self) -> Statistics:
        mean = self.frequencies / self.n
        variance = np.maximum(self.squares / self.n - np.square(mean), 0)
        tables = (self.features / self.n, mean, np.sqrt(variance) + LEAST_DEVIATION)
        return Statistics(*(table.astype(np.float32) for table in tables))
