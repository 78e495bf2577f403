"""One side of the page: its texts with the strength of every colour worked out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from adhominem.instrument.linguistics.findings import SideHabits
from adhominem.instrument.linguistics.habits import Habits
from adhominem.instrument.report.layout import Layout, glyph, lay_out
from adhominem.instrument.report.marks import marks
from adhominem.instrument.report.ranking import Ranked, heaviest_words
from adhominem.instrument.report.scale import ATTENTION
from adhominem.instrument.report.spots import (
    GLYPH_CLASSES,
    Scales,
    Spot,
    is_together,
    make_spot,
    strength,
)
from adhominem.instrument.report.wording import percent_words, reading_words, signed, weight_words
from adhominem.records import Reading, Sentence, TextExplanation


@dataclass(frozen=True, slots=True)
class Stretch:
    """A sentence; `style` is empty for what stands between two of them, `total` where no word has
    a contribution."""

    spots: tuple[Spot, ...]
    style: str = ""
    title: str = ""
    together: bool = False
    chip: str = ""
    total: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table of the heaviest words."""

    before: str
    own: str
    after: str
    numbers: tuple[str, ...]
    glyph: str


@dataclass(frozen=True, slots=True)
class Legend:
    """A category of habits: its number in the text and how often it is there."""

    number: int
    name: str
    count: int


@dataclass(frozen=True, slots=True)
class Side:
    name: str
    reading: str
    texts: tuple[tuple[Stretch, ...], ...]
    words_shown: int
    words_left_out: int
    characters_left_out: int
    rows: tuple[Row, ...]
    scales: Scales
    legend: tuple[Legend, ...]


def side(
    name: str,
    texts: Sequence[TextExplanation],
    reading: Reading,
    method: str,
    habits: SideHabits,
    numbers: Mapping[str, int],
) -> Side:
    """`numbers` stand for the categories of habits."""
    layouts = lay_out(texts)
    scales = Scales.of(texts, method)
    counts = ((category, habits.count(category)) for category in numbers)
    return Side(
        name=name,
        reading=reading_words(reading),
        texts=tuple(
            tuple(_stretches(layout, text, scales, found, numbers))
            for layout, text, found in zip(layouts, texts, habits.habits, strict=True)
        ),
        words_shown=sum(layout.words_shown for layout in layouts),
        words_left_out=sum(layout.words_left_out for layout in layouts),
        characters_left_out=sum(layout.characters_left_out for layout in layouts),
        rows=_rows(texts, method),
        scales=scales,
        legend=tuple(Legend(numbers[category], category, n) for category, n in counts if n),
    )


def _stretches(
    layout: Layout,
    text: TextExplanation,
    scales: Scales,
    habits: Habits,
    numbers: Mapping[str, int],
) -> Iterator[Stretch]:
    lengths = [len(piece.text) for passage in layout.passages for piece in passage.pieces]
    found = marks(lengths, habits.hits, numbers)
    for passage in layout.passages:
        spots = tuple(make_spot(piece, next(found), text, scales) for piece in passage.pieces)
        sentence = passage.sentence
        if sentence is None:
            yield Stretch(spots)
            continue
        yield Stretch(
            spots,
            style=f"--s:{strength(sentence.weight, scales.highest.sentence)}",
            title=f"sentence {weight_words(sentence.weight, sign=scales.method != ATTENTION)}",
            together=is_together(sentence.weight, scales.method),
            chip=_chip(sentence, scales),
            total="" if sentence.contribution is None else signed(sentence.contribution),
        )


def _chip(sentence: Sentence, scales: Scales) -> str:
    if scales.method == ATTENTION:
        return percent_words(sentence.weight, scales.highest.sentence)
    return signed(sentence.weight)


def _rows(texts: Sequence[TextExplanation], method: str) -> tuple[Row, ...]:
    return tuple(
        Row(
            before=one.before,
            own=one.own,
            after=one.after,
            numbers=_numbers(one, method),
            glyph="" if one.own else GLYPH_CLASSES[glyph(one.word)],
        )
        for one in heaviest_words(texts, method)
    )


def _numbers(one: Ranked, method: str) -> tuple[str, ...]:
    shown = [one.weights.word, one.weights.sentence]
    if method == ATTENTION:
        shown.append(one.weights.importance)
    numbers = [weight_words(weight, sign=method != ATTENTION) for weight in shown]
    if method == ATTENTION and one.word.contribution is not None:
        numbers.append(signed(one.word.contribution, 3))
    return tuple(numbers)
