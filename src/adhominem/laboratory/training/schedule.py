"""The learning rate as a function of the step alone, so that a resumed run goes on with it."""

from __future__ import annotations

import math


def cosine_restarts(step: int, *, highest: float, period: int) -> float:
    """Falls from `highest` to 0 along half a cosine, anew every `period` steps."""
    return highest * (1 + math.cos(math.pi * (step % period) / period)) / 2
