"""How far a wrong spelling is from a word, and what went wrong in it.

Optimal string alignment: letters missing, surplus, substituted and transposed, each at a price
that is less for what hands and ears confuse easily. The first and the last letter of a word are
seldom wrong, and cost more.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from string import ascii_lowercase

VOWELS = frozenset("aeiouy")
_ALIKE = ("ck", "cs", "sz", "gj", "dt", "mn", "vw", "fv", "ks")
_CONFUSED = frozenset(pair for both in _ALIKE for pair in (both, both[::-1]))
_TRANSPOSED, _DOUBLED, _VOWEL, _SOUND, OTHER = 0.5, 0.4, 0.6, 0.6, 1.0
_FIRST, _LAST = 0.7, 0.3
_FARTHEST = 3  # letters more or less


def one_edit(word: str, letters: str = ascii_lowercase) -> Iterator[str]:
    """All spellings one missing, surplus, substituted or transposed letter away."""
    for i in range(len(word) + 1):
        before, after = word[:i], word[i:]
        if after:
            yield before + after[1:]
        if len(after) > 1:
            yield before + after[1] + after[0] + after[2:]
        for letter in letters:
            yield before + letter + after
            yield before + letter + after[1:]


def distance(wrong: str, right: str) -> float:
    """The price of the cheapest way from one word to the other."""
    if abs(len(wrong) - len(right)) > _FARTHEST:
        return float("inf")
    surplus = [_letter(wrong, i) for i in range(len(wrong))]
    missing = [_letter(right, j) for j in range(len(right))]
    before: list[float] = []
    row = list(accumulate(missing, initial=0.0))  # from wrong[:i] to each beginning of right
    for i, letter in enumerate(wrong):
        last, before, row = before, row, [row[0] + surplus[i]]
        for j, other in enumerate(right):
            price = min(
                before[j] + _substitution(letter, other),
                before[j + 1] + surplus[i],
                row[j] + missing[j],
            )
            if i and j and letter == right[j - 1] and other == wrong[i - 1] and letter != other:
                price = min(price, last[j - 1] + _TRANSPOSED)
            row.append(price)
    at_first = wrong[0] != right[0] and wrong[:2] != right[1::-1]
    at_last = wrong[-1] != right[-1] and wrong[-2:] != right[:-3:-1]
    return row[-1] + _FIRST * at_first + _LAST * at_last


def _letter(word: str, i: int) -> float:
    """One letter more or less."""
    if i and word[i] == word[i - 1]:
        return _DOUBLED
    return _VOWEL if word[i] in VOWELS or word[i] == "h" else OTHER


def _substitution(letter: str, other: str) -> float:
    if letter == other:
        return 0.0
    if letter in VOWELS and other in VOWELS:
        return _VOWEL
    return _SOUND if letter + other in _CONFUSED else OTHER


def kind_of_mistake(wrong: str, right: str) -> str:
    """Missing or surplus where all letters that are wrong are the one or the other; all else,
    letters in the wrong order among it, is substituted."""
    if _is_inside(wrong, right):
        return "missing"
    return "surplus" if _is_inside(right, wrong) else "substituted"


def _is_inside(short: str, long: str) -> bool:
    """All letters of the one are in the other, in their order."""
    letters = iter(long)
    return all(letter in letters for letter in short)
