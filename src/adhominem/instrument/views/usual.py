"""What is usual in some texts, and the sums from which it follows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from adhominem.arrays import Floats, Singles

LEAST_DEVIATION = 1e-4
_CLIP = 6.0  # deviations


class Usual(NamedTuple):
    """What is usual in a kind of text: mean features of the network, and mean and deviation of the
    square root of the frequency of each feature of the views."""

    centre: Singles
    mean: Singles
    deviation: Singles

    def deviations(self, frequencies: Floats) -> Floats:
        """How many deviations each frequency is from the mean."""
        deviations: Floats = (frequencies - self.mean) / self.deviation
        return np.clip(deviations, -_CLIP, _CLIP)


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over texts: of the features of the network, of the frequencies of the views and of their
    squares. Texts are left out of them by subtraction."""

    n: int
    features: Floats
    frequencies: Floats
    squares: Floats

    @classmethod
    def over(cls, features: Floats, frequencies: Floats) -> Sums:
        """The sums over texts, given as rows."""
        own = features.sum(axis=0), frequencies.sum(axis=0), np.square(frequencies).sum(axis=0)
        return cls(len(features), *own)

    def without(self, other: Sums) -> Sums:
        return Sums(
            self.n - other.n,
            self.features - other.features,
            self.frequencies - other.frequencies,
            self.squares - other.squares,
        )

    def usual(self) -> Usual:
        """What is usual in these texts."""
        mean = self.frequencies / self.n
        variance = np.maximum(self.squares / self.n - np.square(mean), 0)
        tables = (self.features / self.n, mean, np.sqrt(variance) + LEAST_DEVIATION)
        return Usual(*(table.astype(np.float32) for table in tables))
