"""The verbal scale of the evidence (ENFSI guideline of 2015), and the scale of the distance.

Marquis et al. (2016, doi:10.1016/j.scijus.2016.05.009) discuss the use of verbal scales.
"""

import math
from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from adhominem.records import Decision, Verdict

SOURCE = "ENFSI Guideline for Evaluative Reporting in Forensic Science, 2015"
_SUPPORT = {  # by least log10 LR
    math.log10(2): "weak",
    1.0: "moderate",
    2.0: "moderately strong",
    3.0: "strong",
    4.0: "very strong",
    6.0: "extremely strong",
}
EDGES = (*(-edge for edge in reversed(_SUPPORT)), *_SUPPORT)  # log10 LR
WORDS = (*reversed(_SUPPORT.values()), "none", *_SUPPORT.values())
_MIDDLE = len(_SUPPORT)
_END = 8.0  # log10 LR at which the axis ends; stronger evidence is drawn at its end
_CUTS = (-_END, *EDGES, _END)
_ROUNDING = 1e-9  # log10 LR


@dataclass(frozen=True, slots=True)
class VerbalStep:
    words: str
    side: str  # number of authors that it supports: "two", "one" or "neither"
    is_reached: bool
    level: int  # strength, from 0 for "none" to 6 for "extremely strong"


def verbal_scale(llr: float) -> tuple[VerbalStep, ...]:
    """The steps from extremely strong support for two authors to extremely strong for one."""
    reached = _reached(llr)
    sides = (*["two"] * _MIDDLE, "neither", *["one"] * _MIDDLE)
    rows = enumerate(zip(WORDS, sides, strict=True))
    return tuple(VerbalStep(*row, i == reached, abs(i - _MIDDLE)) for i, row in rows)


def at_bound(decision: Decision) -> bool:
    """Whether the evidence is at a bound of the calibration."""
    if decision.bounds is None or decision.verdict is Verdict.UNDECIDED:
        return False
    lowest, highest = decision.bounds
    return not lowest + _ROUNDING < decision.llr < highest - _ROUNDING


def axis_position(llr: float) -> float:
    """Position from 0 to 1 on the axis of the evidence, on which all steps are equally wide."""
    if math.isnan(llr):
        return 0.5
    step, place = _reached(llr), max(-_END, min(_END, llr))
    low, high = _CUTS[step : step + 2]
    return (step + (place - low) / (high - low)) / len(WORDS)


def interval_words(llr: float) -> str:
    """The step that is reached, with its range of likelihood ratios."""
    i = _reached(llr)
    edges = sorted(abs(edge) for edge in EDGES[max(i - 1, 0) : i + 1])
    low, *high = (f"{float(f'{10**edge:.1g}'):,.0f}" for edge in edges)  # rounded to one digit
    if i == _MIDDLE:
        return f"“{WORDS[i]}”: less than {low} times either way"
    return f"“{WORDS[i]}”: {low} " + (f"to {high[0]} times" if high else "times and more")


def _reached(llr: float) -> int:
    # An edge belongs to the stronger step on either side.
    return _MIDDLE if math.isnan(llr) else (bisect_right if llr > 0 else bisect_left)(EDGES, llr)


def distance_scale(decision: Decision) -> dict[str, float] | None:
    """Positions of the distance and of both thresholds on an axis from 0 (distance 0) to 1
    (distance `end`); None if the method has no distance or thresholds."""
    distance, tau_s, tau_d = decision.distance, decision.tau_s, decision.tau_d
    if distance is None or tau_s is None or tau_d is None:
        return None
    end = max(tau_s + tau_d, 1.1 * distance)
    if not math.isfinite(end) or end <= 0:
        return None
    needle, low, high = (min(max(value / end, 0.0), 1.0) for value in (distance, tau_s, tau_d))
    return {"needle": needle, "tau_s": low, "tau_d": high, "end": end}
