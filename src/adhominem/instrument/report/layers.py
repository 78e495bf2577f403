"""The layers of a heat map, which colour words and sentences by numbers; and the heaviest words.

A new layer needs a number (a field of `Word` and `Sentence` in `records.py`) and a row in
`layers_for`; if it does not colour words, it also needs rules in `style.css.jinja`.
"""

import heapq
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Self

from adhominem.instrument.report.layout import Context, in_context
from adhominem.instrument.report.wording import percent_words, signed, weight_words
from adhominem.records import Explanation, Sentence, TextExplanation, Word

_N_HEAVIEST = 10
_SIGNED = (
    "“Signed” shows the direction of each word as a part of the log10 likelihood ratio: blue words "
    "pull the texts together, vermilion words pull them apart. The number before a sentence is the "
    "sum over its words."
)
_HABITS = (
    "“Habits” underlines what the rules found, independently of the network. The small number "
    "after a word is the number of its category in the key and in the table; punctuation marks and "
    "names are too frequent for numbers and have a dotted line."
)


@dataclass(frozen=True, slots=True)
class Measure:
    """A number of words or of sentences, and the colours that show it."""

    label: str  # name in the key
    value: Callable[[Word | Sentence, Sentence], float | None]  # of an item and its sentence
    positive: str  # colour of positive numbers, "red" or "blue"
    negative: str | None = None  # colour of negative numbers; None for shares

    def is_blue(self, value: float) -> bool:
        colour = self.positive if value > 0 or self.negative is None else self.negative
        return colour == "blue" and value != 0

    def words(self, value: float | None) -> str:
        return "" if value is None else weight_words(value, sign=self.negative is not None)


NOTHING = Measure("", lambda _item, _sentence: None, "red")


@dataclass(frozen=True, slots=True)
class Scale:
    """A measure, and its largest absolute value on one side, which is shown in full colour."""

    measure: Measure
    peak: float

    @classmethod
    def of(cls, measure: Measure, values: Iterable[float | None]) -> Self:
        known = (abs(value) for value in values if value is not None and math.isfinite(value))
        return cls(measure, max(known, default=0.0))

    def strength(self, value: float) -> float:
        """Strength of the colour, linear from 0 for 0 to 1 for the peak."""
        is_shown = self.peak and math.isfinite(value)
        return min(abs(value) / self.peak, 1.0) if is_shown else 0.0

    def chip(self, value: float) -> str:
        """The number in front of a sentence: shares as percentages, others with their sign."""
        return signed(value) if self.measure.negative else percent_words(value, self.peak)


@dataclass(frozen=True, slots=True)
class Layer:
    """One way to colour the texts of a page; "" stands for absent parts."""

    name: str  # id of its button, whose text is `label`
    label: str
    words: Measure = NOTHING  # the number that colours each word
    sentences: Measure = NOTHING  # the number in front of each sentence
    variable: str = ""  # CSS variable with the strength of the colour of a word
    blue: str = ""  # CSS class of the words that are blue
    attribute: str = ""  # data attribute with the number in front of a sentence
    column: str = ""  # heading of its number in the table of the heaviest words
    how: str = ""  # how to read it

    def scales(self, texts: Sequence[TextExplanation]) -> tuple[Scale, Scale]:
        """The scales of the words and of the sentences of one side."""
        words = _values(self.words, texts)
        sentences = [self.sentences.value(s, s) for text in texts for s in text.sentences]
        return Scale.of(self.words, words), Scale.of(self.sentences, sentences)

    def number_words(self, word: Word, sentence: Sentence) -> str:
        """The number of a word, or of its sentence if words are not coloured; "" without one."""
        if self.variable:
            return self.words.words(self.words.value(word, sentence))
        return self.sentences.words(self.sentences.value(sentence, sentence))


@cache
def layers_for(method: str) -> tuple[Layer, ...]:
    """All layers of an explanation method; the first one is shown first."""
    if method not in ("attention", "occlusion"):
        raise ValueError(f"method {method!r} cannot be drawn; known are 'attention', 'occlusion'")
    if method == "attention":
        both = Measure("word × sentence", lambda word, line: word.weight * line.weight, "red")
        words = Measure("word weight", _weight, "red")
        sentences = Measure("sentence weight", _weight, "blue")
    else:
        both = words = Measure("word", _weight, "red", "blue")
        sentences = Measure("sentence", _weight, "red", "blue")
    part = Measure("part of log10 LR", lambda item, _: item.contribution, "blue", "red")
    product = "Product" if both is not words else ""
    layers = (
        Layer("both", "Both", both, sentences, "p", "together", "chip", product),
        Layer("words", "Words", words, NOTHING, "w", "together", "", "Word"),
        Layer("sentences", "Sentences", NOTHING, sentences, "", "", "chip", "Sentence"),
        Layer("signed", "Signed", part, part, "c", "for", "total", "Signed", _SIGNED),
        Layer("habits", "Habits", how=_HABITS),
    )
    # Without attention the weights are contributions already.
    return tuple(row for row in layers if method == "attention" or row.name != "signed")


def _weight(item: Word | Sentence, _: Sentence) -> float:
    return item.weight


def layers_of(explanation: Explanation) -> tuple[Layer, ...]:
    """The layers of an explanation for which words have numbers."""
    texts, layers = (*explanation.left, *explanation.right), layers_for(explanation.method)
    is_empty = {row: set(_values(row.words, texts)) == {None} for row in layers if row.variable}
    return tuple(row for row in layers if not is_empty.get(row))


def _values(measure: Measure, texts: Sequence[TextExplanation]) -> list[float | None]:
    return [measure.value(word, sentence_of(word, text)) for text in texts for word in text.words]


def sentence_of(word: Word, text: TextExplanation) -> Sentence:
    if not 0 <= word.sentence < (n := len(text.sentences)):
        own = f"word {word.text!r} is of sentence {word.sentence}"
        raise ValueError(f"{own}, but its text has {n} sentences, counted from 0")
    return text.sentences[word.sentence]


def columns_of(layers: Sequence[Layer]) -> tuple[Layer, ...]:
    """The layers with a column in the table of heaviest words; the product after its factors."""
    both, words, sentences, *others = layers
    return tuple(layer for layer in (words, sentences, both, *others) if layer.column)


def heaviest_words(
    texts: Sequence[TextExplanation], layers: Sequence[Layer]
) -> list[tuple[Word, Context, list[str]]]:
    """The words with the largest absolute values in the first layer, in context, with numbers."""
    value, columns = layers[0].words.value, columns_of(layers)
    words = [(word, sentence_of(word, text), text) for text in texts for word in text.words]
    largest = heapq.nsmallest(_N_HEAVIEST, words, lambda row: -abs(value(row[0], row[1]) or 0.0))
    rows = []
    for word, sentence, text in largest:
        numbers = [layer.number_words(word, sentence) for layer in columns]
        rows.append((word, in_context(text.text, word.start, word.end), numbers))
    return rows
