"""A text with its tokens, the input of every detector, and hits, the output of detectors."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from adhominem.instrument.text.normalise import UNIVERSAL
from adhominem.instrument.text.tokenise import tokenise
from adhominem.instrument.text.tokenised import Tokenised

_OPENING = frozenset(('"', "'", "(", "[", "{", "-", "--", "*", ":", "...", ";", "/", "<emoji>"))
_MASKED = frozenset(UNIVERSAL.values()) - {"<emoji>"}


@dataclass(frozen=True, slots=True)
class Hit:
    """A span of a text that shows a category of habits."""

    start: int
    end: int
    category: str
    surface: str  # `text[start:end]`
    intended: str | None = None  # standard form, or the other form if both are standard


@dataclass(frozen=True, slots=True)
class TextTokens:
    """A text and its tokens: token i is spelt `words[i]` and is `text[starts[i]:ends[i]]`."""

    text: str
    plain: str  # the text with blanks instead of addresses, telephone numbers and the like
    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    first: tuple[bool, ...]  # whether each token is the first of a sentence
    opens: tuple[bool, ...]  # whether a capital is usual there: after a bracket, a line break, ...

    def hit(
        self, category: str, i: int, last: int | None = None, *, intended: str | None = None
    ) -> Hit:
        """A hit from token i to token `last`, by default token i alone."""
        start, end = self.starts[i], self.ends[i if last is None else last]
        return Hit(start, end, category, self.text[start:end], intended)

    def hit_between(self, category: str, start: int, end: int) -> Hit:
        """A hit from character `start` to character `end`."""
        return Hit(start, end, category, self.text[start:end])

    def adjoins(self, i: int) -> bool:
        """Whether no space separates token i from the next token."""
        return i + 1 < len(self.words) and self.ends[i] == self.starts[i + 1]

    def neighbours(self) -> Iterator[tuple[int, int]]:
        """Indices of every two successive tokens of a sentence."""
        return ((i, i + 1) for i in range(len(self.words) - 1) if not self.first[i + 1])


def read_tokens(text: str, tokenised: Tokenised | None = None, *, document: int = 0) -> TextTokens:
    """Tokenise a text, unless it is a document of `tokenised`."""
    if tokenised is None:
        tokenised = tokenise([text])
    if tokenised.n_documents != 1:
        tokenised = tokenised.select(np.array([document]))
    words = tuple(tokenised.words())
    starts, ends = tuple(tokenised.starts.tolist()), tuple(tokenised.ends.tolist())
    begins = set(tokenised.sentences[:-1].tolist())
    first = [i in begins for i in range(len(words))]
    opens = list(first)
    for i, j in pairwise(range(len(words))):
        is_mark = opens[i] and not words[i][0].isalnum()
        opens[j] |= words[i] in _OPENING or is_mark or "\n" in text[ends[i] : starts[j]]
    plain = list(text)
    for word, start, end in zip(words, starts, ends, strict=True):
        if word in _MASKED:
            plain[start:end] = " " * (end - start)
    return TextTokens(text, "".join(plain), words, starts, ends, tuple(first), tuple(opens))


def is_capitalised(word: str) -> bool:
    """Whether the first letter of a word, but not every letter, is a capital, as in names."""
    return len(word) > 1 and word[0].isupper() and not word.isupper() and word.isalpha()
