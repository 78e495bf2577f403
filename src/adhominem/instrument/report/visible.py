"""Text that a terminal can only show, not obey."""

from __future__ import annotations

import re
import unicodedata

_BREAKS = re.compile(r"[ \t\r\n]+")
_CONTROL_CATEGORIES = ("Cc", "Cs", "Zl", "Zp")  # controls, surrogates, separators
_BIDIRECTIONAL = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)


def visible(text: str) -> str:
    """On one line, every character that a terminal might act upon written as an escape."""
    return "".join(map(_visible_character, _BREAKS.sub(" ", text)))


def _visible_character(character: str) -> str:
    if unicodedata.category(character) in _CONTROL_CATEGORIES or character in _BIDIRECTIONAL:
        return character.encode("unicode_escape").decode("ascii")
    return character
