"""One text as the detectors see it: its tokens, their places and where sentences begin."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from adhominem.instrument.linguistics.hit import Hit
from adhominem.instrument.text.normalise import UNIVERSAL
from adhominem.instrument.text.tokenise import tokenise

_OPENING = frozenset(('"', "'", "(", "[", "{", "-", "--", "*", ":", "...", ";", "/", "<emoji>"))
_MASKED = frozenset(UNIVERSAL.values()) - {"<emoji>"}


@dataclass(frozen=True, slots=True)
class WordsRead:
    """Token i is spelt `words[i]` and stands at `text[starts[i]:ends[i]]`.

    plain  the text with blanks in the place of addresses, telephone numbers and the like
    first  the token is the first of a sentence
    opens  a capital letter is due or may be: the token is the first word of a sentence, or stands
           behind an opening quotation mark, a bracket, a dash, a colon or a line break
    """

    text: str
    plain: str
    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    first: tuple[bool, ...]
    opens: tuple[bool, ...]

    def hit(
        self, category: str, i: int, last: int | None = None, *, intended: str | None = None
    ) -> Hit:
        """The stretch from token i to the token `last`, or token i alone."""
        start, end = self.starts[i], self.ends[i if last is None else last]
        return Hit(start, end, category, self.text[start:end], intended)

    def stretch(self, category: str, start: int, end: int) -> Hit:
        return Hit(start, end, category, self.text[start:end])

    def adjoins(self, i: int) -> bool:
        """No space stands between token i and the next."""
        return i + 1 < len(self.words) and self.ends[i] == self.starts[i + 1]

    def hyphenated(self, i: int) -> bool:
        """A hyphen joins token i to another."""
        start, end = self.starts[i], self.ends[i]
        return "-" in (self.text[max(start - 1, 0) : start], self.text[end : end + 1])

    def neighbours(self) -> Iterator[tuple[int, int]]:
        """Tokens that follow each other within a sentence."""
        for i, j in pairwise(range(len(self.words))):
            if not self.first[j]:
                yield i, j


def read_words(text: str) -> WordsRead:
    read = tokenise([text])
    words = tuple(read.words())
    starts, ends = tuple(read.starts.tolist()), tuple(read.ends.tolist())
    first = [False] * len(words)
    for begin in read.sentences[:-1].tolist():
        first[begin] = True
    opens = list(first)
    for i, j in pairwise(range(len(words))):
        between = text[ends[i] : starts[j]]
        is_mark = opens[i] and not words[i][0].isalnum()
        opens[j] |= words[i] in _OPENING or is_mark or "\n" in between
    masked = [(starts[i], ends[i]) for i, word in enumerate(words) if word in _MASKED]
    plain = _without(text, masked)
    return WordsRead(text, plain, words, starts, ends, tuple(first), tuple(opens))


def _without(text: str, places: list[tuple[int, int]]) -> str:
    pieces: list[str] = []
    done = 0
    for start, end in places:
        pieces += (text[done:start], " " * (end - start))
        done = end
    return "".join((*pieces, text[done:]))


def is_capitalised(word: str) -> bool:
    """Like a name: the first letter, but not all of them, in upper case."""
    return len(word) > 1 and word[0].isupper() and not word.isupper() and word.isalpha()
