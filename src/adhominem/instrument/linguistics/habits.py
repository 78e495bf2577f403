"""The categories of linguistic habits, and a search for all habits of a text.

`data/categories.csv` has a row for each category of the paper's section IV-E and for non-standard
grammar. It names a detector, a function in this folder that yields hits for the tokens of a text.

The form of a hit is its normalised spelling. Categories with words that depend on the topic (names)
or can be any word (verbs) have no forms.
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

_QUOTES = str.maketrans("’‘“”", "''\"\"")  # curly or straight depends on the keyboard
_DRAWN = re.compile(r"(.)\1{2,}", re.DOTALL)
_CLOSING = frozenset(")]}")  # implied by the opening brackets
_MAX_LENGTH = 40


@dataclass(frozen=True, slots=True)
class Category:
    """A category of linguistic habits. An experimental category is not used as evidence: fewer than
    seven in ten hits were judged right by hand (`results/detector-precision.json`), or it was not
    counted in the reference texts."""

    name: str
    group: str  # heading in section IV-E of the paper
    description: str
    example: str  # a text with a hit
    form: Callable[[str], str | None] | None  # form of a hit by its surface; None without forms
    edit: str | None  # the kind of edit that corrects a hit (`rewrites.py`), if any
    is_mistake: bool  # whether hits are mistakes that can be repeated
    is_frequent: bool  # whether hits are too frequent to be numbered in a report
    experimental: bool
    detector: Callable[[TextTokens], Iterable[Hit]] | None  # None if hits follow from others


def word_form(surface: str) -> str | None:
    """A word or mark in lower case, with runs of a letter reduced to three."""
    if surface in _CLOSING:
        return None
    form = " ".join(surface.lower().translate(_QUOTES).split())
    return _DRAWN.sub(r"\1\1\1", form)[:_MAX_LENGTH]


def run_form(surface: str) -> str:
    """Normalise the length of a run of marks: ... for full stops, !! for a mark, !? for several."""
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
        form, edit, marks, detector = map(row.pop, ("form", "edit", "marks", "detector"))
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
    # Misspelt names do not count as repeated: a rare name that is taken for one often recurs.
    mistakes = [hit for hit in hits if CATEGORY[hit.category].is_mistake]
    times = Counter(hit.surface.lower() for hit in mistakes)
    repeated = [hit for hit in mistakes if times[hit.surface.lower()] > 1]
    hits.update(replace(hit, category="repeated mistake") for hit in repeated)
    in_order = sorted(hits, key=lambda hit: (hit.start, hit.end, hit.category, hit.intended or ""))
    return Habits(tuple(in_order), len(tokens.words))
