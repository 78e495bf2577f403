"""Plain text: what a terminal can show safely, and tables in Markdown."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_WHITE_SPACE = re.compile(r"[ \t\r\n]+")
_CONTROL_CATEGORIES = ("Cc", "Cs", "Zl", "Zp")  # controls, surrogates, separators
_BIDIRECTIONAL = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)


def visible(text: str) -> str:
    """The text on one line, with an escape for every character that a terminal might act upon."""
    return "".join(map(_visible_character, _WHITE_SPACE.sub(" ", text)))


def _visible_character(character: str) -> str:
    if unicodedata.category(character) in _CONTROL_CATEGORIES or character in _BIDIRECTIONAL:
        return character.encode("unicode_escape").decode("ascii")
    return character


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table, the first column aligned to the left and the others to the right."""
    lines = [head, ["---", *["--:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def markdown_code(word: str) -> str:
    """A word as code in Markdown, whatever characters it contains."""
    fence = "``" if "`" in word else "`"
    pad = " " if "`" in word else ""
    return f"{fence}{pad}{visible(word)}{pad}{fence}".replace("|", "\\|")
