"""White space missing behind a mark or before a bracket: "book.5", "definitely(and".

Abbreviations ("U.S.", "a.m."), numbers and times have letters or digits on one side only, or too
few of them. An ellipsis that joins two words ("it...and") is an accumulation, not a lack.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from adhominem.instrument.linguistics.hit import Hit
from adhominem.instrument.linguistics.lexicon import STANDARD, level
from adhominem.instrument.linguistics.words_read import WordsRead

_PLACE = re.compile(
    r"""(?<![\w.&'/@-]) (?P<left>[^\W\d_]{2,30})
        (?P<mark> [.,;:!?)]["')]? | [!?]{2,9} | (?=\() )
        (?P<open>\(?) (?P<right>\w{1,30})""",
    re.VERBOSE,
)
_ENDINGS = frozenset(("s", "es", "ies", "d", "ed", "a", "er", "ers", "ren"))


def find_missing_spaces(read: WordsRead) -> Iterator[Hit]:
    for match in _PLACE.finditer(read.plain):
        left, right = match["left"], match["right"]
        if match["open"] and right in _ENDINGS:  # room(s)
            continue
        if match["mark"][:1] == "." and not _ends_a_sentence(left, right):
            continue
        if match["mark"] == ")" and read.plain[max(match.start() - 1, 0)] == "(":  # (rain)shower
            continue
        if match["mark"] == ":" and right[0].isdigit():
            continue
        yield read.stretch("missing white space", *match.span())


def _ends_a_sentence(left: str, right: str) -> bool:
    """A full stop also joins: initials, abbreviations, names of files."""
    if level(left.lower()) > STANDARD or left in ("No", "no", "Nos"):
        return False
    return (
        right[0].isdigit() or (len(right) > 1 and level(right.lower()) <= STANDARD) or right == "I"
    )
