"""The tokens of chunks: runs of characters between two spaces.

spaCy's blank English tokenizer divides each distinct chunk once, on its own, and the result is
remembered; so the tokens of a text do not depend on texts read before. spaCy takes a second to load
and is loaded for the first chunk that needs it.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

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
    """A memory of chunks and their tokens. White space alone counts as a token, because a mark ends
    a sentence before it.

    tokens   tokens of each chunk
    kinds    kind of each token: IS_PUNCTUATION, IS_MARK, IS_SPACE, IS_BLANK_LINE or 0
    """

    def __init__(self) -> None:
        self._words: dict[int, str] = {}  # by spaCy's number
        self.tokens: dict[str, tuple[str, ...]] = {SPACE: (SPACE,), BLANK_LINE: (BLANK_LINE,)}
        self.kinds = {
            **{SPACE: IS_SPACE, BLANK_LINE: IS_BLANK_LINE},
            **{",": IS_PUNCTUATION, ".": IS_MARK},
        }

    def learn(self, chunks: Iterable[str]) -> None:
        """Divides the chunks that are not in the memory yet."""
        new = list({chunk.lstrip("\n"): None for chunk in chunks if chunk not in self.tokens})
        for chunk in new:
            if not self._is_plain(chunk):
                read = self._english.tokenizer(chunk)
                numbers = read.to_array("ORTH").tolist()
                self.tokens[chunk] = tuple(
                    self._words.get(n) or self._word(read, n) for n in numbers
                )
        for chunk in chunks:
            if chunk not in self.tokens:
                self.tokens[chunk] = (BLANK_LINE, *self.tokens[chunk.lstrip("\n")])

    def _is_plain(self, chunk: str) -> bool:
        """Whether a chunk is a word of letters, perhaps with a comma or full stop behind it. The
        tokenizer divides such words by its list of exceptions only, so it need not be called; the
        tokens are stored here."""
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
        """The token with this number in spaCy's string store; stores it with its kind."""
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
    """spaCy's blank English pipeline. Its import would load torch if that is installed, which takes
    seconds and is of no use here; unless torch is loaded already, it is hidden meanwhile."""
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
    """The memory of this process."""
    return Chunks()
