"""Words of other languages inside an English text.

Three kinds: words of a list (everyday words of French, German, Italian, Spanish and a few more);
loan words that English writes with accents, written with or without them ("cloisonne"); and words
in letters that English has not. Names keep their capital and are not looked at.
"""

from __future__ import annotations

import unicodedata

from adhominem.instrument.linguistics.lexicon import accented, level, without_accents, words_of

_AT_HOME = 50  # the level up to which a loan word is English by now: cafe, café, decor


def is_foreign(word: str) -> bool:
    if word in words_of("foreign"):
        return True
    plain = without_accents(word)
    known = min(level(form) for form in (plain, accented().get(plain, plain)))
    if word.isascii():
        return word in accented() and known > _AT_HOME and not _is_plural_at_home(word)
    return len(word) > 1 and known > _AT_HOME and _is_of_one_script(word)


def _is_plural_at_home(word: str) -> bool:
    one = word.removesuffix("s")
    return min(level(one), level(accented().get(one, one))) <= _AT_HOME


def _is_of_one_script(word: str) -> bool:
    """Letters of several scripts in one word come from a text that was decoded wrongly."""
    return len({unicodedata.name(char, "?").split()[0] for char in word}) == 1


def with_accents(word: str) -> str | None:
    return accented().get(word)
