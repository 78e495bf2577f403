"""Plain text: what a terminal can show safely, and tables in Markdown."""

import re
from collections.abc import Sequence

_WHITE_SPACE = re.compile(r"[ \t\r\n]+")
_ACTED_UPON = re.compile(  # controls, separators, signs of direction, surrogates
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def visible(text: str) -> str:
    """The text on one line, with an escape for every character that a terminal might act upon."""
    return _escaped(_WHITE_SPACE.sub(" ", text))


def visible_lines(text: str) -> str:
    """The same for a text of several lines, whose line breaks and spaces are kept."""
    return "\n".join(map(_escaped, text.split("\n")))


def _escaped(text: str) -> str:
    return _ACTED_UPON.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table, the first column aligned to the left and the others to the right."""
    lines = [head, ["---", *["--:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def markdown_code(word: str) -> str:
    """A word as code in Markdown, whatever characters it contains."""
    fence = "``" if "`" in word else "`"
    pad = " " if "`" in word else ""
    return f"{fence}{pad}{visible(word)}{pad}{fence}".replace("|", "\\|")
