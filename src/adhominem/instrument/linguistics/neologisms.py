"""New formations: a common word with a prefix or suffix that makes words on the spot.

"cartoonish" is in large dictionaries only; with the freest suffixes that is new enough. With the
others, and with prefixes, the word must be in no dictionary at all and no near miss of a word.
Blends ("brunch"), and new words that are built of nothing known, are beyond this detector.
"""

from __future__ import annotations

from functools import lru_cache

from adhominem.instrument.linguistics.lexicon import (
    COMMON,
    RARE,
    UNLISTED,
    is_known,
    level,
    only_names,
)
from adhominem.instrument.linguistics.spelling import near_word

_FREEST = ("ish", "esque", "licious", "tastic", "aholic", "zilla", "fest", "athon")
_SUFFIXES = ("iness", "ness", "able", "ier", "iest", "less", "wise")
_PREFIXES = (
    *("un", "re", "pre", "non", "anti", "semi", "pseudo"),
    *("mini", "mega", "uber", "ultra", "hyper"),
)
_FEWEST = 4  # letters of the base


@lru_cache(maxsize=200_000)
def is_new_formation(word: str) -> bool:
    known = level(word)
    if known < RARE or word in only_names():
        return False
    bases = [word.removesuffix(suffix) for suffix in _FREEST if word.endswith(suffix)]
    if known > RARE and not is_known(word):
        bases += [word.removesuffix(suffix) for suffix in _SUFFIXES if word.endswith(suffix)]
        bases = [base for base in bases if not base.endswith("y")]  # quirkyness is misspelt
        bases += [word.removeprefix(prefix) for prefix in _PREFIXES if word.startswith(prefix)]
        if word.endswith("y") and not _is_slip(word[:-1]):
            bases.append(word[:-1])
    return any(map(_is_base, bases)) and (known == RARE or near_word(word) in (None, *bases))


def _is_slip(base: str) -> bool:
    """Particulary, noisey: what looks like the ending -y is another, or a mistake."""
    return base[-1] in "ely" or level(f"{base}ly") < UNLISTED


def _is_base(base: str) -> bool:
    return len(base) >= _FEWEST and level(base) <= COMMON
