"""A text cut into the stretches that are coloured and those between them.

The pieces in order are the original text again, every character once. Where two tokens share
characters the first one has them, and the second is shown without width, like a marker.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from adhominem.records import Sentence, TextExplanation, Word

# On one side of a report, so that a page stays below a megabyte.
MOST_WORDS, MOST_CHARACTERS = 2_000, 30_000
_GLYPHS = {"<sentence-end>": "¶", "<line-break>": "⏎"}


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the original text, and the word that it is, if any."""

    text: str
    word: Word | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence, or what stands between two of them."""

    sentence: Sentence | None
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    passages: tuple[Passage, ...]
    words_shown: int
    words_left_out: int
    characters_left_out: int


def lay_out(
    texts: Sequence[TextExplanation],
    *,
    most_words: int = MOST_WORDS,
    most_characters: int = MOST_CHARACTERS,
) -> list[Layout]:
    """The texts of one side, as far as their first words and characters go."""
    layouts = []
    for text in texts:
        shown = _beginning(text, most_words, most_characters)
        n_shown = count_words(shown)
        most_words -= n_shown
        most_characters -= len(shown.text)
        layouts.append(
            Layout(
                passages=tuple(_passages(shown)),
                words_shown=n_shown,
                words_left_out=count_words(text) - n_shown,
                characters_left_out=len(text.text) - len(shown.text),
            )
        )
    return layouts


def count_words(text: TextExplanation) -> int:
    """Words of a text, markers not counted."""
    return sum(not is_marker(word) for word in text.words)


def is_marker(word: Word) -> bool:
    return word.start == word.end


def glyph(word: Word) -> str:
    """What stands for a word that has no characters of its own."""
    return _GLYPHS.get(word.text, "·")


def _beginning(text: TextExplanation, most_words: int, most_characters: int) -> TextExplanation:
    """The text up to its `most_words`-th word and the markers after it."""
    if count_words(text) <= most_words and len(text.text) <= most_characters:
        return text
    kept: list[Word] = []
    for word in sorted(text.words, key=_place):
        most_words -= not is_marker(word)
        if most_words < 0 or word.start >= most_characters:
            break
        kept.append(word)
    end = min(max((word.end for word in kept), default=0), most_characters)
    return replace(text, text=text.text[:end], words=tuple(kept))


def _place(word: Word) -> tuple[int, int]:
    return word.start, word.end


def _passages(text: TextExplanation) -> Iterator[Passage]:
    words: dict[int, list[Word]] = defaultdict(list)
    for word in sorted(text.words, key=_place):
        words[word.sentence].append(word)
    position = 0
    for i in sorted(range(len(text.sentences)), key=lambda i: text.sentences[i].start):
        sentence = text.sentences[i]
        if between := text.text[position : sentence.start]:
            yield Passage(None, (Piece(between),))
            position += len(between)
        pieces = _pieces(text.text[: sentence.end], words[i], position)
        if pieces:
            yield Passage(sentence, pieces)
            position += sum(len(piece.text) for piece in pieces)
    if rest := text.text[position:]:
        yield Passage(None, (Piece(rest),))


def _pieces(text: str, words: Sequence[Word], position: int) -> tuple[Piece, ...]:
    """`text` from `position` on, the words in it and what stands around them."""
    pieces = []
    for word in words:
        if before := text[position : word.start]:
            pieces.append(Piece(before))
            position += len(before)
        own = text[position : word.end]
        pieces.append(Piece(own, word))
        position += len(own)
    if rest := text[position:]:
        pieces.append(Piece(rest))
    return tuple(pieces)
