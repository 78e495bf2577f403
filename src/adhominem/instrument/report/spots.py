"""One piece of a text on the page: how strong its colours are and what the pointer says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adhominem.instrument.report.layout import Piece, glyph
from adhominem.instrument.report.marks import Mark
from adhominem.instrument.report.scale import (
    ATTENTION,
    Peaks,
    Weights,
    peaks,
    share,
    signed_peak,
    weigh,
)
from adhominem.instrument.report.wording import weight_words
from adhominem.records import TextExplanation, Word

GLYPH_CLASSES = {"¶": "end", "⏎": "break", "·": "inner"}


@dataclass(frozen=True, slots=True)
class Scales:
    """What full colour stands for; `signed` is None where no word has a contribution."""

    method: str
    highest: Peaks
    signed: float | None

    @classmethod
    def of(cls, texts: Sequence[TextExplanation], method: str) -> Scales:
        return cls(method, peaks(texts, method), signed_peak(texts))


@dataclass(frozen=True, slots=True)
class Spot:
    """A piece of text; `style` is empty where no word stands, `numbers` where no habit ends."""

    text: str
    style: str = ""
    title: str = ""
    classes: str = ""
    numbers: str = ""
    is_glyph: bool = False


def make_spot(piece: Piece, mark: Mark, text: TextExplanation, scales: Scales) -> Spot:
    classes = [("quiet" if mark.is_quiet else "habit")] if mark.title else []
    word = piece.word
    if word is None:
        return Spot(piece.text, "", mark.title, " ".join(classes), mark.numbers)
    weights = weigh(word, text, scales.method)
    if is_together(weights.word, scales.method):
        classes.append("together")
    if (word.contribution or 0) > 0:
        classes.append("for")
    if not piece.text:
        classes.insert(0, GLYPH_CLASSES[glyph(word)])
    return Spot(
        piece.text,
        style=_style(word, weights, scales),
        title=_title(word, weights, mark, scales),
        classes=" ".join(classes),
        numbers=mark.numbers,
        is_glyph=not piece.text,
    )


def _style(word: Word, weights: Weights, scales: Scales) -> str:
    style = f"--w:{strength(weights.word, scales.highest.word)}"
    if scales.method == ATTENTION:
        style += f";--p:{strength(weights.importance, scales.highest.importance)}"
    signed = word.contribution
    if signed is not None and scales.signed is not None:
        style += f";--c:{strength(signed, scales.signed)}"
    return style


def _title(word: Word, weights: Weights, mark: Mark, scales: Scales) -> str:
    title = _weight_words(weights, scales.method)
    if word.start == word.end:
        title = f"{word.text} {title}"
    signed = word.contribution
    if signed is not None:
        title += f"; part of log10 LR {weight_words(signed, sign=True)}"
    return f"{title}; {mark.title}" if mark.title else title


def _weight_words(weights: Weights, method: str) -> str:
    if method != ATTENTION:
        word = weight_words(weights.word, sign=True)
        return f"word {word}, its sentence {weight_words(weights.sentence, sign=True)}"
    word, sentence, product = (
        weight_words(weight, sign=False)
        for weight in (weights.word, weights.sentence, weights.importance)
    )
    return f"word {word} \N{MULTIPLICATION SIGN} sentence {sentence} = {product}"


def strength(weight: float, peak: float) -> str:
    """A share of the peak, in as few characters as three digits need."""
    return f"{share(weight, peak):.3f}".rstrip("0").rstrip(".")


def is_together(weight: float, method: str) -> bool:
    """Whether the weight has the second colour: without this, the texts would look less alike."""
    return method != ATTENTION and weight < 0
