"""The form of a hit: the way it is written, without differences that say nothing about the writer.

That both texts write "definately" says more than that both contain mistakes. Each category names
the function that makes its forms (`categories.py`). Categories whose words depend on the topic
(names, acronyms) or can be any word (a verb in first position) have no forms.
"""

from __future__ import annotations

import re

_QUOTES = str.maketrans("’‘“”", "''\"\"")  # the keyboard decides which one is written
_DRAWN = re.compile(r"(.)\1{2,}", re.DOTALL)
_CLOSING = frozenset(")]}")  # implied by the opening brackets
_MAX_LENGTH = 40


def word_form(surface: str) -> str | None:
    """A word or mark in small letters, with drawn-out letters reduced to three."""
    if surface in _CLOSING:
        return None
    form = " ".join(surface.lower().translate(_QUOTES).split())
    return _DRAWN.sub(r"\1\1\1", form)[:_MAX_LENGTH]


def run_form(surface: str) -> str:
    """A run of marks, whatever its length: ... for full stops, !! for exclamation marks, !? for a
    mixture."""
    marks = "".join(char for char in surface.replace("…", "...") if not char.isalnum())
    kinds = "".join(dict.fromkeys(marks.replace(" ", "").replace("\t", "")))
    return {".": "..."}.get(kinds, kinds * 2 if len(kinds) == 1 else "".join(sorted(kinds)))


def pronoun_form(surface: str) -> str | None:
    """The pronoun i in small letters, the only word without its capital that is a form."""
    return "i" if surface == "i" else None
