"""Regular forms of known words that no dictionary lists: "graspings", "yappiness", "chucker".

They are neither mistakes nor new. Endings before which mistakes are common (-ed, -ing, -ly:
"layed", "truely") are left to the spelling, and so are those that change the base ("balconys").
"""

from __future__ import annotations

from adhominem.instrument.linguistics.lexicon import RARE, level

_HISSING = ("s", "x", "z", "ch", "sh")


def is_regular_form(word: str) -> bool:
    if word.endswith("iness"):
        return _is_word(word.removesuffix("iness") + "y")
    if word.endswith(("er", "ers")):
        return _is_word(word.removesuffix("s").removesuffix("er"))
    one = word.removesuffix("s")
    changes = one.endswith(_HISSING) or (one.endswith("y") and one[-2:-1] not in "aeiou")
    return one != word and not changes and _is_word(one)


def _is_word(base: str) -> bool:
    return len(base) > 3 and level(base) <= RARE
