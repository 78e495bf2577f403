"""The arithmetic of the pictures: how strong a colour is, and where the needle stands."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from adhominem.records import Decision, Explanation, TextExplanation, Word

ATTENTION = "attention"
OCCLUSION = "occlusion"
TERMS = "terms"


@dataclass(frozen=True, slots=True)
class Weights:
    """The numbers of one word.

    `importance` orders and colours the words: with attention it is word times sentence, as each
    is a share of the level above; occlusion has measured the word within the whole text already.
    """

    word: float
    sentence: float
    importance: float


@dataclass(frozen=True, slots=True)
class Peaks:
    """The largest magnitudes on one side: what full colour stands for."""

    word: float
    sentence: float
    importance: float


@dataclass(frozen=True, slots=True)
class DistanceScale:
    """Places on an axis from 0 (left, distance 0) to 1 (right, distance `end`)."""

    needle: float
    tau_s: float
    tau_d: float
    end: float


def check_method(explanation: Explanation) -> None:
    known = (ATTENTION, OCCLUSION, TERMS)
    if explanation.method not in known:
        names = ", ".join(map(repr, known))
        raise ValueError(f"method {explanation.method!r} cannot be drawn; known are {names}")


def weigh(word: Word, text: TextExplanation, method: str) -> Weights:
    if not 0 <= word.sentence < len(text.sentences):
        raise ValueError(
            f"word {word.text!r} is of sentence {word.sentence}, "
            f"but its text has {len(text.sentences)} sentences, counted from 0"
        )
    sentence = text.sentences[word.sentence].weight
    return Weights(
        word=word.weight,
        sentence=sentence,
        importance=word.weight * sentence if method == ATTENTION else word.weight,
    )


def peaks(texts: Sequence[TextExplanation], method: str) -> Peaks:
    weights = [weigh(word, text, method) for text in texts for word in text.words]
    return Peaks(
        word=_largest([w.word for w in weights]),
        sentence=_largest([s.weight for text in texts for s in text.sentences]),
        importance=_largest([w.importance for w in weights]),
    )


def signed_peak(texts: Sequence[TextExplanation]) -> float | None:
    """None where no word has a contribution."""
    found = [word.contribution for text in texts for word in text.words]
    known = [part for part in found if part is not None]
    return _largest(known) if known else None


def _largest(weights: Sequence[float]) -> float:
    return max((abs(w) for w in weights if math.isfinite(w)), default=0.0)


def share(weight: float, peak: float) -> float:
    """Strength of a colour: 0 for no weight, 1 for the largest on this side, linear between."""
    if not peak or not math.isfinite(weight):
        return 0.0
    return min(abs(weight) / peak, 1.0)


def distance_scale(decision: Decision) -> DistanceScale | None:
    """None where the method has no distance or no band to compare it with."""
    distance, tau_s, tau_d = decision.distance, decision.tau_s, decision.tau_d
    if distance is None or tau_s is None or tau_d is None:
        return None
    end = max(tau_s + tau_d, 1.1 * distance)
    if not math.isfinite(end) or end <= 0:
        return None
    return DistanceScale(
        needle=min(max(distance / end, 0.0), 1.0),
        tau_s=min(max(tau_s / end, 0.0), 1.0),
        tau_d=min(max(tau_d / end, 0.0), 1.0),
        end=end,
    )
