"""Keyword in context: a stretch of a text with a little of what stands around it."""

from __future__ import annotations

import re
from dataclasses import dataclass

_FIRST_BROKEN_WORD = re.compile(r"^\S*\s")
_LAST_BROKEN_WORD = re.compile(r"\s\S*$")
_LONGEST = 40  # characters of the stretch itself


@dataclass(frozen=True, slots=True)
class Context:
    before: str
    own: str
    after: str


def in_context(text: str, start: int, end: int, *, around: int = 20) -> Context:
    """At most `around` characters on either side, words whole where there is a space."""
    before = text[max(start - around, 0) : start]
    if start > around:
        before = "…" + _FIRST_BROKEN_WORD.sub("", before)
    after = text[end : end + around]
    if end + around < len(text):
        after = _LAST_BROKEN_WORD.sub("", after) + "…"
    own = text[start:end]
    if len(own) > _LONGEST:
        own = own[:_LONGEST] + "…"
    return Context(before, own, after)
