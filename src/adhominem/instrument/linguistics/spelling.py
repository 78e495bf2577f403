"""The word that was meant by one that is in no list.

Candidates are the common words one edit away, and those with the same consonants: most mistakes
concern vowels and doubled letters, in any number ("deffinatly"). The nearest one is taken if it
is near enough for the length of the word; a more common word may be a little farther. Two wrong
consonants are beyond it, and so is a mistake that gives another word ("form" for "from").
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache, lru_cache
from math import log10

from adhominem.instrument.linguistics.edits import OTHER, VOWELS, distance, one_edit
from adhominem.instrument.linguistics.lexicon import levels, ranks

_LIKELY = 55  # the level up to which a word is taken to be meant
_COMMON, _EASY = 50, 0.6  # a word beyond this level must be this near
_ENDINGS = ("s", "y", "o", "a")  # what is longer by one of these is another form, not a slip
_COMMONNESS = 0.3  # what a word ten times as far down the list must be nearer


@lru_cache(maxsize=200_000)
def intended_word(word: str) -> str | None:
    """For a word in lower case that is no word; None where nothing is near enough."""
    if not (4 <= len(word) <= 25 and word.isascii() and word.isalpha()):
        return None
    known = levels()
    candidates = {other for other in one_edit(word) if known.get(other, 99) <= _LIKELY}
    candidates.update(_by_consonants().get(_consonants(word), ()))
    candidates.difference_update(word.removesuffix(ending) for ending in _ENDINGS)
    near = [
        (cost + _COMMONNESS * log10(ranks()[other]), other)
        for other in candidates
        if (cost := distance(word, other)) <= _limit(word, known[other])
    ]
    return min(near)[1] if near else None


@lru_cache(maxsize=200_000)
def near_word(word: str) -> str | None:
    """The word that was meant, if it is one edit away."""
    meant = intended_word(word)
    return meant if meant and distance(word, meant) <= OTHER else None


def _limit(word: str, level: int) -> float:
    """Long words bear more mistakes, and so do common ones."""
    if len(word) < 5:
        return {10: 0.7, 20: 0.5}.get(level, 0.4)
    most = {5: 0.8, 6: 0.8, 7: 1.0}.get(len(word), 0.2 * len(word))
    return most if level <= _COMMON else min(most, _EASY)


@cache
def _by_consonants() -> Mapping[str, tuple[str, ...]]:
    found = defaultdict(list)
    for word, level in levels().items():
        if level <= _LIKELY and len(word) > 4:
            found[_consonants(word)].append(word)
    return {key: tuple(words) for key, words in found.items()}


def _consonants(word: str) -> str:
    """First letter and further consonants in the order of the alphabet, each of them once."""
    return word[0] + "".join(sorted(set(word[1:]) - VOWELS))
