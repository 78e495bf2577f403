"""Tables as Markdown, which reads well on a terminal too."""

from __future__ import annotations

from collections.abc import Sequence

from adhominem.instrument.report.visible import visible


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The first column to the left, the others to the right."""
    lines = [head, ["---", *["--:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def code(word: str) -> str:
    """A word of a text, which nothing in it can get out of."""
    fence = "``" if "`" in word else "`"
    pad = " " if "`" in word else ""
    return f"{fence}{pad}{visible(word)}{pad}{fence}".replace("|", "\\|")
