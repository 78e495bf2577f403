"""What the words of a pair contribute, measured by removing them.

Everything is in log10 LR before its bounds, on the calibration line of the whole pair: the line
does not move when words are removed, so their content counts and not their number. Words are
numbered through both sides, the left one first; line markers are not words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from adhominem.instrument.evidence.calibration import covariates_of
from adhominem.instrument.evidence.decision import Calibrations, calibration_for
from adhominem.instrument.evidence.matrix import distances
from adhominem.instrument.network.removal import Removal, Remover
from adhominem.instrument.network.side import ReadSide
from adhominem.instrument.network.weights import Network
from adhominem.records import Reading

Booleans = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
MOST_WORDS = 10_000  # a pair with more words is shown without contributions
CONTRIBUTIONS = "occlusion"


class WordEffects:
    """The effects of removing words of one pair; each side has at least one word.

    readings       what was read of both sides, with the stated genre if there is one
    calibrations   calibrations of the model by genre
    max_lines      lines that the network reads at once
    """

    def __init__(
        self,
        network: Network,
        left: ReadSide,
        right: ReadSide,
        readings: Sequence[Reading],
        calibrations: Calibrations,
        max_lines: int,
    ) -> None:
        line = calibration_for(calibrations, *readings).line([0.0, 1.0], covariates_of(*readings))
        self._intercept, self._slope = float(line[0]), float(line[1] - line[0])
        self._sides = (left, right)
        self._left, self._right = (
            Remover(network, side.encoded, max_lines=max_lines) for side in self._sides
        )
        self._effects: dict[Removal, Floats] = {}

    @property
    def n_words(self) -> int:
        return self._left.n_words + self._right.n_words

    def llr(self, kept: Booleans, removal: Removal = "delete") -> Floats:
        """log10 LR of each variant of the pair, a row of `kept` (variants, words)."""
        split = self._left.n_words
        return self._line(
            self._left.features(kept[:, :split], removal),
            self._right.features(kept[:, split:], removal),
        )

    def weigh(self, method: str) -> Floats:
        """The weights of all words by one of METHODS."""
        return METHODS[method](self)

    def attention(self) -> Floats:
        """Word attention times sentence attention, texts weighted by their share of the words."""
        return np.concatenate([_attention(side) for side in self._sides])

    def effect(self, removal: Removal = "delete") -> Floats:
        """log10 LR of the whole pair minus log10 LR without each word in turn."""
        if removal not in self._effects:
            left, right = (
                remover.features(np.ones((1, remover.n_words), dtype=bool))
                for remover in (self._left, self._right)
            )
            without = np.concatenate(
                [
                    self._line(self._left.features_without_each(removal), right),
                    self._line(left, self._right.features_without_each(removal)),
                ]
            )
            self._effects[removal] = self._line(left, right) - without
        return self._effects[removal]

    def _line(self, left: Floats, right: Floats) -> Floats:
        """log10 LR for features of both sides; 0 where a side has no word left."""
        line = self._intercept - self._slope * distances(left, right)
        return np.nan_to_num(line, nan=0.0)


def _attention(side: ReadSide) -> Floats:
    read, encoded = side.features, side.encoded
    assert read.word_attention is not None and read.sentence_attention is not None
    n_words = np.diff(encoded.lines[encoded.documents] - encoded.documents)
    shares = np.repeat(n_words / n_words.sum(), np.diff(encoded.documents))
    weights = np.repeat(read.sentence_attention * shares, np.diff(encoded.lines))
    return np.delete(read.word_attention * weights, encoded.lines[1:] - 1).astype(np.float64)


METHODS: dict[str, Callable[[WordEffects], Floats]] = {
    "attention": WordEffects.attention,
    "occlusion": WordEffects.effect,
}
