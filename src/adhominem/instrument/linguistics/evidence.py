"""Habits that two sides share, and those that set them apart, the most telling first.

What both have tells more the rarer it is in the reference population, s, and the more often both
have it, k times at least:

    telling = sqrt(k) log10(1 / s)

What one side has more often than the other tells more the less chance explains it. Of k hits on
both sides, the share q of all tokens that is on one side would give it k q; with z standard
deviations more than that,

    telling = z log10(1 / s)

and where the other side has c times the standard word instead ("because" for "cuz"), every use of
either is an observation, so that z is sqrt(k + c).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from adhominem.instrument.linguistics.categories import CATEGORIES
from adhominem.instrument.linguistics.forms import form_of
from adhominem.instrument.linguistics.habits import Habits
from adhominem.instrument.linguistics.reference import Reference

_APART = 2.0  # standard deviations from which a difference counts
_EXPERIMENTAL = frozenset(category.name for category in CATEGORIES if category.experimental)
Key = tuple[str, str | None]


@dataclass(frozen=True, slots=True)
class Place:
    """Of a hit: the number of the document on its side, from 0, and the stretch in it."""

    document: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Finding:
    """A habit of one side or both.

    form        how it is written; None where the category alone is compared
    intended    the standard word for the form, if there is one
    standard    how often the side without the form has the standard word instead
    share       of reference texts of the length of the longer side, those that show it
    is_listed   the form is known to the reference; where not, the share is smaller than given
    """

    category: str
    form: str | None
    intended: str | None
    left: tuple[Place, ...]
    right: tuple[Place, ...]
    standard: int
    share: float
    is_listed: bool
    telling: float


@dataclass(frozen=True, slots=True)
class Evidence:
    shared: tuple[Finding, ...]
    distinctive: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class SideHabits:
    """The texts of one side and their habits."""

    texts: tuple[str, ...]
    habits: tuple[Habits, ...]

    @property
    def n_tokens(self) -> int:
        return sum(habits.n_tokens for habits in self.habits)

    def count(self, category: str) -> int:
        return sum(hit.category == category for habits in self.habits for hit in habits.hits)


def weigh_habits(left: SideHabits, right: SideHabits, reference: Reference) -> Evidence:
    """In time linear in the tokens. Categories still on trial give no evidence."""
    sides = (_places(left), _places(right))
    words = (_word_counts(left.texts), _word_counts(right.texts))
    meant = _intended(left) | _intended(right)
    shared, distinctive = [], []
    for key in sorted({*sides[0], *sides[1]}, key=lambda key: (key[0], key[1] or "")):
        places = (sides[0].get(key, ()), sides[1].get(key, ()))
        tokens = (left.n_tokens, right.n_tokens)
        apart = _deviation(len(places[0]), len(places[1]), tokens)
        standard = 0
        if not all(places) and key in meant:
            standard = words[0 if places[1] else 1][meant[key].lower()]
        if standard:
            apart = math.sqrt(len(places[0]) + len(places[1]) + standard)
        share = reference.share(*key, max(tokens))
        is_apart = apart >= _APART or standard > 0
        strength = apart if is_apart else math.sqrt(min(len(places[0]), len(places[1])))
        finding = Finding(
            category=key[0],
            form=key[1],
            intended=meant.get(key),
            left=tuple(places[0]),
            right=tuple(places[1]),
            standard=standard,
            share=share,
            is_listed=reference.is_listed(*key),
            telling=strength * -math.log10(share),
        )
        if is_apart:
            distinctive.append(finding)
        elif all(places):
            shared.append(finding)
    return Evidence(_most_telling_first(shared), _most_telling_first(distinctive))


def _places(side: SideHabits) -> Mapping[Key, Sequence[Place]]:
    """By category, and by category and form."""
    found: dict[Key, list[Place]] = defaultdict(list)
    for document, habits in enumerate(side.habits):
        shortened = 0  # the end of the last abbreviation: w/ is no use of the sign /
        for hit in habits.hits:
            if hit.category == "unusual abbreviation":
                shortened = hit.end
            is_inside = hit.category == "special character" and hit.end <= shortened
            if hit.category in _EXPERIMENTAL or is_inside:
                continue
            place = Place(document, hit.start, hit.end)
            found[hit.category, None].append(place)
            if form := form_of(hit):
                found[hit.category, form].append(place)
    return found


def _intended(side: SideHabits) -> dict[Key, str]:
    return {
        (hit.category, form): hit.intended
        for habits in side.habits
        for hit in habits.hits
        if hit.intended and (form := form_of(hit))
    }


def _word_counts(texts: Sequence[str]) -> Counter[str]:
    """Words and pairs of words in small letters, marks around them taken off."""
    counts: Counter[str] = Counter()
    for text in texts:
        words = [word.strip(".,;:!?()\"'") for word in text.lower().split()]
        counts.update(words)
        counts.update(map(" ".join, pairwise(words)))
    return counts


def _deviation(left: int, right: int, tokens: tuple[int, int]) -> float:
    """Standard deviations between the counts and what the lengths alone would give."""
    scale = (left + right) * tokens[0] * tokens[1]
    return abs(left * tokens[1] - right * tokens[0]) / math.sqrt(scale) if scale else 0.0


def _most_telling_first(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """A category alone is left out where forms of it have been found: they say more."""
    formed = {finding.category for finding in findings if finding.form is not None}
    kept = [f for f in findings if f.form is not None or f.category not in formed]
    return tuple(sorted(kept, key=lambda f: (-f.telling, f.category, f.form or "")))
