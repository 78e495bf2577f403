"""The words of a side that weigh most, each with the text around it."""

from __future__ import annotations

import heapq
import re
from collections.abc import Sequence
from dataclasses import dataclass

from adhominem.records import TextExplanation, Word
from adhominem.report.scale import Weights, weigh

_AROUND = 20  # characters on either side
_FIRST_BROKEN_WORD = re.compile(r"^\S*\s")
_LAST_BROKEN_WORD = re.compile(r"\s\S*$")


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
    before = text.text[max(word.start - _AROUND, 0) : word.start]
    if word.start > _AROUND:
        before = "…" + _FIRST_BROKEN_WORD.sub("", before)
    after = text.text[word.end : word.end + _AROUND]
    if word.end + _AROUND < len(text.text):
        after = _LAST_BROKEN_WORD.sub("", after) + "…"
    return Ranked(word, weights, before, text.text[word.start : word.end], after)
