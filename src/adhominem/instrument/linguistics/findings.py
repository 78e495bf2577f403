"""Finds the habits that two sides share and the habits that distinguish them.

Findings are ranked by a weight, `telling`. Let s be the share of reference texts that show a habit.
A habit that both sides show at least k times has the weight sqrt(k) log10(1 / s). A habit whose
counts deviate by z standard deviations from the counts expected by the lengths of the sides has the
weight z log10(1 / s). If only the other side uses the standard word, c times ("because" for "cuz"),
z is sqrt(k + c).

Shared word sequences have a sign or an uncommon word, and three tokens or more. Their frequency in
texts of other authors is not known; sequences with more uncommon words have a larger weight.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from adhominem.instrument.linguistics.habits import CATEGORY, Habits
from adhominem.instrument.linguistics.lexicon import level
from adhominem.instrument.linguistics.reference import Reference
from adhominem.instrument.linguistics.text_tokens import Hit, TextTokens, is_capitalised

Key = tuple[str, str | None]  # category and form
_MIN_DEVIATIONS = 2.0  # standard deviations of a distinctive habit
_MIN_LENGTH, _MAX_LENGTH = 3, 12  # tokens of a shared sequence
_MIN_WORDS = 2  # words and signs of a shared sequence, without punctuation marks
_UNCOMMON = 50  # level of uncommon words
_MAX_PLACES = 20  # places on the left that a place on the right is compared with
_SIGNS = frozenset("&+@*/=~^%#|<>")


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """The span of a hit, and the index of its document on the side."""

    document: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Finding:
    """A habit that two sides share or that distinguishes them."""

    category: str
    form: str | None  # None if the category is compared without forms
    intended: str | None  # the standard word for the form, if there is one
    left: tuple[Location, ...]
    right: tuple[Location, ...]
    standard: int  # uses of the standard word by the side without the form
    share: float  # share of reference texts, of the length of the longer side, that show the habit
    is_listed: bool  # whether the reference lists the habit; if not, `share` is an upper bound
    telling: float


@dataclass(frozen=True, slots=True)
class Findings:
    shared: tuple[Finding, ...]
    distinctive: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class SideHabits:
    texts: tuple[str, ...]
    habits: tuple[Habits, ...]

    @property
    def n_tokens(self) -> int:
        return sum(habits.n_tokens for habits in self.habits)

    @property
    def hits(self) -> list[Hit]:
        return [hit for habits in self.habits for hit in habits.hits]


def form_of(hit: Hit) -> str | None:
    """The form of a hit; None if its category is compared without forms."""
    make_form = CATEGORY[hit.category].form
    return None if make_form is None else make_form(hit.surface)


def weigh_habits(left: SideHabits, right: SideHabits, reference: Reference) -> Findings:
    """Compare the habits of two sides, in time linear in their tokens."""
    sides = (_locations(left), _locations(right))
    word_counts = (_word_counts(left.texts), _word_counts(right.texts))
    intended: dict[Key, str] = {
        (hit.category, form): hit.intended
        for hit in (*left.hits, *right.hits)
        if hit.intended and (form := form_of(hit))
    }
    n_tokens = (left.n_tokens, right.n_tokens)
    shared: list[Finding] = []
    distinctive: list[Finding] = []
    for key in sorted({*sides[0], *sides[1]}, key=lambda key: (key[0], key[1] or "")):
        locations = (sides[0].get(key, ()), sides[1].get(key, ()))
        counts = (len(locations[0]), len(locations[1]))
        standard = 0
        if not all(counts) and key in intended:
            own, other = (1, 0) if counts[1] else (0, 1)
            word = intended[key].lower()
            standard = 0 if word_counts[own][word] else word_counts[other][word]
        if standard:
            deviations = math.sqrt(sum(counts) + standard)
        else:  # from the counts expected by the lengths alone
            difference = counts[0] * n_tokens[1] - counts[1] * n_tokens[0]
            scale = sum(counts) * n_tokens[0] * n_tokens[1]
            deviations = abs(difference) / math.sqrt(scale) if scale else 0.0
        is_distinctive = deviations >= _MIN_DEVIATIONS or standard > 0
        if not is_distinctive and not all(counts):
            continue
        strength = deviations if is_distinctive else math.sqrt(min(counts))
        share = reference.share(*key, max(n_tokens))
        telling, is_listed = strength * -math.log10(share), reference.is_listed(*key)
        places = tuple(locations[0]), tuple(locations[1])
        row = Finding(*key, intended.get(key), *places, standard, share, is_listed, telling)
        (distinctive if is_distinctive else shared).append(row)
    return Findings(_most_telling_first(shared), _most_telling_first(distinctive))


def _locations(side: SideHabits) -> Mapping[Key, Sequence[Location]]:
    """The locations of each category and of each form, without experimental categories."""
    locations: dict[Key, list[Location]] = defaultdict(list)
    for document, habits in enumerate(side.habits):
        abbreviation_end = 0
        for hit in habits.hits:
            if hit.category == "unusual abbreviation":
                abbreviation_end = hit.end
            # The sign / in the abbreviation w/ is not a use of the sign.
            is_inside = hit.category == "special character" and hit.end <= abbreviation_end
            if not (CATEGORY[hit.category].experimental or is_inside):
                for form in {None, form_of(hit) or None}:
                    locations[hit.category, form].append(Location(document, hit.start, hit.end))
    return locations


def _word_counts(texts: Sequence[str]) -> Counter[str]:
    """Counts of words and of pairs of words, in lower case and without punctuation around them."""
    counts: Counter[str] = Counter()
    for text in texts:
        words = [word.strip(".,;:!?()\"'") for word in text.lower().split()]
        counts.update(words)
        counts.update(map(" ".join, pairwise(words)))
    return counts


def _most_telling_first(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Sort findings, and drop a category if there are findings for its forms."""
    with_forms = {finding.category for finding in findings if finding.form is not None}
    kept = [f for f in findings if f.form is not None or f.category not in with_forms]
    return tuple(sorted(kept, key=lambda f: (-f.telling, f.category, f.form or "")))


def shared_sequences(
    left: Sequence[TextTokens], right: Sequence[TextTokens]
) -> tuple[Finding, ...]:
    ones, others = ([[w.lower() for w in text.words] for text in side] for side in (left, right))
    starts: dict[tuple[str, ...], list[tuple[int, int]]] = defaultdict(list)
    for document, words in enumerate(ones):
        for i in range(len(words) - _MIN_LENGTH + 1):
            starts[tuple(words[i : i + _MIN_LENGTH])].append((document, i))
    found: dict[str, tuple[float, set[Location], set[Location]]] = {}
    for document, words in enumerate(others):
        for i in range(len(words) - _MIN_LENGTH + 1):
            for place, j in starts.get(tuple(words[i : i + _MIN_LENGTH]), [])[:_MAX_PLACES]:
                if i and j and words[i - 1] == ones[place][j - 1]:
                    continue  # part of a longer sequence
                ends = i + _MAX_LENGTH, j + _MAX_LENGTH
                both = zip(words[i : ends[0]], ones[place][j : ends[1]], strict=False)
                n = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], both))
                if telling := _telling(right[document].words[i : i + n]):
                    here = _location(right[document], document, i, n)
                    form = " ".join(right[document].text[here.start : here.end].lower().split())
                    row = found.setdefault(form, (telling, set(), set()))
                    row[1].add(_location(left[place], place, j, n))
                    row[2].add(here)
    findings = []
    for form, (telling, one, other) in found.items():
        places = tuple(sorted(one)), tuple(sorted(other))
        findings.append(Finding("word sequence", form, None, *places, 0, math.nan, False, telling))
    return _most_telling_first(findings)


def _telling(words: Sequence[str]) -> float:
    """The weight of a sequence: signs and uncommon words, then length; 0 if it has neither."""
    signs = sum(word in _SIGNS for word in words)
    plain = [word.lower() for word in words if word.isalpha() and not is_capitalised(word)]
    uncommon = sum(level(word) >= _UNCOMMON for word in plain)
    if not signs + uncommon or sum(word.isalnum() for word in words) + signs < _MIN_WORDS:
        return 0.0
    return signs + uncommon + len(words) / 100


def _location(text: TextTokens, document: int, first: int, n: int) -> Location:
    return Location(document, text.starts[first], text.ends[first + n - 1])
