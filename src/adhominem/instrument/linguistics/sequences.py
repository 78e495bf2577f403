"""Word sequences that both sides share, with a sign or an uncommon word among them.

A sequence is as long as both sides agree, and has three tokens or more. How frequent it is in
texts of other authors was not counted, so its share is not a number; the more uncommon words it
has, and the longer it is, the more telling it is taken to be.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

from adhominem.instrument.linguistics.findings import Finding, Location
from adhominem.instrument.linguistics.lexicon import level
from adhominem.instrument.linguistics.text_tokens import TextTokens, is_capitalised

_SHORTEST, _LONGEST = 3, 12  # tokens
_FEWEST = 2  # of these words and signs, not punctuation marks
_UNCOMMON = 50  # level of words from which on they are uncommon
_MOST_PLACES = 20  # on the left that a place on the right is compared with
_SIGNS = frozenset("&+@*/=~^%#|<>")


def shared_sequences(
    left: Sequence[TextTokens], right: Sequence[TextTokens]
) -> tuple[Finding, ...]:
    """The shared sequences, the most telling first."""
    ones, others = (
        [[word.lower() for word in text.words] for text in side] for side in (left, right)
    )
    starts: dict[tuple[str, ...], list[tuple[int, int]]] = defaultdict(list)
    for document, words in enumerate(ones):
        for i in range(len(words) - _SHORTEST + 1):
            starts[tuple(words[i : i + _SHORTEST])].append((document, i))
    found: dict[str, tuple[float, set[Location], set[Location]]] = {}
    for document, words in enumerate(others):
        for i in range(len(words) - _SHORTEST + 1):
            for place, j in starts.get(tuple(words[i : i + _SHORTEST]), [])[:_MOST_PLACES]:
                if i and j and words[i - 1] == ones[place][j - 1]:
                    continue  # inside a longer one
                n = _common_length(words[i : i + _LONGEST], ones[place][j : j + _LONGEST])
                if telling := _telling(right[document].words[i : i + n]):
                    own = _location(right[document], document, i, n)
                    form = " ".join(right[document].text[own.start : own.end].lower().split())
                    row = found.setdefault(form, (telling, set(), set()))
                    row[1].add(_location(left[place], place, j, n))
                    row[2].add(own)
    findings = [
        Finding(
            "word sequence", form, None, _sorted(one), _sorted(other), 0, math.nan, False, telling
        )
        for form, (telling, one, other) in found.items()
    ]
    return tuple(sorted(findings, key=lambda finding: (-finding.telling, finding.form or "")))


def _common_length(one: Sequence[str], other: Sequence[str]) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))


def _telling(words: Sequence[str]) -> float:
    """Number of signs and uncommon words and, as the decimals, the length; 0 without any. Names are
    left out: they tell of a topic."""
    signs = sum(word in _SIGNS for word in words)
    uncommon = sum(
        word.isalpha() and not is_capitalised(word) and level(word.lower()) >= _UNCOMMON
        for word in words
    )
    if not signs + uncommon or sum(word.isalnum() for word in words) + signs < _FEWEST:
        return 0.0
    return signs + uncommon + len(words) / 100


def _location(text: TextTokens, document: int, first: int, n: int) -> Location:
    return Location(document, text.starts[first], text.ends[first + n - 1])


def _sorted(places: set[Location]) -> tuple[Location, ...]:
    return tuple(sorted(places, key=lambda place: (place.document, place.start)))
