"""Punctuation marks and special characters, one at a time and accumulated.

Punctuation marks are commas, dashes, brackets, colons, quotation, exclamation and question marks.
The full stop is not counted, because every writer uses it. Special characters are all other signs,
emojis and emoticons included. Signs inside web and mail addresses, and signs that result from a
wrong decoding of the text ("donâ€™t"), are not counted.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from adhominem.instrument.linguistics.text_tokens import Hit, TextTokens
from adhominem.instrument.text.normalise import UNIVERSAL

# The same mark repeated, perhaps with spaces between, or exclamation and question marks mixed.
_REPEATED_MARK = re.compile(r"([.,;:!?–—-])(?:[ \t]?\1)+(?:[ \t]?[!?])*|[!?](?:[ \t]?[!?])+|…")
# The same character repeated, with the word that it is attached to: A++++++.
_REPEATED_SIGN = re.compile(r"\w{0,20}([&%#@*/\\+=<>|~^$£€])\1+")
_SIGNS_IN_PUNCTUATION = frozenset("&%#@*/\\_†‡§¶•")
_EMOTICON = re.compile(r"[:;=][-'^o]?[()\[\]DPpO/\\|*3]+|[(\[][-'^]?[:;=]|<3+|\^[_.]?\^")
_WRONGLY_DECODED = re.compile(r"[âÃÂ][^\w\s]{1,2}")


def find_marks(tokens: TextTokens) -> Iterator[Hit]:
    skipped = _characters(match.span() for match in _REPEATED_MARK.finditer(tokens.plain))
    for i, word in enumerate(tokens.words):
        if not (word[0].isalnum() or word[-1].isalnum() or _is_sign(word)):
            for place in range(tokens.starts[i], tokens.ends[i]):
                if _is_mark(tokens.text[place]) and place not in skipped:
                    yield tokens.hit_between("punctuation mark", place, place + 1)


def find_accumulated_marks(tokens: TextTokens) -> Iterator[Hit]:
    for match in _REPEATED_MARK.finditer(tokens.plain):
        yield tokens.hit_between("accumulated punctuation", *match.span())


def find_special_characters(tokens: TextTokens) -> Iterator[Hit]:
    skipped = _characters(match.span() for match in _WRONGLY_DECODED.finditer(tokens.text))
    skipped |= _characters(match.span() for match in _REPEATED_SIGN.finditer(tokens.plain))
    for i, word in enumerate(tokens.words):
        if word == "<emoji>" or _EMOTICON.fullmatch(word):
            yield tokens.hit("special character", i)
        elif not (word.isalnum() or _is_sign(word)):
            for place in range(tokens.starts[i], tokens.ends[i]):
                if _is_special(tokens.text[place]) and place not in skipped:
                    yield tokens.hit_between("special character", place, place + 1)


def find_accumulated_special_characters(tokens: TextTokens) -> Iterator[Hit]:
    for match in _REPEATED_SIGN.finditer(tokens.plain):
        yield tokens.hit_between("accumulated special characters", *match.span())


def _characters(spans: Iterable[tuple[int, int]]) -> set[int]:
    return {place for span in spans for place in range(*span)}


@lru_cache(maxsize=100_000)
def _is_sign(word: str) -> bool:
    """Whether several characters are one sign: an emoticon or an address."""
    return word in UNIVERSAL.values() or _EMOTICON.fullmatch(word) is not None


@cache
def _is_special(char: str) -> bool:
    return char in _SIGNS_IN_PUNCTUATION or unicodedata.category(char)[0] == "S"


@cache
def _is_mark(char: str) -> bool:
    return char != "." and unicodedata.category(char)[0] == "P" and not _is_special(char)
