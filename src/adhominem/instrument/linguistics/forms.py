"""What is compared when two texts show the same habit: the habit alone, or the very form of it.

That both write "definately" says more than that both make mistakes. A form says nothing where the
topic chooses the word (names, acronyms) or where any word might stand (a capital too many, a verb
that comes first); there the habit alone is compared.
"""

from __future__ import annotations

import re

from adhominem.instrument.linguistics.hit import Hit

_BY_FORM = frozenset(
    (
        "punctuation mark",
        "special character",
        "substituted characters",
        "missing characters",
        "surplus characters",
        "faulty compound spelling",
        "faulty separate spelling",
        "abbreviation without full stop",
        "unusual abbreviation",
        "interjection",
        "slang",
        "alternative spelling",
        "neologism",
        "similar expression",
    )
)
_QUOTES = str.maketrans("’‘“”", "''\"\"")  # which of them is written, the keyboard decides
_DRAWN = re.compile(r"(.)\1{2,}", re.DOTALL)
_CLOSING = frozenset(")]}")  # they follow from the opening ones
_LONGEST = 40


def form_of(hit: Hit) -> str | None:
    """The form in small letters, drawn-out letters cut to three; None where it does not count."""
    if hit.category in ("accumulated punctuation", "accumulated special characters"):
        return _accumulated(hit.surface)
    if hit.category == "lower for upper case":
        return "i" if hit.surface == "i" else None
    if hit.category not in _BY_FORM or hit.surface in _CLOSING:
        return None
    form = " ".join(hit.surface.lower().translate(_QUOTES).split())
    return _DRAWN.sub(r"\1\1\1", form)[:_LONGEST]


def _accumulated(surface: str) -> str:
    """However long the run: ... for full stops, !! for exclamation marks, !? for a mixture."""
    marks = "".join(char for char in surface.replace("…", "...") if not char.isalnum())
    kinds = "".join(dict.fromkeys(marks.replace(" ", "").replace("\t", "")))
    return {".": "..."}.get(kinds, kinds * 2 if len(kinds) == 1 else "".join(sorted(kinds)))
