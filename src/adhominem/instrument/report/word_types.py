"""The words that carry most, each type once: its number of uses and the sum over them."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from adhominem.instrument.report.wording import signed
from adhominem.records import TextExplanation

_MOST = 8


@dataclass(frozen=True, slots=True)
class WordType:
    """A word in small letters; `total` is the part of log10 LR that its uses carry together."""

    text: str
    count: int
    total: float

    @property
    def total_words(self) -> str:
        return signed(self.total)


def heaviest_types(texts: Sequence[TextExplanation]) -> list[WordType]:
    """The types with the largest totals on one side; none if words have no contributions."""
    parts: dict[str, list[float]] = defaultdict(list)
    for text in texts:
        for word in text.words:
            if word.contribution is not None and math.isfinite(word.contribution):
                parts[word.text.lower()].append(word.contribution)
    types = [WordType(word, len(own), sum(own)) for word, own in parts.items() if word[:1] != "<"]
    return sorted(types, key=lambda one: (-abs(one.total), one.text))[:_MOST]
