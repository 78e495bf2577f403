"""The floor of every table: a random similarity that depends on the two texts and a seed only.

After the random baseline that PAN prints beside its participants. A text is hashed to a direction
in 16 dimensions, and the similarity of two texts is the cosine of their directions: random and
symmetric around zero for different texts, 1 for a text and itself. Unlike numbers drawn pair by
pair, the answer to a pair does not depend on the other pairs.

Development pairs can teach it nothing: a line fitted to them would depend on the draw, and its
bounds would leave every pair undecided. So the calibration is fixed, and so flat that every pair
gets an answer which is worth nothing as evidence.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Self

import numpy as np

from adhominem.arrays import Floats
from adhominem.instrument.evidence.calibration import Calibration
from adhominem.laboratory.verifiers.compared_method import Features, Texts
from adhominem.laboratory.verifiers.stylometric import StylometricVerifier
from adhominem.records import Pair

_DIMENSIONS = 16  # as many numbers of 32 bits as the longest digest has
_EVIDENCE = 0.01  # log10 of the likelihood ratio for a text and itself


class Chance(StylometricVerifier):
    """Random answers.

    seed    gives other answers
    """

    kind = "chance"
    min_llr = 0.0

    def __init__(self, *, seed: int = 1) -> None:
        self.seed = seed

    def calibrate(self, dev: Sequence[Pair]) -> Self:
        """Checks the pairs as every method does, and sets the fixed calibration."""
        super().calibrate(dev)
        self.calibration_ = Calibration(_EVIDENCE, 0.0, -_EVIDENCE, _EVIDENCE)
        return self

    def _fit(self, train: Sequence[Pair], dev: Sequence[Pair]) -> None:
        """Learns nothing."""

    def _features(self, texts: Texts) -> Features:
        key = str(self.seed).encode()
        digests = b"".join(
            hashlib.blake2b(text.encode("utf-8", "surrogatepass"), key=key).digest()
            for text in texts.texts
        )
        numbers = np.frombuffer(digests, dtype="<u4").reshape(-1, _DIMENSIONS)
        return (numbers + 0.5) / 2**31 - 1  # never 0, so that no direction has length 0

    def _compare_sides(self, left: Features, right: Features) -> Floats:
        lengths = np.linalg.norm(left, axis=1) * np.linalg.norm(right, axis=1)
        similarity: Floats = (left * right).sum(axis=1) / np.where(lengths > 0, lengths, 1)
        return similarity
