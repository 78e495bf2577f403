"""The documentation site: what mkdocs is told about our pages and our docstrings.

Loaded by mkdocs as a hook and by mkdocstrings as an extension; see mkdocs.yml.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

_OUTSIDE = re.compile(r"\[([^\]]+)\]\((?:\.\./)+(?:src|ARCHITECTURE|README|CONTRIBUTING)[^)]*\)")
_FIELD = re.compile(r"(\w[\w, *]*?) {2,}(\S.*)")


def on_page_markdown(markdown: str, **_: Any) -> str:
    """The page without links to files of the repository, which the site does not have."""
    return _OUTSIDE.sub(r"\1", markdown)


class Docstrings(griffe.Extension):
    """Aligned columns "name   what it is" in a docstring become a list, examples become code."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = as_markdown(obj.docstring.value)


def as_markdown(docstring: str) -> str:
    """A docstring of this project as Markdown."""
    lines: list[str] = []
    in_field = False
    fenced = re.sub(r"(?m)^(>>> .*(?:\n.+)*)", r"```pycon\n\1\n```", docstring)
    for line in fenced.split("\n"):
        if found := _FIELD.fullmatch(line):
            lines += ([] if in_field else [""]) + [f"- `{found[1]}`: {found[2]}"]
            in_field = True
        elif in_field and line.startswith(" "):
            lines.append(f"  {line.strip()}")
        else:
            lines += [""] if in_field else []
            lines.append(line)
            in_field = False
    return "\n".join(lines)
