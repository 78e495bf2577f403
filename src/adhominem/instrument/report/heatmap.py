"""One side of the heat maps on a page: texts with the colours, habits and numbers of words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from adhominem.instrument.linguistics.categories import CATEGORY
from adhominem.instrument.linguistics.findings import SideHabits
from adhominem.instrument.linguistics.text_tokens import Hit
from adhominem.instrument.report.concordance import HeavyWord, columns_of, heaviest_words
from adhominem.instrument.report.layers import Layer, Scale, sentence_of, sentence_scale, word_scale
from adhominem.instrument.report.layout import Passage, Piece, glyph, lay_out, left_out_words
from adhominem.instrument.report.wording import MINUS, reading_words, weight_words
from adhominem.records import Reading, Sentence, TextExplanation, Word

_GLYPH_CLASSES = {"¶": "end", "⏎": "break", "·": "inner"}


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a page: its keys and texts as HTML, and its heaviest words with their numbers."""

    name: str
    reading: str
    keys: tuple[Markup, ...]
    texts: tuple[Markup, ...]
    left_out: str
    columns: tuple[str, ...]
    rows: tuple[HeavyWord, ...]


def make_side(
    name: str,
    texts: Sequence[TextExplanation],
    reading: Reading,
    layers: Sequence[Layer],
    habits: SideHabits,
    numbers: Mapping[str, int],
) -> Side:
    """One side of a page; `numbers` are the numbers of the categories of habits."""
    painter = _Painter(texts, layers, numbers)
    layouts = lay_out(texts)
    counts = {category: habits.count(category) for category in numbers}
    categories = (
        _tag("span", _tag("sup", numbers[category]) + f"{category} ({n})", cls="key in-habits")
        for category, n in counts.items()
        if n
    )
    return Side(
        name=name,
        reading=reading_words(reading),
        keys=(*painter.keys(), *categories),
        texts=tuple(
            painter.paint(layout.passages, text, found.hits)
            for layout, text, found in zip(layouts, texts, habits.habits, strict=True)
        ),
        left_out=left_out_words(layouts),
        columns=tuple(layer.column for layer in columns_of(layers)),
        rows=tuple(heaviest_words(texts, layers)),
    )


class _Painter:
    """Colours the words and sentences of one side by the scales of its layers."""

    def __init__(
        self, texts: Sequence[TextExplanation], layers: Sequence[Layer], numbers: Mapping[str, int]
    ) -> None:
        self._numbers = numbers
        self._layers = layers
        self._words = [(row, word_scale(row.words, texts)) for row in layers if row.variable]
        self._sentences = [
            (row, sentence_scale(row.sentences, texts)) for row in layers if row.attribute
        ]

    def keys(self) -> Iterator[Markup]:
        """The ramps of colours, each shown with the layers that use it."""
        scales: dict[str, Scale] = {}
        classes: dict[str, list[str]] = {}
        for layer, scale in (*self._words, *self._sentences):
            label = scale.measure.label
            scales.setdefault(label, scale)
            classes.setdefault(label, ["key"]).append(f"in-{layer.name}")
        for label, scale in scales.items():
            measure, peak = scale.measure, weight_words(scale.peak, sign=False)
            low, high, ramp = "0", peak, measure.positive
            if measure.negative:
                low, high, ramp = MINUS + peak, "+" + peak, f"{measure.negative}-{measure.positive}"
            content = escape(f"{label} {low}") + _tag("span", "", cls=f"ramp {ramp}") + high
            yield _tag("span", content, cls=" ".join(dict.fromkeys(classes[label])))

    def paint(
        self, passages: Sequence[Passage], text: TextExplanation, hits: Sequence[Hit]
    ) -> Markup:
        """A text with a tag for each sentence, word and habit."""
        lengths = [len(piece.text) for passage in passages for piece in passage.pieces]
        marks = make_marks(lengths, hits, self._numbers)
        painted = []
        for passage in passages:
            own = Markup().join(self._piece(piece, next(marks), text) for piece in passage.pieces)
            sentence = passage.sentence
            painted.append(own if sentence is None else self._sentence(own, sentence))
        return Markup().join(painted)

    def _sentence(self, own: Markup, sentence: Sentence) -> Markup:
        values = [(row, s, s.measure.value(sentence, sentence)) for row, s in self._sentences]
        numbers = {
            f"data-{row.attribute}": scale.chip(value)
            for row, scale, value in values
            if value is not None
        }
        scale = self._sentences[0][1]
        return _tag(
            "span",
            own,
            cls="sentence together" if scale.measure.is_blue(sentence.weight) else "sentence",
            style=f"--s:{_digits(scale.strength(sentence.weight))}",
            title=f"sentence {scale.measure.words(sentence.weight)}",
            **numbers,
        )

    def _piece(self, piece: Piece, mark: Mark, text: TextExplanation) -> Markup:
        word, title = piece.word, mark.title
        if word is None and not title:
            return escape(piece.text)
        classes = [("quiet" if mark.is_quiet else "habit")] if title else []
        styles = []
        if word is not None:
            sentence = sentence_of(word, text)
            title = "; ".join(filter(None, (self._title(word, sentence), title)))
            for layer, scale in self._words:
                value = scale.measure.value(word, sentence)
                if value is not None:
                    styles.append(f"--{layer.variable}:{_digits(scale.strength(value))}")
                    if scale.measure.is_blue(value):
                        classes.append(layer.blue)
            if not piece.text:
                classes.insert(0, glyph_class(word))
        return _tag(
            "u" if word is None else "b" if piece.text else "i",
            piece.text,
            cls=" ".join(dict.fromkeys(classes)),
            title=title,
            style=";".join(styles),
            **{"data-n": mark.numbers},
        )

    def _title(self, word: Word, sentence: Sentence) -> str:
        """The numbers of a word, for the pointer; a marker is named first."""
        both, words, sentences, *others = self._layers
        numbers = [layer.number_words(word, sentence) for layer in (words, sentences, both)]
        if both.words is not words.words:
            title = "word {} × sentence {} = {}".format(*numbers)
        else:
            title = "word {}, its sentence {}".format(*numbers)
        if word.start == word.end:
            title = f"{word.text} {title}"
        for layer in others:
            if number := layer.number_words(word, sentence):
                title += f"; {layer.words.label} {number}"
        return title


def glyph_class(word: Word) -> str:
    return _GLYPH_CLASSES[glyph(word)]


def _tag(name: str, content: object, *, cls: str = "", **attributes: str) -> Markup:
    """An element; its content is escaped unless it is markup, empty attributes are left out."""
    named = {"class": cls, **attributes}
    written = "".join(f' {key}="{escape(value)}"' for key, value in named.items() if value)
    return Markup(f"<{name}{written}>{escape(content)}</{name}>")


def _digits(strength: float) -> str:
    """Three decimals, in as few characters as possible."""
    return f"{strength:.3f}".rstrip("0").rstrip(".")


@dataclass(frozen=True, slots=True)
class Mark:
    """The habits of a piece of text; `numbers` are the categories of those that end in it, without
    the very frequent ones."""

    title: str
    numbers: str = ""
    is_quiet: bool = False


def make_marks(
    lengths: Sequence[int], hits: Sequence[Hit], numbers: Mapping[str, int]
) -> Iterator[Mark]:
    """The mark of each piece of a text, given the lengths of the pieces and the hits in order."""
    coming = iter(hits)
    following = next(coming, None)
    open_hits: list[Hit] = []
    start = 0
    for length in lengths:
        end = start + length
        while following is not None and following.start < end:
            open_hits.append(following)
            following = next(coming, None)
        open_hits = [hit for hit in open_hits if hit.end > start]
        yield _mark(open_hits if length else [], end, numbers)
        start = end


def _mark(hits: Sequence[Hit], end: int, numbers: Mapping[str, int]) -> Mark:
    names = [f"{hit.category} ({hit.intended})" if hit.intended else hit.category for hit in hits]
    numbered = [hit for hit in hits if not CATEGORY[hit.category].is_frequent]
    ending = {numbers[hit.category] for hit in numbered if hit.end <= end}
    return Mark("; ".join(dict.fromkeys(names)), " ".join(map(str, sorted(ending))), not numbered)
