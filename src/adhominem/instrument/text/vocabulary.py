"""The words and characters of a model, counted on the texts of its training authors."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from adhominem.instrument.text.normalise import UNIVERSAL
from adhominem.instrument.text.settings import PAPER

SENTENCE_END = "<sentence-end>"
LINE_BREAK = "<line-break>"
MARKERS = (SENTENCE_END, LINE_BREAK)  # each closes a line
PADDING = 0
UNKNOWN = 1
RESERVED_WORDS = ("<padding>", "<unknown>", *MARKERS, *UNIVERSAL.values())
RESERVED_CHARACTERS = 2  # padding and unknown


@dataclass(frozen=True)
class Vocabulary:
    words: tuple[str, ...]  # word i has the number i; the reserved words come first
    characters: str  # character i has the number i + 2

    @classmethod
    def fit(
        cls,
        counts: Mapping[str, int],
        *,
        min_word_count: int = PAPER.min_word_count,
        min_character_count: int = PAPER.min_character_count,
        authors: Mapping[str, int] | None = None,
        min_word_authors: int = PAPER.min_word_authors,
    ) -> Self:
        """The words and characters that are frequent enough (section III).

        counts    occurrences of each word in the training texts
        authors   number of authors who use each word; needed for `min_word_authors`, which keeps
                  out the names of a person's friends and the like
        """
        counts = {word: n for word, n in counts.items() if word not in RESERVED_WORDS}
        characters: Counter[str] = Counter()
        for word, count in counts.items():
            characters.update({c: count * word.count(c) for c in set(word)})
        words = _most_frequent(counts, min_word_count)
        if authors is not None:
            words = [word for word in words if authors[word] >= min_word_authors]
        kept = _most_frequent(characters, min_character_count)
        return cls(RESERVED_WORDS + tuple(words), "".join(kept))

    @cached_property
    def _word_numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    @cached_property
    def _character_numbers(self) -> dict[str, int]:
        return {c: n for n, c in enumerate(self.characters, RESERVED_CHARACTERS)}

    @property
    def n_words(self) -> int:
        return len(self.words)

    @property
    def n_characters(self) -> int:
        return RESERVED_CHARACTERS + len(self.characters)

    def word_number(self, word: str) -> int:
        return self._word_numbers.get(word, UNKNOWN)

    def character_numbers(self, word: str) -> list[int]:
        """The numbers of the characters of a word; empty for markers and universal tokens."""
        if word in RESERVED_WORDS:
            return []
        return [self._character_numbers.get(character, UNKNOWN) for character in word]


def _most_frequent(counts: Mapping[str, int], fewest: int) -> list[str]:
    kept = (item for item, count in counts.items() if count >= fewest)
    return sorted(kept, key=lambda item: (-counts[item], item))
