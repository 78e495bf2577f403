"""Words of other languages inside an English text.

There are three kinds: listed everyday words of French, German, Italian, Spanish and other
languages; loan words that English writes with accents, with or without them ("cloisonne"); and
words in letters that English does not have. Capitalised words are names and are not considered.
"""

from __future__ import annotations

import unicodedata

from adhominem.instrument.linguistics.lexicon import accented, level, without_accents, words_of

_NATURALISED = 50  # level up to which a loan word is English: cafe, café, decor


def is_foreign(word: str) -> bool:
    if word in words_of("foreign"):
        return True
    plain = without_accents(word)
    if _level(plain) <= _NATURALISED:
        return False
    if word.isascii():
        return word in accented() and _level(word.removesuffix("s")) > _NATURALISED
    # Letters of several scripts in one word result from a wrong decoding.
    scripts = {unicodedata.name(char, "?").split()[0] for char in word}
    return len(word) > 1 and len(scripts) == 1


def _level(word: str) -> int:
    """The level of a word without accents, or of its spelling with accents if that is lower."""
    return min(level(word), level(accented().get(word, word)))
