"""The verbal scale as a strip of steps, the one that the evidence reaches marked."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

EDGES = (-4.0, -2.0, -1.0, -0.5, 0.5, 1.0, 2.0, 4.0)
_SUPPORT = ("very strong", "strong", "moderate", "limited")
WORDS = (*_SUPPORT, "none", *reversed(_SUPPORT))


@dataclass(frozen=True, slots=True)
class Step:
    """`side` is "two", "neither" or "one", for how many authors it speaks."""

    words: str
    side: str
    is_reached: bool


def verbal_scale(llr: float) -> tuple[Step, ...]:
    """From very strong support for two authors to very strong support for one."""
    reached = bisect_right(EDGES, llr)
    if llr in (-4.0, -2.0, -1.0, -0.5):  # an edge belongs to the stronger step on either side
        reached -= 1
    if llr != llr:
        reached = WORDS.index("none")
    middle = len(_SUPPORT)
    return tuple(
        Step(words, "two" if i < middle else "one" if i > middle else "neither", i == reached)
        for i, words in enumerate(WORDS)
    )
