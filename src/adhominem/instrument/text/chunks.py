"""What each distinct chunk, a run of characters between two spaces, is made of.

spaCy's blank English tokenizer says what a token is. It looks at one chunk at a time, so each is
shown to it once and remembered. spaCy takes a second to load and is loaded for the first chunk
that is not known.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from adhominem.instrument.text.normalise import UNIVERSAL
from adhominem.instrument.text.vocabulary import RESERVED_WORDS

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

SPACE, BLANK_LINE = "", "\n"  # tokens that stand for white space and are no words
IS_PUNCTUATION, IS_MARK, IS_SPACE, IS_BLANK_LINE = 1, 2, 4, 12  # kinds of words; 0 is the rest


@dataclass(frozen=True, slots=True)
class _English:
    tokenizer: Any
    marks: frozenset[str]  # that end a sentence
    exceptions: frozenset[str]


class Chunks:
    """The tokens of each distinct chunk; white space alone is a token as well, because a mark
    ends a sentence before it."""

    def __init__(self) -> None:
        self._words: dict[int, str] = {}  # by spaCy's number
        self.tokens: dict[str, tuple[str, ...]] = {SPACE: (SPACE,), BLANK_LINE: (BLANK_LINE,)}
        self.kinds = {
            **{SPACE: IS_SPACE, BLANK_LINE: IS_BLANK_LINE},
            **{",": IS_PUNCTUATION, ".": IS_MARK},
        }

    def learn(self, chunks: Iterable[str]) -> None:
        new = list({chunk.lstrip("\n"): None for chunk in chunks if chunk not in self.tokens})
        hard = [chunk for chunk in new if not self._is_plain(chunk)]
        if hard:
            read = self._english.tokenizer(" ".join(hard))
            columns = read.to_array(["ORTH", "SPACY"])
            words = [self._words.get(n) or self._word(read, n) for n in columns[:, 0].tolist()]
            ends = np.append(np.flatnonzero(columns[:, 1]) + 1, len(words)).tolist()
            for chunk, (start, end) in zip(hard, pairwise([0, *ends]), strict=True):
                self.tokens[chunk] = tuple(words[start:end])
        for chunk in chunks:
            if chunk not in self.tokens:
                self.tokens[chunk] = (BLANK_LINE, *self.tokens[chunk.lstrip("\n")])

    def _is_plain(self, chunk: str) -> bool:
        """Letters alone, perhaps with a comma or full stop behind them: the tokenizer has no rule
        that divides such a word but its list of exceptions, and need not be asked."""
        mark = chunk[-1:] if chunk[-1:] in (",", ".") else ""
        word = chunk[: len(chunk) - len(mark)]
        if (
            not (word.isascii() and word.isalpha())
            or (mark and (len(word) < 2 or not word[-1].islower()))
            or chunk in self._english.exceptions
            or word in self._english.exceptions
        ):
            return False
        self.tokens[chunk] = (word, mark) if mark else (word,)
        self.kinds.setdefault(word, 0)
        return True

    def _word(self, read: Doc, number: int) -> str:
        """A word that is met for the first time."""
        text = read.vocab.strings[number]
        # A text may spell a reserved word, and in odd places the tokenizer leaves it whole.
        spelt = f"\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}{text[1:]}"
        word = UNIVERSAL.get(text, spelt if text in RESERVED_WORDS else text)
        self._words[number] = word
        if text in self._english.marks or (text.startswith("..") and not text.strip(".")):
            self.kinds[word] = IS_MARK
        else:
            is_punctuation = all(unicodedata.category(char)[0] == "P" for char in text)
            self.kinds[word] = IS_PUNCTUATION if is_punctuation else 0
        return word

    @cached_property
    def _english(self) -> _English:
        nlp = _blank_english()
        marks = nlp.add_pipe("sentencizer").punct_chars  # type: ignore[attr-defined]
        # Shapes, prefixes and the like of every new word take longer than to find the word.
        nlp.vocab.lex_attr_getters.clear()  # type: ignore[attr-defined]
        rules = nlp.tokenizer.rules  # type: ignore[union-attr]
        return _English(nlp.tokenizer, frozenset(marks), frozenset(rules))


def _blank_english() -> Language:
    """spaCy imports torch where it can, which takes seconds and a quarter of a gigabyte and is of
    no use here: unless torch is there already, it is hidden meanwhile."""
    hidden = "torch" not in sys.modules
    if hidden:
        sys.modules["torch"] = None  # type: ignore[assignment]
    try:
        import spacy
    finally:
        if hidden:
            del sys.modules["torch"]
    return spacy.blank("en")


@cache
def known_chunks() -> Chunks:
    """Those that this process has met."""
    return Chunks()
