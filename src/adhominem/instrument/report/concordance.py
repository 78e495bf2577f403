"""Words in context: a stretch with the text around it, and the heaviest words of a side."""

from __future__ import annotations

import heapq
import re
from collections.abc import Sequence
from dataclasses import dataclass

from adhominem.instrument.report.layers import Layer, sentence_of
from adhominem.records import TextExplanation, Word

_FIRST_BROKEN_WORD = re.compile(r"^\S*\s")
_LAST_BROKEN_WORD = re.compile(r"\s\S*$")
_MAX_LENGTH = 40  # characters of the stretch itself


@dataclass(frozen=True, slots=True)
class Context:
    """A stretch of a text, and the text before and after it."""

    before: str
    own: str
    after: str


def in_context(text: str, start: int, end: int, *, around: int = 20) -> Context:
    """The stretch with at most `around` characters on either side, cut between words."""
    before = text[max(start - around, 0) : start]
    if start > around:
        before = "…" + _FIRST_BROKEN_WORD.sub("", before)
    after = text[end : end + around]
    if end + around < len(text):
        after = _LAST_BROKEN_WORD.sub("", after) + "…"
    own = text[start:end]
    if len(own) > _MAX_LENGTH:
        own = own[:_MAX_LENGTH] + "…"
    return Context(before, own, after)


@dataclass(frozen=True, slots=True)
class HeavyWord:
    """A word in context with its number in each column of `columns_of`, "" if it has none."""

    word: Word
    context: Context
    numbers: tuple[str, ...]


def columns_of(layers: Sequence[Layer]) -> tuple[Layer, ...]:
    """The layers with a column, the product of two columns after them."""
    both, words, sentences, *others = layers
    return tuple(layer for layer in (words, sentences, both, *others) if layer.column)


def heaviest_words(
    texts: Sequence[TextExplanation], layers: Sequence[Layer], *, n_words: int = 10
) -> list[HeavyWord]:
    """The words with the largest magnitudes in the first layer; of equal ones the earlier."""
    items = [(word, sentence_of(word, text), text) for text in texts for word in text.words]
    weights = [abs(layers[0].words.value(word, sentence) or 0.0) for word, sentence, _ in items]
    largest = heapq.nsmallest(n_words, range(len(items)), key=lambda i: -weights[i])
    columns = columns_of(layers)
    return [
        HeavyWord(
            word,
            in_context(text.text, word.start, word.end),
            tuple(layer.number_words(word, sentence) for layer in columns),
        )
        for word, sentence, text in (items[i] for i in largest)
    ]
