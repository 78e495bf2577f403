"""White space missing after a mark or before a bracket: "book.5", "definitely(and".

Abbreviations ("U.S.", "a.m."), numbers and times have letters or digits on one side only, or too
few of them. An ellipsis that joins two words ("it...and") is accumulated punctuation instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from adhominem.instrument.linguistics.lexicon import STANDARD, level
from adhominem.instrument.linguistics.text_tokens import Hit, TextTokens

_JOINED = re.compile(
    r"""(?<![\w.&'/@-]) (?P<left>[^\W\d_]{2,30})
        (?P<mark> [.,;:!?)]["')]? | [!?]{2,9} | (?=\() )
        (?P<open>\(?) (?P<right>\w{1,30})""",
    re.VERBOSE,
)
_ENDINGS = frozenset(("s", "es", "ies", "d", "ed", "a", "er", "ers", "ren"))


def find_missing_spaces(tokens: TextTokens) -> Iterator[Hit]:
    for match in _JOINED.finditer(tokens.plain):
        mark, right = match["mark"], match["right"]
        is_usual = (
            (match["open"] and right in _ENDINGS)  # room(s)
            or (mark[:1] == "." and not _ends_sentence(match["left"], right))
            or (mark == ")" and tokens.plain[max(match.start() - 1, 0)] == "(")  # (rain)shower
            or (mark == ":" and right[0].isdigit())
        )
        if not is_usual:
            yield tokens.hit_between("missing white space", *match.span())


def _ends_sentence(left: str, right: str) -> bool:
    """Whether a full stop ends a sentence; it also joins initials, abbreviations and file names."""
    if level(left.lower()) > STANDARD or left in ("No", "no", "Nos"):
        return False
    is_word = len(right) > 1 and level(right.lower()) <= STANDARD
    return right[0].isdigit() or is_word or right == "I"
