"""All habits of a text: every detector run over its tokens, in one list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from adhominem.instrument.linguistics.abbreviations import find_abbreviations_without_stop
from adhominem.instrument.linguistics.acronyms import find_acronyms
from adhominem.instrument.linguistics.apostrophes import find_missing_apostrophes
from adhominem.instrument.linguistics.capitals import find_continuous_capitals, find_lower_for_upper
from adhominem.instrument.linguistics.categories import CATEGORIES
from adhominem.instrument.linguistics.compounds import find_faulty_separations
from adhominem.instrument.linguistics.digits import find_nouns_with_digits
from adhominem.instrument.linguistics.hit import Hit
from adhominem.instrument.linguistics.missing_space import find_missing_spaces
from adhominem.instrument.linguistics.misspelt_names import find_misspelt_names
from adhominem.instrument.linguistics.name_nouns import find_names_as_nouns
from adhominem.instrument.linguistics.names import find_names
from adhominem.instrument.linguistics.punctuation import find_accumulated_marks, find_marks
from adhominem.instrument.linguistics.repetition import find_repeated_mistakes
from adhominem.instrument.linguistics.similar import find_similar_expressions
from adhominem.instrument.linguistics.special_characters import (
    find_accumulated_special_characters,
    find_special_characters,
)
from adhominem.instrument.linguistics.strange_words import find_strange_words
from adhominem.instrument.linguistics.varieties import find_varieties
from adhominem.instrument.linguistics.verb_first import find_verbs_first
from adhominem.instrument.linguistics.words_read import WordsRead, read_words

_DETECTORS: tuple[Callable[[WordsRead], Iterator[Hit]], ...] = (
    find_marks,
    find_accumulated_marks,
    find_special_characters,
    find_accumulated_special_characters,
    find_missing_spaces,
    find_strange_words,
    find_missing_apostrophes,
    find_lower_for_upper,
    find_continuous_capitals,
    find_faulty_separations,
    find_acronyms,
    find_abbreviations_without_stop,
    find_varieties,
    find_verbs_first,
    find_names,
    find_misspelt_names,
    find_names_as_nouns,
    find_similar_expressions,
    find_nouns_with_digits,
)


@dataclass(frozen=True, slots=True)
class Rate:
    """How often a category is met in a text, and how often in a thousand tokens of it."""

    category: str
    count: int
    per_thousand: float


@dataclass(frozen=True, slots=True)
class Habits:
    """The hits of one text in the order of their places, and its number of tokens."""

    hits: tuple[Hit, ...]
    n_tokens: int

    @property
    def rates(self) -> tuple[Rate, ...]:
        """One for every category, in the order of `CATEGORIES`."""
        counts = Counter(hit.category for hit in self.hits)
        thousands = max(self.n_tokens, 1) / 1000
        return tuple(
            Rate(category.name, counts[category.name], counts[category.name] / thousands)
            for category in CATEGORIES
        )


def find_habits(text: str) -> Habits:
    read = read_words(text)
    hits = {hit for detector in _DETECTORS for hit in detector(read)}
    hits.update(find_repeated_mistakes(hits))
    return Habits(tuple(sorted(hits, key=_place)), len(read.words))


def _place(hit: Hit) -> tuple[int, int, str, str]:
    return hit.start, hit.end, hit.category, hit.intended or ""
