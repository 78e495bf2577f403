"""Capital letters: missing ones, words in capitals throughout, acronyms and abbreviations.

A capital is missing in "i", at the beginning of a sentence (not after an ellipsis, which may not
end one) and in names that are not ordinary words. Superfluous capitals are found in `names.py`.

Acronyms ("TV", "U.S.") are words of initials in capitals, and those of chats ("lol") in any case.
Roman numerals are not acronyms, and words in capitals that are in the dictionary are emphasis. Next
to words in capitals throughout only the listed acronyms are found. British usage drops the full
stop of "Mr" and "Dr"; that is a habit too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby

from adhominem.instrument.linguistics.lexicon import STANDARD, level, only_names, words_of
from adhominem.instrument.linguistics.text_tokens import Hit, TextTokens

_CALENDAR = words_of("calendar")
_ENDS = frozenset(".!?")
_INITIALS = re.compile(r"[A-Z]{2,5}s?|(?:[A-Z]\.){2,5}|[A-Z]&[A-Z]s?|[A-Z]/[A-Z]")
_ROMAN = re.compile(r"M{0,3}(?:C[MD]|D?C{0,3})(?:X[CL]|L?X{0,3})(?:I[XV]|V?I{0,3})")
_ORDINARY_WORDS = frozenset(("OK", "AM", "PM", "NO", "SO"))


def find_lower_for_upper(tokens: TextTokens) -> Iterator[Hit]:
    for i, word in enumerate(tokens.words):
        if not word.islower() or not word.isalpha():
            continue
        if word == "i" or word in _CALENDAR or _begins_sentence(tokens, i):
            yield tokens.hit("lower for upper case", i, intended=word[0].upper() + word[1:])
        elif len(word) > 3 and word in only_names() and word not in words_of("name_nouns"):
            yield tokens.hit("lower for upper case", i, intended=only_names()[word])


def _begins_sentence(tokens: TextTokens, i: int) -> bool:
    """Whether a token begins a sentence; abbreviations and numbers may precede an inner stop."""
    words = tokens.words
    if not tokens.first[i] or words[i][0] == words[i][0].upper():
        return False
    if i < 2:
        return i == 0 or words[0] in _ENDS
    has_inner_stop = f"{words[i - 2]}." in words_of("full_stops") or words[i - 2][-1].isdigit()
    return words[i - 1] in _ENDS and not has_inner_stop


def find_continuous_capitals(tokens: TextTokens) -> Iterator[Hit]:
    """Runs of words in capitals of which at least one is not an acronym."""
    upper = [i for i, word in enumerate(tokens.words) if word.isalpha() and word.isupper()]
    for _, group in groupby(enumerate(upper), key=lambda item: item[1] - item[0]):
        run = [i for _, i in group]
        shouted = [i for i in run if _is_shouted(tokens.words[i])]
        if shouted:
            first = next(i for i in run if len(tokens.words[i]) > 1 or i == shouted[0])
            yield tokens.hit("continuous capitals", first, shouted[-1])


@lru_cache(maxsize=100_000)
def _is_shouted(word: str) -> bool:
    """Whether an ordinary word is in capitals: longer than an acronym, or too common to be one."""
    if not word.isupper() or word in words_of("short"):
        return False
    word_level = level(word.lower())
    return (len(word) > 3 and word_level <= STANDARD) or (len(word) == 3 and word_level == 10)


def find_acronyms(tokens: TextTokens) -> Iterator[Hit]:
    shouted = {i for i, word in enumerate(tokens.words) if _is_shouted(word)}
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
        if intended in words_of("full_stops") and not tokens.text.startswith(".", tokens.ends[i]):
            yield tokens.hit("abbreviation without full stop", i, intended=intended)
