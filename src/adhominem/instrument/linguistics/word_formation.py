"""Unlisted words that are formed of known words: regular forms and new formations.

Regular forms ("graspings", "yappiness", "chucker") are neither mistakes nor new. Endings before
which mistakes are frequent (-ed, -ing, -ly: "layed", "truely") or that change the base ("balconys")
are left to the spelling detector.

New formations are common words with a productive prefix or suffix. With the freest suffixes a word
is new even if large dictionaries list it ("cartoonish"); with the others it must be unlisted and
not a near miss of a listed word. Blends ("brunch") are not found.
"""

from __future__ import annotations

from functools import lru_cache

from adhominem.instrument.linguistics import lexicon
from adhominem.instrument.linguistics.lexicon import COMMON, RARE, level
from adhominem.instrument.linguistics.spelling import near_word

_SIBILANTS = ("s", "x", "z", "ch", "sh")
_FREEST = ("ish", "esque", "licious", "tastic", "aholic", "zilla", "fest", "athon")
_SUFFIXES = ("iness", "ness", "able", "ier", "iest", "less", "wise")
_PREFIXES = (
    *("un", "re", "pre", "non", "anti", "semi", "pseudo"),
    *("mini", "mega", "uber", "ultra", "hyper"),
)
_MIN_LETTERS = 4  # of the base


def is_regular_form(word: str) -> bool:
    if word.endswith("iness"):
        return _is_base(word.removesuffix("iness") + "y", RARE)
    if word.endswith(("er", "ers")):
        return _is_base(word.removesuffix("s").removesuffix("er"), RARE)
    one = word.removesuffix("s")
    changes = one.endswith(_SIBILANTS) or (one.endswith("y") and one[-2:-1] not in "aeiou")
    return one != word and not changes and _is_base(one, RARE)


@lru_cache(maxsize=200_000)
def is_new_formation(word: str) -> bool:
    word_level = level(word)
    if word_level < RARE or word in lexicon.only_names():
        return False
    bases = [word.removesuffix(suffix) for suffix in _FREEST if word.endswith(suffix)]
    if word_level > RARE and not lexicon.is_known(word):
        bases += [word.removesuffix(suffix) for suffix in _SUFFIXES if word.endswith(suffix)]
        bases = [base for base in bases if not base.endswith("y")]  # quirkyness is misspelt
        bases += [word.removeprefix(prefix) for prefix in _PREFIXES if word.startswith(prefix)]
        if word.endswith("y") and not _is_slip(word[:-1]):
            bases.append(word[:-1])
    is_formed = any(_is_base(base, COMMON) for base in bases)
    return is_formed and (word_level == RARE or near_word(word) in (None, *bases))


def _is_slip(base: str) -> bool:
    """Whether a final y is a mistake or part of -ly: particulary, noisey."""
    return base[-1] in "ely" or level(f"{base}ly") < lexicon.UNLISTED


def _is_base(base: str, max_level: int) -> bool:
    return len(base) >= _MIN_LETTERS and level(base) <= max_level
