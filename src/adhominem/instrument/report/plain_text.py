"""Text that is safe for a terminal, and Markdown."""

import re
from collections.abc import Sequence

_WHITE_SPACE = re.compile(r"[ \t\r\n]+")
# Control characters, separators, marks of writing direction, surrogates.
_UNSAFE = "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"


def visible(text: str) -> str:
    """The text on one line, with characters that a terminal might act upon escaped."""
    return _escaped(_WHITE_SPACE.sub(" ", text))


def visible_lines(text: str) -> str:
    """`visible` for a text of several lines; keeps line breaks and spaces."""
    return "\n".join(map(_escaped, text.split("\n")))


def _escaped(text: str) -> str:
    return re.sub(_UNSAFE, lambda found: found[0].encode("unicode_escape").decode(), text)


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; the first column is aligned left, the others right."""
    lines = [head, ["---", *["--:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def markdown_code(word: str) -> str:
    """A word as code in Markdown, also with backticks and bars."""
    fences = ("`` ", " ``") if "`" in word else ("`", "`")
    return visible(word).join(fences).replace("|", "\\|")
