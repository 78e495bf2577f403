"""A mistake that the writer makes again: the same wrong spelling twice and more in one text.

Misspelt names are left out: a real name that is taken for one stands in a text many times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from adhominem.instrument.linguistics.hit import Hit

MISTAKES = frozenset(
    (
        "substituted characters",
        "missing characters",
        "surplus characters",
        "faulty compound spelling",
        "faulty separate spelling",
    )
)


def find_repeated_mistakes(hits: Iterable[Hit]) -> Iterator[Hit]:
    mistakes = [hit for hit in hits if hit.category in MISTAKES]
    times = Counter(hit.surface.lower() for hit in mistakes)
    for hit in mistakes:
        if times[hit.surface.lower()] > 1:
            yield replace(hit, category="repeated mistake")
