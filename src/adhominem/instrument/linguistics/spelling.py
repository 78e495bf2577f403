"""Corrects spelling mistakes: the intended word, its distance, and the kind of mistake.

The distance is the weighted optimal string alignment: frequent confusions cost less, mistakes in
the first and last letter more. Candidates are common words one edit away and common words with the
same consonants, because most mistakes concern vowels and doubled letters ("deffinatly"). The
nearest one is taken if it is near enough for the length of the word; common words are preferred.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import accumulate, product
from math import log10
from string import ascii_lowercase

from adhominem.instrument.linguistics.lexicon import levels, ranks

_VOWELS = frozenset("aeiouy")
_TRANSPOSED, _DOUBLED, _VOWEL, _SOUND, _OTHER = 0.5, 0.4, 0.6, 0.6, 1.0
_ALIKE = ("ck", "cs", "sz", "gj", "dt", "mn", "vw", "fv", "ks")
_SUBSTITUTION = {pair: _SOUND for both in _ALIKE for pair in (both, both[::-1])}
_SUBSTITUTION |= {a + b: _VOWEL for a, b in product(_VOWELS, repeat=2)}
_FIRST, _LAST = 0.7, 0.3
_MAX_LENGTH_DIFFERENCE = 3

_LIKELY = 55  # largest level of an intended word
_COMMON, _EASY = 50, 0.6  # words beyond this level must be within this distance
_ENDINGS = ("s", "y", "o", "a")  # a word without such an ending is another form, not intended
_RARITY_COST = 0.3  # per decade of the rank of a word


@lru_cache(maxsize=200_000)
def intended_word(word: str) -> str | None:
    """The intended word for an unknown word in lower case; None if no word is near enough."""
    if not (4 <= len(word) <= 25 and word.isascii() and word.isalpha()):
        return None
    known = levels()
    candidates = {other for other in one_edit(word) if known.get(other, 99) <= _LIKELY}
    candidates.update(_words_by_consonants().get(_consonants(word), ()))
    candidates.difference_update(word.removesuffix(ending) for ending in _ENDINGS)
    near = [
        (cost + _RARITY_COST * log10(ranks()[other]), other)
        for other in candidates
        if (cost := distance(word, other)) <= _max_distance(word, known[other])
    ]
    return min(near)[1] if near else None


def near_word(word: str) -> str | None:
    """The intended word, if it is one edit away."""
    intended = intended_word(word)
    return intended if intended and distance(word, intended) <= _OTHER else None


def _max_distance(word: str, level: int) -> float:
    """The largest distance of an intended word: more for long words and for common words."""
    if len(word) < 5:
        return {10: 0.7, 20: 0.5}.get(level, 0.4)
    most = {5: 0.8, 6: 0.8, 7: 1.0}.get(len(word), 0.2 * len(word))
    return most if level <= _COMMON else min(most, _EASY)


@cache
def _words_by_consonants() -> Mapping[str, Sequence[str]]:
    groups = defaultdict(list)
    for word, level in levels().items():
        if level <= _LIKELY and len(word) > 4:
            groups[_consonants(word)].append(word)
    return groups


def _consonants(word: str) -> str:
    """The first letter, and the set of the other consonants in alphabetical order."""
    return word[0] + "".join(sorted(set(word[1:]) - _VOWELS))


def one_edit(word: str) -> Iterator[str]:
    """All spellings with one missing, surplus, substituted or transposed letter."""
    for i in range(len(word) + 1):
        before, after = word[:i], word[i:]
        if after:
            yield before + after[1:]
        if len(after) > 1:
            yield before + after[1] + after[0] + after[2:]
        for letter in ascii_lowercase:
            yield before + letter + after
            yield before + letter + after[1:]


def distance(wrong: str, right: str) -> float:
    """The cost of the cheapest sequence of edits from one word to the other."""
    if abs(len(wrong) - len(right)) > _MAX_LENGTH_DIFFERENCE:
        return float("inf")
    surplus, missing = _letter_costs(wrong), _letter_costs(right)
    before: list[float] = []
    row = list(accumulate(missing, initial=0.0))  # from wrong[:i] to each beginning of right
    for i, letter in enumerate(wrong):
        last, before, row = before, row, [row[0] + surplus[i]]
        for j, other in enumerate(right):
            substitution = 0.0 if letter == other else _SUBSTITUTION.get(letter + other, _OTHER)
            cost = before[j] + substitution
            cost = min(cost, before[j + 1] + surplus[i], row[j] + missing[j])
            if i and j and letter == right[j - 1] and other == wrong[i - 1] and letter != other:
                cost = min(cost, last[j - 1] + _TRANSPOSED)
            row.append(cost)
    at_first = wrong[0] != right[0] and wrong[:2] != right[1::-1]
    at_last = wrong[-1] != right[-1] and wrong[-2:] != right[:-3:-1]
    return row[-1] + _FIRST * at_first + _LAST * at_last


def _letter_costs(word: str) -> list[float]:
    """The cost of each letter if it is missing or surplus."""
    costs = [_VOWEL if letter in _VOWELS or letter == "h" else _OTHER for letter in word]
    return [_DOUBLED if i and word[i] == word[i - 1] else cost for i, cost in enumerate(costs)]


def kind_of_mistake(wrong: str, right: str) -> str:
    """ "missing" or "surplus" if letters are only missing or only surplus, else "substituted"."""
    for kind, short, long in (("missing", wrong, right), ("surplus", right, wrong)):
        letters = iter(long)
        if all(letter in letters for letter in short):  # in the same order
            return kind
    return "substituted"
