"""Base class of verifiers that give every text a feature vector and compare sides by distance.

A subclass says how texts are read and how the texts of a side are joined. Each distinct text is
read once, however many pairs it is in, and the similarity of two sides is the negative Euclidean
distance of their features. So texts can be compared each with each, indexed, searched and mapped.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from adhominem.arrays import Floats, Singles
from adhominem.checks import check_texts
from adhominem.errors import ModelError
from adhominem.instrument.evidence.matrix import (
    EvidenceMatrix,
    Progress,
    distances,
    matrix_of_features,
    quiet,
)
from adhominem.instrument.verifier import Comparisons, Verifier
from adhominem.records import Document, Pair, Reading

if TYPE_CHECKING:
    from adhominem.instrument.explain.word_effects import WordEffects
    from adhominem.instrument.network.attended_texts import AttendedTexts
    from adhominem.instrument.network.side import ReadText

_STEP = 128  # texts between two calls of progress


class FeatureVerifier(Verifier):
    """A subclass implements `read` and `join`; one with attention also the last three methods."""

    has_distance = True

    @abstractmethod
    def read(self, texts: Sequence[str]) -> list[ReadText]:
        """Features and counts of each text."""

    @abstractmethod
    def join(self, texts: Sequence[ReadText]) -> tuple[Floats, Reading]:
        """Features and counts of a side made of these texts."""

    def features(self, texts: Sequence[str]) -> Singles:
        """Document features, (texts, width); NaN for a text without tokens."""
        read = self.read(check_texts(texts))
        return np.stack([text.features for text in read]) if read else np.zeros((0, 0), np.float32)

    def matrix(
        self,
        sides: Sequence[Sequence[Document]],
        progress: Progress = quiet,
        *,
        genre: str | None = None,
    ) -> EvidenceMatrix:
        """Evidence between every two sides; each distinct text is read once."""
        calibrations = self.calibrations()
        texts = _distinct(sides)
        total = len(texts) + len(sides)
        read: dict[str, ReadText] = {}
        for start in range(0, len(texts), _STEP):
            part = texts[start : start + _STEP]
            read |= zip(part, self.read(part), strict=True)
            progress(len(read), total)
        features, readings = zip(*(self._join(side, read) for side in sides), strict=True)
        if genre is not None:
            readings = tuple(reading.with_genre(self.check_genre(genre)) for reading in readings)
        return matrix_of_features(
            np.stack(features),
            readings,
            calibrations,
            self.limits(),
            lambda row, _: progress(len(texts) + row, total),
        )

    def compare(self, pairs: Sequence[Pair]) -> Comparisons:
        """Similarities of pairs and counts of their sides; each distinct text is read once."""
        sides = [side for pair in pairs for side in (pair.left, pair.right)]
        texts = _distinct(sides)
        read = dict(zip(texts, self.read(texts), strict=True))
        joined = [self._join(side, read) for side in sides]
        similarity = [
            -float(distances(one, other))
            for (one, _), (other, _) in zip(joined[0::2], joined[1::2], strict=True)
        ]
        return Comparisons(
            np.array(similarity, dtype=np.float64),
            tuple(reading for _, reading in joined[0::2]),
            tuple(reading for _, reading in joined[1::2]),
        )

    def attention(self, texts: Sequence[str]) -> AttendedTexts:  # noqa: ARG002
        """Attention to each word and line of the texts."""
        raise ModelError(f"a {self.kind} model has no attention: give an adhominem network")

    def word_effects(self, pair: Pair) -> WordEffects | None:  # noqa: ARG002
        """Effect of each word of the pair on the evidence; None if a side has no words."""
        raise ModelError(f"a {self.kind} model cannot weigh words: give an adhominem network")

    def randomised(self, *, seed: int) -> FeatureVerifier:  # noqa: ARG002
        """A copy with random weights."""
        raise ModelError(f"a {self.kind} model has no weights to draw: give an adhominem network")

    def _similarity(self, pairs: Sequence[Pair]) -> Floats:
        return self.compare(pairs).similarity

    def _join(self, side: Sequence[Document], read: dict[str, ReadText]) -> tuple[Floats, Reading]:
        return self.join([read[document.text] for document in side])


def require_features(verifier: Verifier, complaint: str) -> FeatureVerifier:
    """The verifier itself. If its method has no features, a ModelError says `complaint`, in which
    "{kind}" stands for the method."""
    if not isinstance(verifier, FeatureVerifier):
        raise ModelError(complaint.format(kind=verifier.kind))
    return verifier


def _distinct(sides: Sequence[Sequence[Document]]) -> list[str]:
    return list(dict.fromkeys(document.text for side in sides for document in side))
