"""The floor of every table: a similarity that a hash draws from the two texts and the seed.

After the random baseline that PAN prints beside its participants. A text is hashed to a direction
in 16 dimensions, and two texts are as alike as their directions: two different texts at random,
symmetrically around zero, a text with itself 1. Unlike a generator that runs through the pairs in
turn, this gives a pair the same answer in any order and in any company.

There is nothing that development pairs could teach it: a line fitted to them would turn with the
luck of the draw, and its bounds would leave every pair undecided. So the calibration is fixed, a
line so flat that the answer is always given and is never worth anything as evidence.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Self

import numpy as np

from adhominem.instrument.evidence.calibration import Calibration
from adhominem.instrument.verifier import ModelState
from adhominem.laboratory.verifiers.stylometric import Features, Floats, StylometricVerifier, Texts
from adhominem.records import Pair

_DIMENSIONS = 16  # as many numbers of 32 bits as the longest digest holds
_EVIDENCE = 0.01  # log10 of the likelihood ratio for a text and itself


class Chance(StylometricVerifier):
    """
    seed    another one draws other answers
    """

    kind = "chance"
    min_llr = 0.0  # it answers, as a coin does

    def __init__(self, *, seed: int = 1) -> None:
        self.seed = seed

    def calibrate(self, dev: Sequence[Pair]) -> Self:
        super().calibrate(dev)  # complains of unfit pairs as every method does
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

    def state(self) -> ModelState:
        return ModelState({"seed": self.seed}, {}, {})

    def restore(self, state: ModelState) -> None:
        self.seed = state.settings["seed"]
