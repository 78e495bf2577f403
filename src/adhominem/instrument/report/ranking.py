"""The words of a side that weigh most, each with the text around it."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

from adhominem.instrument.report.concordance import in_context
from adhominem.instrument.report.scale import Weights, weigh
from adhominem.records import TextExplanation, Word


@dataclass(frozen=True, slots=True)
class Ranked:
    word: Word
    weights: Weights
    before: str
    own: str
    after: str


def heaviest_words(
    texts: Sequence[TextExplanation], method: str, *, n_words: int = 10
) -> list[Ranked]:
    """The `n_words` largest magnitudes, of equal ones the earlier."""
    every = [(weigh(word, text, method), word, text) for text in texts for word in text.words]
    largest = heapq.nsmallest(n_words, every, key=lambda one: -abs(one[0].importance))
    return [_ranked(*one) for one in largest]


def _ranked(weights: Weights, word: Word, text: TextExplanation) -> Ranked:
    found = in_context(text.text, word.start, word.end)
    return Ranked(word, weights, found.before, found.own, found.after)
