"""Missing capital letters, and words in capitals throughout.

A capital is missing in "i", at the beginning of a sentence (not after an ellipsis, which may not
end one) and in names that are not ordinary words. Superfluous capitals are found in `names.py`,
where names are told apart from them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby

from adhominem.instrument.linguistics.lexicon import STANDARD, level, only_names, word_set, words_of
from adhominem.instrument.linguistics.text_tokens import Hit, TextTokens

_CALENDAR = word_set(
    "monday tuesday wednesday thursday friday saturday sunday january february april june july "
    "august september october november december christmas easter american english german "
    "italian spanish european british chinese japanese mexican"
)
_ENDS = frozenset(".!?")


def find_lower_for_upper(tokens: TextTokens) -> Iterator[Hit]:
    for i, word in enumerate(tokens.words):
        if not word.islower() or not word.isalpha():
            continue
        if word == "i" or word in _CALENDAR or _begins_sentence(tokens, i):
            yield tokens.hit("lower for upper case", i, intended=word[0].upper() + word[1:])
        elif len(word) > 3 and word in only_names() and word not in words_of("name_nouns"):
            yield tokens.hit("lower for upper case", i, intended=only_names()[word])


def _begins_sentence(tokens: TextTokens, i: int) -> bool:
    if not tokens.first[i] or tokens.words[i][0] == tokens.words[i][0].upper():
        return False
    return i == 0 or (tokens.words[i - 1] in _ENDS and not _has_inner_stop(tokens, i - 2))


def _has_inner_stop(tokens: TextTokens, i: int) -> bool:
    """Whether a full stop after token i need not end a sentence: abbreviations and numbers."""
    if i < 0:
        return False
    return f"{tokens.words[i]}." in words_of("full_stops") or tokens.words[i][-1].isdigit()


def find_continuous_capitals(tokens: TextTokens) -> Iterator[Hit]:
    """Runs of words in capitals of which at least one is not an acronym."""
    upper = [i for i, word in enumerate(tokens.words) if word.isalpha() and word.isupper()]
    for _, group in groupby(enumerate(upper), key=lambda item: item[1] - item[0]):
        run = [i for _, i in group]
        shouted = [i for i in run if is_shouted(tokens.words[i])]
        if shouted:
            first = next(i for i in run if len(tokens.words[i]) > 1 or i == shouted[0])
            yield tokens.hit("continuous capitals", first, shouted[-1])


@lru_cache(maxsize=100_000)
def is_shouted(word: str) -> bool:
    """Whether an ordinary word is in capitals: longer than an acronym, or too common to be one."""
    if not word.isupper() or word in words_of("short"):
        return False
    word_level = level(word.lower())
    return (len(word) > 3 and word_level <= STANDARD) or (len(word) == 3 and word_level == 10)
