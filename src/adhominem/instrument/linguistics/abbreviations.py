"""Acronyms ("TV", "U.S.", "lol") and abbreviations without their full stop ("Mr Rochester").

Acronyms are words of initials in capitals, and those of chats in any case. Roman numerals are not
acronyms, and words in capitals that are in the dictionary are emphasis. Next to words in capitals
throughout only the listed acronyms are found. British usage drops the full stop of "Mr" and "Dr";
that is a habit too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from adhominem.instrument.linguistics.capitals import is_shouted
from adhominem.instrument.linguistics.lexicon import STANDARD, level, words_of
from adhominem.instrument.linguistics.text_tokens import Hit, TextTokens

_INITIALS = re.compile(r"[A-Z]{2,5}s?|(?:[A-Z]\.){2,5}|[A-Z]&[A-Z]s?|[A-Z]/[A-Z]")
_ROMAN = re.compile(r"M{0,3}(?:C[MD]|D?C{0,3})(?:X[CL]|L?X{0,3})(?:I[XV]|V?I{0,3})")
_ORDINARY_WORDS = frozenset(("OK", "AM", "PM", "NO", "SO"))


def find_acronyms(tokens: TextTokens) -> Iterator[Hit]:
    shouted = {i for i, word in enumerate(tokens.words) if is_shouted(word)}
    for i, word in enumerate(tokens.words):
        is_initials = (
            _INITIALS.fullmatch(word)
            and not _ROMAN.fullmatch(word)
            and word not in _ORDINARY_WORDS
            and (level(word.lower()) > STANDARD or word in words_of("short"))
            and not shouted & {i - 1, i, i + 1}
        )
        if is_initials or word.lower() in words_of("acronyms"):
            yield tokens.hit("acronym", i)


def find_abbreviations_without_stop(tokens: TextTokens) -> Iterator[Hit]:
    for i, word in enumerate(tokens.words):
        intended = f"{word}."
        following = tokens.text[tokens.ends[i] : tokens.ends[i] + 1]
        if intended in words_of("full_stops") and following != ".":
            yield tokens.hit("abbreviation without full stop", i, intended=intended)
