"""Divides a text into passages and pieces; joined, they are the original text. If two tokens share
characters, the first has them, and the second has a piece without characters, like a marker."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from adhominem.instrument.text.vocabulary import LINE_BREAK, SENTENCE_END
from adhominem.records import Sentence, TextExplanation, Word

_MAX_WORDS, _MAX_CHARACTERS = 2_000, 30_000  # of one side, so that a page stays below a megabyte
_MAX_SPAN = 40  # characters of a span in context
_GLYPHS = {SENTENCE_END: "¶", LINE_BREAK: "⏎"}
_span = attrgetter("start", "end")


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the original text, and the word that it belongs to, if any."""

    text: str
    word: Word | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence, or the text between two sentences if `sentence` is None."""

    sentence: Sentence | None
    pieces: tuple[Piece, ...]


def lay_out(
    texts: Sequence[TextExplanation], *, max_words: int = _MAX_WORDS
) -> tuple[list[list[Passage]], str]:
    """The passages of each text of a side, up to a number of words and characters in all, and a
    sentence about the rest; "" if all is shown."""
    layouts = []
    most, max_characters = max_words, _MAX_CHARACTERS
    for text in texts:
        shown = _beginning(text, most, max_characters)
        most, max_characters = most - _count_words(shown), max_characters - len(shown.text)
        layouts.append(list(_passages(shown)))
    shown_words, characters = max_words - most, _MAX_CHARACTERS - max_characters
    words = sum(map(_count_words, texts)) - shown_words
    characters = sum(len(text.text) for text in texts) - characters
    more = f"Left out here are {words:,} more words ({characters:,} characters)."
    return layouts, f"Shown are the first {shown_words:,} words. {more}" if characters else ""


def whole_sentences(text: TextExplanation) -> TextExplanation:
    """Join sentences that were read in several lines. Sentence weights are sums over lines; word
    weights become shares of the whole sentence, so that the products stay the same."""
    breaks = (word for word in text.words if word.text == LINE_BREAK and word.start == word.end)
    cut = {word.sentence for word in breaks}
    if not cut:
        return text
    wholes: list[Sentence] = []
    numbers = []
    for i, line in enumerate(text.sentences):
        if i - 1 in cut:
            whole = wholes.pop()
            parts = (whole.contribution, line.contribution)
            total = None if None in parts else sum(filter(None, parts))
            line = Sentence(whole.start, line.end, whole.weight + line.weight, total)
        wholes.append(line)
        numbers.append(len(wholes) - 1)
    words = []
    for word in text.words:
        line, number = text.sentences[word.sentence], numbers[word.sentence]
        share = line.weight / (wholes[number].weight or 1.0)
        words.append(replace(word, sentence=number, weight=word.weight * share))
    return replace(text, words=tuple(words), sentences=tuple(wholes))


def _count_words(text: TextExplanation) -> int:
    return sum(word.end > word.start for word in text.words)  # markers have no characters


def glyph(word: Word) -> str:
    """The sign for a word without characters."""
    return _GLYPHS.get(word.text, "·")


def _beginning(text: TextExplanation, max_words: int, max_characters: int) -> TextExplanation:
    """The text up to `max_words` words and the markers after them."""
    if _count_words(text) <= max_words and len(text.text) <= max_characters:
        return text
    shown: list[Word] = []
    for word in sorted(text.words, key=_span):
        max_words -= word.end > word.start
        if max_words < 0 or word.start >= max_characters:
            break
        shown.append(word)
    end = min(max((word.end for word in shown), default=0), max_characters)
    return replace(text, text=text.text[:end], words=tuple(shown))


def _passages(text: TextExplanation) -> Iterator[Passage]:
    words: dict[int, list[Word]] = defaultdict(list)
    for word in sorted(text.words, key=_span):
        words[word.sentence].append(word)
    position = 0

    def pieces_up_to(end: int, word: Word | None = None) -> list[Piece]:
        """The text from `position` on as a piece; nothing for an empty text without a word."""
        nonlocal position
        own = text.text[position:end]
        position += len(own)
        return [Piece(own, word)] if own or word else []

    for i in sorted(range(len(text.sentences)), key=lambda i: text.sentences[i].start):
        sentence = text.sentences[i]
        if between := pieces_up_to(sentence.start):
            yield Passage(None, tuple(between))
        pieces = []
        for word in words[i]:
            end = min(word.end, sentence.end)
            pieces += pieces_up_to(min(word.start, end)) + pieces_up_to(end, word)
        if pieces := pieces + pieces_up_to(sentence.end):
            yield Passage(sentence, tuple(pieces))
    if rest := pieces_up_to(len(text.text)):
        yield Passage(None, tuple(rest))


@dataclass(frozen=True, slots=True)
class Context:
    """A span of a text, and the text before and after it."""

    before: str
    own: str
    after: str


def in_context(text: str, start: int, end: int, *, around: int = 20) -> Context:
    """The span with at most `around` characters on either side, cut between words."""
    before, own = text[max(start - around, 0) : start], text[start:end]
    after = text[end : end + around]
    if start > around:
        before = "…" + re.sub(r"^\S*\s", "", before)
    if end + around < len(text):
        after = re.sub(r"\s\S*$", "", after) + "…"
    return Context(before, own if len(own) <= _MAX_SPAN else own[:_MAX_SPAN] + "…", after)
