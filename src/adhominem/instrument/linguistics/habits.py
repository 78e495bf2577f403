"""The categories of linguistic habits and the search for all habits of a text.

`data/categories.csv` has a row for each category of the paper's section IV-E and for non-standard
grammar. It names a detector, a function in this folder that yields hits for the tokens of a text.

The form of a hit is the way it is written, without differences that say nothing about the writer.
Categories whose words depend on the topic (names) or can be any word (verbs) have no forms.
"""

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from importlib.resources import files
from pkgutil import resolve_name

from adhominem.instrument.linguistics.text_tokens import Hit, TextTokens, read_tokens
from adhominem.instrument.text.tokenised import Tokenised

_QUOTES = str.maketrans("’‘“”", "''\"\"")  # the keyboard decides which one is written
_DRAWN = re.compile(r"(.)\1{2,}", re.DOTALL)
_CLOSING = frozenset(")]}")  # implied by the opening brackets
_MAX_LENGTH = 40


@dataclass(frozen=True, slots=True)
class Category:
    """A category of linguistic habits. It is experimental, and no evidence, until hits were judged
    by hand and seven in ten were right (`results/detector-precision.json`), and until it was
    counted in the reference texts."""

    name: str
    group: str  # heading in section IV-E of the paper
    description: str  # what it is, in one line
    example: str  # a text that contains it
    form: Callable[[str], str | None] | None  # of a hit; None if only the category is compared
    edit: str | None  # the kind of edit that corrects a hit (`rewrites.py`), if there is one
    is_mistake: bool  # whether hits are mistakes that can be repeated
    is_frequent: bool  # whether hits are too frequent to be numbered in a report
    experimental: bool
    detector: Callable[[TextTokens], Iterable[Hit]] | None  # None if hits follow from others


def word_form(surface: str) -> str | None:
    """A word or mark in small letters, with drawn-out letters reduced to three."""
    if surface in _CLOSING:
        return None
    form = " ".join(surface.lower().translate(_QUOTES).split())
    return _DRAWN.sub(r"\1\1\1", form)[:_MAX_LENGTH]


def run_form(surface: str) -> str:
    """A run of marks of any length: ... for full stops, !! for one mark, !? for a mixture."""
    marks = "".join(char for char in surface.replace("…", "...") if not char.isalnum())
    kinds = "".join(dict.fromkeys(marks.replace(" ", "").replace("\t", "")))
    return {".": "..."}.get(kinds, kinds * 2 if len(kinds) == 1 else "".join(sorted(kinds)))


_FORMS: dict[str, Callable[[str], str | None]] = {
    "word": word_form,
    "run": run_form,
    "pronoun": {"i": "i"}.get,  # the only word without its capital that is a form
}


def _read_categories() -> Iterator[Category]:
    table = (files(__package__) / "data" / "categories.csv").read_text(encoding="utf-8")
    for row in csv.DictReader(table.splitlines()):
        form, edit, marks, detector = (
            row.pop(key) for key in ("form", "edit", "marks", "detector")
        )
        yield Category(
            **row,
            form=_FORMS.get(form),
            edit=edit or None,
            is_mistake="mistake" in marks,
            is_frequent="frequent" in marks,
            experimental="experimental" in marks,
            detector=resolve_name(f"{__package__}.{detector}") if detector else None,
        )


CATEGORIES = tuple(_read_categories())
CATEGORY = {category.name: category for category in CATEGORIES}
_DETECTORS = [*dict.fromkeys(c.detector for c in CATEGORIES if c.detector)]


@dataclass(frozen=True, slots=True)
class Habits:
    """The hits of one text, sorted by position, and its number of tokens."""

    hits: tuple[Hit, ...]
    n_tokens: int


def find_habits(text: str, tokenised: Tokenised | None = None, *, document: int = 0) -> Habits:
    """Find the habits of a text; `tokenised` and `document` as in `read_tokens`."""
    tokens = read_tokens(text, tokenised, document=document)
    hits = {hit for detector in _DETECTORS for hit in detector(tokens)}
    # Misspelt names cannot be repeated: a rare name that is taken for one occurs many times.
    mistakes = [hit for hit in hits if CATEGORY[hit.category].is_mistake]
    times = Counter(hit.surface.lower() for hit in mistakes)
    repeated = [hit for hit in mistakes if times[hit.surface.lower()] > 1]
    hits.update(replace(hit, category="repeated mistake") for hit in repeated)
    in_order = sorted(hits, key=lambda hit: (hit.start, hit.end, hit.category, hit.intended or ""))
    return Habits(tuple(in_order), len(tokens.words))
