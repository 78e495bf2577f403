"""Capital letters: missing ones, and words in capitals throughout.

Missing at "i", at the beginning of a sentence (after an ellipsis nobody knows whether one begins)
and at names that are no ordinary words. Superfluous ones are in `names.py`, where they must be
told from names.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby

from adhominem.instrument.linguistics.hit import Hit
from adhominem.instrument.linguistics.lexicon import STANDARD, level, only_names, word_set, words_of
from adhominem.instrument.linguistics.words_read import WordsRead

_CALENDAR = word_set(
    "monday tuesday wednesday thursday friday saturday sunday january february april june july "
    "august september october november december christmas easter american english german "
    "italian spanish european british chinese japanese mexican"
)
_ENDS = frozenset(".!?")


def find_lower_for_upper(read: WordsRead) -> Iterator[Hit]:
    for i, word in enumerate(read.words):
        if not word.islower() or not word.isalpha():
            continue
        if word == "i" or word in _CALENDAR or _begins_sentence(read, i):
            yield read.hit("lower for upper case", i, intended=word[0].upper() + word[1:])
        elif len(word) > 3 and word in only_names() and word not in words_of("name_nouns"):
            yield read.hit("lower for upper case", i, intended=only_names()[word])


def _begins_sentence(read: WordsRead, i: int) -> bool:
    if not read.first[i] or read.words[i][0] == read.words[i][0].upper():
        return False
    return i == 0 or (read.words[i - 1] in _ENDS and not _is_shortened(read, i - 2))


def _is_shortened(read: WordsRead, i: int) -> bool:
    """A full stop behind an abbreviation or a number ends no sentence."""
    return i >= 0 and (f"{read.words[i]}." in words_of("full_stops") or read.words[i][-1].isdigit())


def find_continuous_capitals(read: WordsRead) -> Iterator[Hit]:
    """A run of words in capitals of which at least one is no acronym."""
    upper = [i for i, word in enumerate(read.words) if word.isalpha() and word.isupper()]
    for _, run in groupby(enumerate(upper), key=lambda item: item[1] - item[0]):
        places = [i for _, i in run]
        shouted = [i for i in places if is_shouted(read.words[i])]
        if shouted:
            last = shouted[-1]
            first = next(i for i in places if len(read.words[i]) > 1 or i == shouted[0])
            yield read.hit("continuous capitals", first, last)


@lru_cache(maxsize=100_000)
def is_shouted(word: str) -> bool:
    """An ordinary word in capitals: longer than an acronym, or too common to be one."""
    if not word.isupper() or word in words_of("short"):
        return False
    known = level(word.lower())
    return (len(word) > 3 and known <= STANDARD) or (len(word) == 3 and known == 10)
