"""The heat map of one side on a page: texts with the colours, habits and numbers of words."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from markupsafe import Markup, escape

from adhominem.instrument.linguistics.habits import CATEGORY, Habits
from adhominem.instrument.linguistics.text_tokens import Hit
from adhominem.instrument.report.layers import Layer, Scale, sentence_of
from adhominem.instrument.report.layout import Piece, glyph, lay_out, whole_sentences
from adhominem.instrument.report.wording import read_words
from adhominem.records import Explanation, Sentence, TextExplanation, Word

_GLYPH_CLASSES = {"¶": "end", "⏎": "break", "·": "inner"}


def make_marks(
    lengths: Sequence[int], hits: Sequence[Hit], numbers: Mapping[str, int]
) -> Iterator[tuple[str, str, bool]]:
    """Yield for each piece of a text the names of its habits, the numbers of the rarer ones that
    end in it, and whether it has only frequent ones.

    lengths   number of characters of each piece
    hits      hits of the text, in order
    numbers   number of each category
    """
    coming = list(reversed(hits))
    open_hits: list[Hit] = []
    start = 0
    for length in lengths:
        end = start + length
        while coming and coming[-1].start < end:
            open_hits.append(coming.pop())
        open_hits = [hit for hit in open_hits if hit.end > start]
        own = open_hits if length else []
        names = [hit.category + (f" ({hit.intended})" if hit.intended else "") for hit in own]
        numbered = [hit for hit in own if not CATEGORY[hit.category].is_frequent]
        ending = sorted({numbers[hit.category] for hit in numbered if hit.end <= end})
        yield "; ".join(dict.fromkeys(names)), " ".join(map(str, ending)), not numbered
        start = end


class Side:
    """The texts of one side with words and sentences coloured by the scales of the layers.

    read      size and kind of the side, in words
    habits    habits of each text
    numbers   number of each category of habits that is shown
    """

    def __init__(
        self,
        explanation: Explanation,
        side: str,
        name: str,
        layers: Sequence[Layer],
        habits: Sequence[Habits],
        numbers: Mapping[str, int],
    ) -> None:
        self.name, self.habits, self.numbers, self._layers = name, habits, numbers, layers
        self.read = read_words(explanation.decision, side)
        self.texts = tuple(map(whole_sentences, getattr(explanation, side)))
        self._shown, self.left_out = lay_out(self.texts)
        scales = [(layer, *layer.scales(self.texts)) for layer in layers]
        self._words = [(layer, words) for layer, words, _ in scales if layer.variable]
        self._sentences = [(layer, sentences) for layer, _, sentences in scales if layer.attribute]

    def ramps(self) -> Iterable[tuple[Scale, dict[str, None]]]:
        """The colour ramps, each with the names of the layers that use it."""
        ramps: dict[str, tuple[Scale, dict[str, None]]] = {}
        for layer, scale in (*self._words, *self._sentences):
            ramps.setdefault(scale.measure.label, (scale, {}))[1][layer.name] = None
        return ramps.values()

    def counts(self) -> Counter[str]:
        """Hits of each category of habits."""
        return Counter(hit.category for habits in self.habits for hit in habits.hits)

    def painted_texts(self) -> Iterator[Markup]:
        """Each text with a tag for each sentence, word and habit."""
        for text, habits, passages in zip(self.texts, self.habits, self._shown, strict=True):
            lengths = [len(piece.text) for passage in passages for piece in passage.pieces]
            marks = make_marks(lengths, habits.hits, self.numbers)
            painted = Markup()
            for passage in passages:
                pieces = (self._piece(piece, text, *next(marks)) for piece in passage.pieces)
                painted += self._sentence(Markup().join(pieces), passage.sentence)
            yield painted

    def _sentence(self, own: Markup, sentence: Sentence | None) -> Markup:
        if sentence is None:
            return own
        numbers = {
            f"data-{row.attribute}": scale.chip(value)
            for row, scale in self._sentences
            if (value := scale.measure.value(sentence, sentence)) is not None
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

    def _piece(
        self, piece: Piece, text: TextExplanation, title: str, numbers: str, is_quiet: bool
    ) -> Markup:
        word = piece.word
        if word is None and not title:
            return escape(piece.text)
        classes = [("quiet" if is_quiet else "habit")] if title else []
        styles = []
        if word is not None:
            sentence = sentence_of(word, text)
            title = "; ".join(filter(None, (self._title(word, sentence), title)))
            for layer, scale in self._words:
                value = scale.measure.value(word, sentence)
                if value is not None:
                    styles.append(f"--{layer.variable}:{_digits(scale.strength(value))}")
                    classes += [layer.blue] if scale.measure.is_blue(value) else []
            if not piece.text:
                classes.insert(0, glyph_class(word))
        return _tag(
            "u" if word is None else "b" if piece.text else "i",
            piece.text,
            cls=" ".join(dict.fromkeys(classes)),
            title=title,
            style=";".join(styles),
            **{"data-n": numbers},
        )

    def _title(self, word: Word, sentence: Sentence) -> str:
        """The numbers of a word for its tooltip; for a marker, its name comes first."""
        both, words, sentences, *others = self._layers
        numbers = [layer.number_words(word, sentence) for layer in (words, sentences, both)]
        is_product = both.words is not words.words
        form = "word {} × sentence {} = {}" if is_product else "word {}, its sentence {}"
        title = form.format(*numbers)
        if word.start == word.end:
            title = f"{word.text} {title}"
        for layer in others:
            if number := layer.number_words(word, sentence):
                title += f"; {layer.words.label} {number}"
        return title


def glyph_class(word: Word) -> str:
    return _GLYPH_CLASSES[glyph(word)]


def _tag(name: str, content: object, *, cls: str = "", **attributes: str) -> Markup:
    """An HTML element. Content is escaped unless it is markup; empty attributes are left out."""
    named = {"class": cls, **attributes}
    written = "".join(f' {key}="{escape(value)}"' for key, value in named.items() if value)
    return Markup(f"<{name}{written}>{escape(content)}</{name}>")


def _digits(strength: float) -> str:
    """Three decimals without trailing zeros."""
    return f"{strength:.3f}".rstrip("0").rstrip(".")
