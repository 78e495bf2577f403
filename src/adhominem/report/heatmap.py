"""One side of the page: its texts with the strength of every colour worked out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adhominem.records import Reading, Sentence, TextExplanation
from adhominem.report.layout import Passage, Piece, glyph, lay_out
from adhominem.report.ranking import heaviest_words
from adhominem.report.scale import ATTENTION, Peaks, Weights, peaks, share, weigh
from adhominem.report.wording import percent_words, reading_words, signed, weight_words

_GLYPH_CLASSES = {"¶": "end", "⏎": "break", "·": "inner"}


@dataclass(frozen=True, slots=True)
class Spot:
    """A piece of text; `style` is empty where no word stands, `glyph` a class where no text."""

    text: str
    style: str = ""
    title: str = ""
    together: bool = False
    glyph: str = ""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A sentence; `style` is empty for what stands between two of them."""

    spots: tuple[Spot, ...]
    style: str = ""
    title: str = ""
    together: bool = False
    chip: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table of the heaviest words."""

    before: str
    own: str
    after: str
    numbers: tuple[str, ...]
    glyph: str


@dataclass(frozen=True, slots=True)
class Side:
    name: str
    reading: str
    texts: tuple[tuple[Stretch, ...], ...]
    words_shown: int
    words_left_out: int
    characters_left_out: int
    rows: tuple[Row, ...]
    peaks: Peaks


def side(name: str, texts: Sequence[TextExplanation], reading: Reading, method: str) -> Side:
    layouts = lay_out(texts)
    highest = peaks(texts, method)
    return Side(
        name=name,
        reading=reading_words(reading),
        texts=tuple(
            tuple(_stretch(passage, text, method, highest) for passage in layout.passages)
            for layout, text in zip(layouts, texts, strict=True)
        ),
        words_shown=sum(layout.words_shown for layout in layouts),
        words_left_out=sum(layout.words_left_out for layout in layouts),
        characters_left_out=sum(layout.characters_left_out for layout in layouts),
        rows=_rows(texts, method),
        peaks=highest,
    )


def _stretch(passage: Passage, text: TextExplanation, method: str, highest: Peaks) -> Stretch:
    spots = tuple(_spot(piece, text, method, highest) for piece in passage.pieces)
    sentence = passage.sentence
    if sentence is None:
        return Stretch(spots)
    return Stretch(
        spots,
        style=f"--s:{_strength(sentence.weight, highest.sentence)}",
        title=f"sentence {weight_words(sentence.weight, sign=method != ATTENTION)}",
        together=_together(sentence.weight, method),
        chip=_chip(sentence, method, highest),
    )


def _chip(sentence: Sentence, method: str, highest: Peaks) -> str:
    if method == ATTENTION:
        return percent_words(sentence.weight, highest.sentence)
    return signed(sentence.weight)


def _spot(piece: Piece, text: TextExplanation, method: str, highest: Peaks) -> Spot:
    word = piece.word
    if word is None:
        return Spot(piece.text)
    weights = weigh(word, text, method)
    style = f"--w:{_strength(weights.word, highest.word)}"
    if method == ATTENTION:
        style += f";--p:{_strength(weights.importance, highest.importance)}"
    title = _title(weights, method)
    return Spot(
        piece.text,
        style=style,
        title=title if piece.text else f"{word.text} {title}",
        together=_together(weights.word, method),
        glyph="" if piece.text else _GLYPH_CLASSES[glyph(word)],
    )


def _title(weights: Weights, method: str) -> str:
    if method != ATTENTION:
        word = weight_words(weights.word, sign=True)
        return f"word {word}, its sentence {weight_words(weights.sentence, sign=True)}"
    word, sentence, product = (
        weight_words(weight, sign=False)
        for weight in (weights.word, weights.sentence, weights.importance)
    )
    return f"word {word} \N{MULTIPLICATION SIGN} sentence {sentence} = {product}"


def _strength(weight: float, peak: float) -> str:
    return f"{share(weight, peak):.3f}".rstrip("0").rstrip(".")


def _together(weight: float, method: str) -> bool:
    """Whether the weight has the second colour: without this, the texts would look less alike."""
    return method != ATTENTION and weight < 0


def _rows(texts: Sequence[TextExplanation], method: str) -> tuple[Row, ...]:
    return tuple(
        Row(
            before=one.before,
            own=one.own,
            after=one.after,
            numbers=_numbers(one.weights, method),
            glyph="" if one.own else _GLYPH_CLASSES[glyph(one.word)],
        )
        for one in heaviest_words(texts, method)
    )


def _numbers(weights: Weights, method: str) -> tuple[str, ...]:
    shown = [weights.word, weights.sentence]
    if method == ATTENTION:
        shown.append(weights.importance)
    return tuple(weight_words(weight, sign=method != ATTENTION) for weight in shown)
