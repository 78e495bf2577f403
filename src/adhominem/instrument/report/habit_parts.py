"""The part of the evidence that the words of a habit carry: sums of contributions over places."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from adhominem.instrument.linguistics.text_tokens import Hit
from adhominem.records import TextExplanation


@dataclass(frozen=True, slots=True)
class Parts:
    """In log10 LR: of each hit the sum over the words that it touches, and of each category the sum
    over the words that any of its hits touches, each word once."""

    hits: tuple[float, ...]
    categories: dict[str, float]


def habit_parts(text: TextExplanation, hits: Sequence[Hit]) -> Parts | None:
    """The hits must be in the order of their places; None where no word has a contribution."""
    known = [word for word in text.words if word.contribution is not None and word.end > word.start]
    if not known:
        return None
    starts, ends = [word.start for word in known], [word.end for word in known]
    total = list(accumulate((_finite(word.contribution) for word in known), initial=0.0))
    of_hits = []
    categories: dict[str, float] = defaultdict(float)
    done: dict[str, int] = defaultdict(int)  # words of the category that were counted already
    for hit in hits:
        first, last = bisect_right(ends, hit.start), bisect_left(starts, hit.end)
        of_hits.append(total[max(first, last)] - total[first])
        begin = max(first, done[hit.category])
        if last > begin:
            categories[hit.category] += total[last] - total[begin]
            done[hit.category] = last
    return Parts(tuple(of_hits), dict(categories))


def _finite(value: float | None) -> float:
    return value if value is not None and math.isfinite(value) else 0.0
