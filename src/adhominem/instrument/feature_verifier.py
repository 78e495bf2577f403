"""Base class of verifiers that give every text a feature vector and compare sides by distance.

Each distinct text is read once, so many texts can be compared with each other, indexed and
searched. If the model has views, the similarity of two sides is a sum of terms. Reference texts
give the means and deviations of features in the kind of text that is compared.
"""

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from itertools import combinations
from typing import Self

import numpy as np

from adhominem.arrays import Floats, Reals, Singles
from adhominem.checks import check_texts
from adhominem.errors import InputError, ModelError
from adhominem.instrument.evidence import matrix as matrices
from adhominem.instrument.evidence.calibration import covariates_of
from adhominem.instrument.evidence.copies import find_copies
from adhominem.instrument.evidence.decision import calibration_for
from adhominem.instrument.evidence.limits import Limits, kind_labels
from adhominem.instrument.evidence.matrix import EvidenceMatrix, Progress, distances, quiet
from adhominem.instrument.evidence.sides import Sides
from adhominem.instrument.explain.word_effects import WordEffects
from adhominem.instrument.network.attended_texts import AttendedTexts
from adhominem.instrument.network.side import ReadText
from adhominem.instrument.verifier import Comparisons, ManySides, Verifier
from adhominem.instrument.views.kinds import FEWEST_TEXTS, REFERENCE, Counts
from adhominem.instrument.views.views import Views
from adhominem.records import Document, Pair, Reading

_STEP = 128  # texts between two calls of progress
_MIN_VOICE, _MAX_VOICE = 3, 8  # texts of a side that `voice` compares
AnySide = Reading | Sides


class FeatureVerifier(Verifier):
    """Subclasses implement `read` and `join`, and may override the methods that need attention."""

    has_distance = True
    views_: Views | None = None

    @abstractmethod
    def read(self, texts: Sequence[str]) -> list[ReadText]:
        """Features and counts of each text."""

    @abstractmethod
    def join(self, texts: Sequence[ReadText], genre: str | None = None) -> tuple[Floats, Reading]:
        """Join texts to a side: its vector and reading. `genre` is the stated genre, if any."""

    def similarity(
        self, one: Reals, other: Reals, left: AnySide, right: AnySide
    ) -> tuple[Floats, Floats | None]:
        """Similarities of sides, and the terms of the views, from vectors and readings."""
        if self.views_ is None or not self.views_.fusions:
            return -distances(one, other), None
        return self.views_.similarity(one, other, left, right)

    def distance(self, one: Reals, other: Reals) -> Floats:
        """Distances between the features of the network alone, over the last axis."""
        width = None if self.views_ is None else self.views_.kinds.centre.shape[1]
        return distances(one[..., :width], other[..., :width])

    @property
    def profile(self) -> slice:
        """The part of the vector of a side that says to which kinds it is near."""
        return slice(0) if self.views_ is None else self.views_.kinds.profile

    def features(self, texts: Sequence[str]) -> Singles:
        """Document features, (texts, width); NaN for a text without tokens."""
        read = self.read(check_texts(texts))
        return np.stack([text.features for text in read]) if read else np.zeros((0, 0), np.float32)

    def matrix(
        self, sides: ManySides, progress: Progress = quiet, *, genre: str | None = None
    ) -> EvidenceMatrix:
        """Evidence between every two sides. Each text is read once; none is a reference text."""
        if (other := self.leaving_out(sides)) is not self:
            return other.matrix(sides, progress, genre=genre)
        calibrations = self.calibrations()
        texts = _distinct(sides)
        total = len(texts) + len(sides)
        read: dict[str, ReadText] = {}
        for start in range(0, len(texts), _STEP):
            part = texts[start : start + _STEP]
            read |= zip(part, self.read(part), strict=True)
            progress(len(read), total)
        if genre is not None:
            self.check_genre(genre)
        readings: list[Reading] = []
        features: Floats = np.empty(0)
        for side in sides:
            vector, reading = self.side([read[one.text] for one in side], genre)
            if not readings:
                features = np.empty((len(sides), len(vector)), vector.dtype)
            features[len(readings)] = vector
            readings.append(reading)
        return matrices.matrix_of_features(
            *(features, readings, calibrations, self.limits(), self.similarity),
            copied=find_copies(sides),
            progress=lambda row, _: progress(len(texts) + row, total),
        )

    def compare(self, pairs: Sequence[Pair]) -> Comparisons:
        """Similarities of pairs and readings of their sides; no text is its own reference text."""
        texts = _distinct(side for pair in pairs for side in (pair.left, pair.right))
        read = dict(zip(texts, self.read(texts), strict=True))
        rows = []
        for pair in pairs:
            network = self.leaving_out((pair.left, pair.right))
            both = ([read[one.text] for one in side] for side in (pair.left, pair.right))
            (one, left), (other, right) = (network.side(texts, pair.genre) for texts in both)
            similarity, parts = network.similarity(one, other, left, right)
            rows.append((float(similarity), left, right, parts, float(self.distance(one, other))))
        similarities, lefts, rights, terms, apart = zip(*rows, strict=True) if rows else [()] * 5
        views = np.array(terms) if self.term_names() else None
        return Comparisons(np.array(similarities, float), lefts, rights, views, np.array(apart))

    def attention(self, texts: Sequence[str]) -> AttendedTexts:  # noqa: ARG002
        """Attention to each word and line of the texts."""
        raise ModelError(f"a {self.kind} model has no attention: give an adhominem network")

    def word_effects(self, pair: Pair) -> WordEffects | None:  # noqa: ARG002
        """Effects of removing words of the pair; None if a side has no words."""
        raise ModelError(f"a {self.kind} model cannot weigh words: give an adhominem network")

    def randomised(self, *, seed: int) -> Self:  # noqa: ARG002
        """A copy with random weights."""
        raise ModelError(f"a {self.kind} model has no weights to draw: give an adhominem network")

    def set_views(self, views: Views) -> None:
        self.views_, self.min_voice = views, views.min_voice
        self.has_distance = not views.fusions

    def with_reference(self, texts: Sequence[str]) -> Self:
        """A copy that standardises features by reference texts: 50 or more unlabelled texts of the
        same kind as the texts compared, by many authors. A text that is compared is left out of the
        reference texts.

        >>> import adhominem
        >>> adhominem.load().with_reference(["Too few."])  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        adhominem.errors.InputError: 0 reference texts are long enough: at least 50 are needed...
        """
        if self.views_ is None:
            return super().with_reference(texts)
        distinct = list(dict.fromkeys(check_texts(texts)))
        reference = {
            text: (own.features.astype(np.float64), Counts.of(own.counts))
            for text, own in zip(distinct, self.read(distinct), strict=True)
            if own.tokens >= self.min_tokens and own.counts is not None
        }
        if (n := len(reference)) < FEWEST_TEXTS:
            needed = f"at least {FEWEST_TEXTS} are needed, of the same kind as the texts compared"
            raise InputError(f"{_texts_are(n)} long enough: {needed} and by many authors")
        return self._with_views(self.views_.with_reference(reference))

    def limits(self) -> Limits:
        if self.views_ is None:
            return super().limits()
        fusions = self.views_.fusions.values()
        return replace(
            super().limits(),
            references={REFERENCE: len(self.views_.reference)},
            most_stretches=min((10 ** fusion.most[1] for fusion in fusions), default=np.inf),
        )

    def _with_views(self, views: Views) -> Self:
        """A copy with these views, which have reference texts."""
        assert views.calibration is not None
        other = copy(self)
        other.views_ = views
        other.calibrations_ = {**self.calibrations_, REFERENCE: views.calibration}
        return other

    def leaving_out(self, sides: Iterable[Iterable[Document]]) -> Self:
        own = set(_distinct(sides))
        if self.views_ is None or not self.views_.reference.keys() & own:
            return self
        if (left := len(self.views_.reference.keys() - own)) < FEWEST_TEXTS // 2:
            raise InputError(f"{_texts_are(left)} not among those compared: give more")
        return self._with_views(self.views_.without(own))

    def kind_labels(self) -> Mapping[str, str]:
        if self.views_ is None:
            return {}
        kinds = self.views_.kinds
        return kind_labels(kinds.names, kinds.labels) | {REFERENCE: "the reference texts"}

    def term_names(self) -> tuple[str, ...]:
        fusions = {} if self.views_ is None else self.views_.fusions
        return next((fusion.term_names for fusion in fusions.values()), ())

    def side(self, texts: Sequence[ReadText], genre: str | None = None) -> tuple[Floats, Reading]:
        """The vector and the reading of a side, with the `voice` of its texts."""
        vector, reading = self.join(texts, genre)
        return vector, replace(reading, voice=self.voice(texts, genre))

    def voice(self, texts: Sequence[ReadText], genre: str | None = None) -> float | None:
        """Mean log10 LR between texts of a side, low if they have several authors; None for fewer
        than three texts that are long enough."""
        long = [text for text in texts if text.tokens >= max(self.min_tokens, 1)]
        if len(long) < _MIN_VOICE or self.calibration_ is None:
            return None
        places = np.linspace(0, len(long) - 1, min(len(long), _MAX_VOICE)).astype(int)
        joined = [self.join([long[i]], genre) for i in places]
        calibrations, values = self.calibrations(), []
        for (one, left), (other, right) in combinations(joined, 2):
            similarity, _ = self.similarity(one, other, left, right)
            calibration = calibration_for(calibrations, left, right)
            values.append(float(calibration.llr(similarity, covariates_of(left, right))))
        return float(np.mean(values))


def require_features(verifier: Verifier, complaint: str) -> FeatureVerifier:
    """Return the verifier, or raise a ModelError with `complaint`, in which {kind} is filled in."""
    if not isinstance(verifier, FeatureVerifier):
        raise ModelError(complaint.format(kind=verifier.kind))
    return verifier


def _distinct(sides: Iterable[Iterable[Document]]) -> list[str]:
    return list(dict.fromkeys(document.text for side in sides for document in side))


def _texts_are(number: int) -> str:
    return "1 reference text is" if number == 1 else f"{number} reference texts are"
