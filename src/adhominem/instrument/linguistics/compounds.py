"""Two words written as one ("alot", "ripoff") and one written as two ("story teller").

What the lists do not have is tried as two common words; what is one word is known by a list of
compounds that are seldom written apart. Compounds that follow no list ("lake view", "lakeview")
are beyond both.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from adhominem.instrument.linguistics.hit import Hit
from adhominem.instrument.linguistics.lexicon import COMMON, compounds, level, ranks, word_set
from adhominem.instrument.linguistics.words_read import WordsRead

_SHORT = word_set("a as at be by do go he if in is it me my no of on or so to up us we")
_FEWEST = 3  # letters of either word, if it is not one of the short ones


def find_faulty_separations(read: WordsRead) -> Iterator[Hit]:
    known = compounds()
    for i, j in read.neighbours():
        meant = known.get(f"{read.words[i].lower()} {read.words[j]}")
        if meant and read.text[read.ends[i] : read.starts[j]].isspace():
            yield read.hit("faulty separate spelling", i, j, intended=meant)


@lru_cache(maxsize=200_000)
def two_words(word: str) -> str | None:
    """The two common words that a word in lower case consists of, the rarer one as common as can
    be: light switches, not lights witches."""
    found = []
    for at in range(1, len(word)):
        first, second = word[:at], word[at:]
        if _is_part(first) and _is_part(second) and second != "a":
            found.append((max(ranks()[first], ranks()[second]), f"{first} {second}"))
    return min(found)[1] if found else None


def _is_part(word: str) -> bool:
    return word in _SHORT or (len(word) >= _FEWEST and level(word) <= COMMON)
