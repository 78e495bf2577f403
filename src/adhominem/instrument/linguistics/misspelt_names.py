"""Names with a mistake: "Speilberg".

A word with a capital inside a sentence that no list has, and that a listed name misses by one easy
edit: letters doubled or not, two of them exchanged, in long names a wrong vowel. Real names that
are spelt almost like a more common one ("Daniele") are its mistakes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from adhominem.instrument.linguistics.edits import distance, one_edit
from adhominem.instrument.linguistics.hit import Hit
from adhominem.instrument.linguistics.lexicon import is_known, only_names
from adhominem.instrument.linguistics.words_read import WordsRead, is_capitalised

_FEWEST, _ENOUGH, _MOST = 7, 8, 25  # letters: at least, at least for a wrong vowel, at most
_NEAR, _DOUBLED = 0.6, 0.5  # one easy edit, and one in the doubling or order of letters


def find_misspelt_names(read: WordsRead) -> Iterator[Hit]:
    for i, word in enumerate(read.words):
        if is_capitalised(word) and not read.opens[i] and (meant := intended_name(word)):
            yield read.hit("misspelt proper noun", i, intended=meant)


@lru_cache(maxsize=100_000)
def intended_name(word: str) -> str | None:
    """The listed name that a word with a capital misses by one easy edit."""
    lower = word.lower()
    if not _FEWEST <= len(word) <= _MOST or not word.isascii() or is_known(lower):
        return None
    known = only_names()
    near = [
        (cost, known[other])
        for other in set(one_edit(lower))
        if other in known
        and other[-1] == lower[-1]
        and (cost := distance(lower, other)) <= (_NEAR if len(word) >= _ENOUGH else _DOUBLED)
    ]
    return min(near)[1] if near else None
