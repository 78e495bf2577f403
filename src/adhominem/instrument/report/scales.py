"""The scales of a result: the verbal scale of the evidence, and the distance with its needle."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from adhominem.records import Decision

EDGES = (-4.0, -2.0, -1.0, -0.5, 0.5, 1.0, 2.0, 4.0)  # log10 LR
_SUPPORT = ("very strong", "strong", "moderate", "limited")
WORDS = (*_SUPPORT, "none", *reversed(_SUPPORT))
_SIDES = (*["two"] * 4, "neither", *["one"] * 4)


@dataclass(frozen=True, slots=True)
class VerbalStep:
    """A step of the verbal scale; `side` is the number of authors it speaks for: "two", "one" or
    "neither"."""

    words: str
    side: str
    is_reached: bool


def verbal_scale(llr: float) -> tuple[VerbalStep, ...]:
    """The steps from very strong support for two authors to very strong support for one."""
    # An edge belongs to the stronger step on either side.
    reached = (bisect_right if llr > 0 else bisect_left)(EDGES, llr)
    if math.isnan(llr):
        reached = WORDS.index("none")
    steps = zip(WORDS, _SIDES, strict=True)
    return tuple(VerbalStep(words, side, i == reached) for i, (words, side) in enumerate(steps))


@dataclass(frozen=True, slots=True)
class DistanceScale:
    """Positions on an axis from 0 (distance 0) to 1 (distance `end`)."""

    needle: float
    tau_s: float
    tau_d: float
    end: float


def distance_scale(decision: Decision) -> DistanceScale | None:
    """The distance between the two thresholds; None if the method has no distance or thresholds."""
    distance, tau_s, tau_d = decision.distance, decision.tau_s, decision.tau_d
    if distance is None or tau_s is None or tau_d is None:
        return None
    end = max(tau_s + tau_d, 1.1 * distance)
    if not math.isfinite(end) or end <= 0:
        return None
    needle, low, high = (min(max(value / end, 0.0), 1.0) for value in (distance, tau_s, tau_d))
    return DistanceScale(needle, low, high, end)
