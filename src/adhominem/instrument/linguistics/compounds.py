"""Two words written as one ("alot", "ripoff") and one word written as two ("story teller").

An unlisted word is tried as two common words. A word written as two is found in a list of compounds
that are seldom written apart. Compounds that vary ("lake view", "lakeview") are not found.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from adhominem.instrument.linguistics.lexicon import COMMON, compounds, level, ranks, word_set
from adhominem.instrument.linguistics.text_tokens import Hit, TextTokens

_SHORT = word_set("a as at be by do go he if in is it me my no of on or so to up us we")
_MIN_LETTERS = 3  # of either word, unless it is one of the short ones


def find_faulty_separations(tokens: TextTokens) -> Iterator[Hit]:
    for i, j in tokens.neighbours():
        intended = compounds().get(f"{tokens.words[i].lower()} {tokens.words[j]}")
        if intended and tokens.text[tokens.ends[i] : tokens.starts[j]].isspace():
            yield tokens.hit("faulty separate spelling", i, j, intended=intended)


@lru_cache(maxsize=200_000)
def two_words(word: str) -> str | None:
    """Split a word in lower case into two common words, or return None.

    Of several splits the one with the more common rarer word is taken: light switches, not lights
    witches.
    """
    splits = [
        (max(ranks()[first], ranks()[second]), f"{first} {second}")
        for first, second in ((word[:at], word[at:]) for at in range(1, len(word)))
        if _is_part(first) and _is_part(second) and second != "a"
    ]
    return min(splits)[1] if splits else None


def _is_part(word: str) -> bool:
    return word in _SHORT or (len(word) >= _MIN_LETTERS and level(word) <= COMMON)
