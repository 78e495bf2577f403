"""Acronyms: words of initials, in capitals ("TV", "U.S."), and those of chats in any case.

Roman numerals are none, and a word in capitals that is in the dictionary is emphasis. In a text
all in capitals nothing can be told, so only the listed ones are found there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from adhominem.instrument.linguistics.capitals import is_shouted
from adhominem.instrument.linguistics.hit import Hit
from adhominem.instrument.linguistics.lexicon import STANDARD, level, words_of
from adhominem.instrument.linguistics.words_read import WordsRead

_INITIALS = re.compile(r"[A-Z]{2,5}s?|(?:[A-Z]\.){2,5}|[A-Z]&[A-Z]s?|[A-Z]/[A-Z]")
_ROMAN = re.compile(r"M{0,3}(?:C[MD]|D?C{0,3})(?:X[CL]|L?X{0,3})(?:I[XV]|V?I{0,3})")
_NO_WORDS = frozenset(("OK", "AM", "PM", "NO", "SO"))


def find_acronyms(read: WordsRead) -> Iterator[Hit]:
    chat = words_of("acronyms")
    shouted = {i for i, word in enumerate(read.words) if is_shouted(word)}
    for i, word in enumerate(read.words):
        is_initials = (
            _INITIALS.fullmatch(word)
            and not _ROMAN.fullmatch(word)
            and word not in _NO_WORDS
            and (level(word.lower()) > STANDARD or word in words_of("short"))
            and not shouted & {i - 1, i, i + 1}
        )
        if is_initials or word.lower() in chat:
            yield read.hit("acronym", i)
