"""Views that count short sequences: characters, and tokens whose content words are masked.

Sequences of characters see spelling, punctuation and white space as written: curly quotes, a
missing or a double space, an ellipsis in one sign. Four characters are words and endings; pairs are
so frequent that even a short text has enough of them. Masked tokens keep frequent words and
punctuation and replace every other word by its class, so they see grammar and not topic. All find
their sequences in one pass over all texts; cost is linear in the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from adhominem.arrays import Booleans, Integers
from adhominem.instrument.text.tokenised import Tokenised

Keys = npt.NDArray[np.uint64]
_SPACE, _NEW_LINE, _LARGEST = 32, 10, 0xFFFF
_ENDINGS = {
    "ly": "ADVERB",
    "ing": "VERB",
    "ed": "VERB",
    "ous": "ADJECTIVE",
    "ful": "ADJECTIVE",
    "ive": "ADJECTIVE",
    "al": "ADJECTIVE",
    "able": "ADJECTIVE",
    "s": "PLURAL",
}
_CLASSES = ("NOUN", "NAME", "VERB", "ADJECTIVE", "ADVERB", "PLURAL", "NUMBER", "SIGN")
_LONGEST = 3  # tokens of a sequence
_BLANKS = np.array(
    [*range(9, 14), 32, 0x85, 0xA0, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000],
    dtype=np.uint64,
)


@dataclass(frozen=True, slots=True)
class Occurrences:
    """Where the features of a view stand in some texts.

    text, feature   text and feature of each occurrence
    start, end      its first character in the text, and the one after its last
    totals          number of all sequences of each text, features or not
    """

    text: Integers
    feature: Integers
    start: Integers
    end: Integers
    totals: Integers


class View(Protocol):
    """A list of features and a way to find them."""

    @property
    def name(self) -> str: ...

    @property
    def features(self) -> tuple[str, ...]: ...

    def find(self, texts: Sequence[str], tokens: Tokenised) -> Occurrences:
        """All occurrences of the features in the texts, given with their tokens."""


@dataclass(frozen=True)
class CharacterNgrams:
    """Sequences of `length` characters, at most four, with upper and lower case. Every white space
    counts as a blank or a new line, and no more than two in a row."""

    features: tuple[str, ...]
    length: int = 4
    name: str = "characters"

    @cached_property
    def _index(self) -> tuple[Keys, Integers]:
        return _sorted(
            np.array([int(self.keys(_codes(f))[0]) for f in self.features], dtype=np.uint64)
        )

    def keys(self, codes: Keys) -> Keys:
        """A number for every `length` characters in a row."""
        n = max(len(codes) - self.length + 1, 0)
        keys = np.zeros(n, dtype=np.uint64)
        for i in range(self.length):
            keys |= codes[i : i + n] << np.uint64(16 * i)
        return keys

    def decode(self, key: int) -> str:
        """The sequence of a number."""
        return "".join(chr(key >> 16 * i & _LARGEST) for i in range(self.length))

    @staticmethod
    def codes(text: str) -> tuple[Keys, Integers]:
        """The characters that count, as numbers, and their positions in the text."""
        codes = _codes(text)
        blank = np.isin(codes, _BLANKS)
        codes[blank] = np.where((codes[blank] == 10) | (codes[blank] == 13), _NEW_LINE, _SPACE)
        kept = np.ones(len(codes), dtype=bool)
        kept[2:] = ~(blank[2:] & blank[1:-1] & blank[:-2])
        return codes[kept], np.flatnonzero(kept)

    def find(self, texts: Sequence[str], tokens: Tokenised) -> Occurrences:
        del tokens
        keys, positions = zip(*map(self.codes, texts), strict=True) if texts else ((), ())
        keys, last = tuple(map(self.keys, keys)), self.length - 1
        totals = np.array([len(row) for row in keys], dtype=np.int64)
        owner = np.repeat(np.arange(len(texts)), totals)
        starts = np.concatenate(
            [np.zeros(0, np.int64), *(p[: max(len(p) - last, 0)] for p in positions)]
        )
        ends = np.concatenate([np.zeros(0, np.int64), *(p[last:] + 1 for p in positions)])
        joined = np.concatenate([np.zeros(0, np.uint64), *keys])
        feature, hit = _look_up(joined, self._index)
        return Occurrences(owner[hit], feature, starts[hit], ends[hit], totals)


@dataclass(frozen=True)
class MaskedTokens:
    """Sequences of one to three tokens: `words` and punctuation stay, other words are replaced by
    their class, which a capital or the ending tells."""

    words: tuple[str, ...]
    features: tuple[str, ...]
    name: ClassVar[str] = "masked tokens"

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word: i for i, word in enumerate((*_CLASSES, *self.words), start=1)}

    @cached_property
    def _index(self) -> tuple[Keys, Integers]:
        keys = [
            self._key([self._numbers[token] for token in feature.split(" ")])
            for feature in self.features
        ]
        return _sorted(np.array(keys, dtype=np.uint64))

    @property
    def _base(self) -> int:
        return len(self._numbers) + 1

    def _key(self, numbers: Sequence[int]) -> int:
        key = 0
        for number in numbers:
            key = key * self._base + number
        return key

    def mask(self, word: str) -> str:
        """The word itself in lower case if it is kept, else its class."""
        lower = word.lower()
        return lower if lower in self._numbers else mask_class(word)

    def numbers(self, tokens: Tokenised) -> Keys:
        """A number for every token as it is masked, from 1 on."""
        of_type = [self._numbers[self.mask(word)] for word in tokens.types]
        return np.array(of_type, dtype=np.uint64)[tokens.tokens]

    @property
    def n_numbers(self) -> int:
        """The largest number of a masked token."""
        return len(self._numbers)

    def sequences(self, tokens: Tokenised) -> tuple[Keys, Integers, Integers]:
        """A number for every sequence, its first token and its length."""
        numbers = self.numbers(tokens)
        owner = np.repeat(np.arange(tokens.n_documents), tokens.n_tokens)
        keys, firsts, lengths = [], [], []
        key = np.zeros(len(numbers), dtype=np.uint64)
        for length in range(1, _LONGEST + 1):
            n = max(len(numbers) - length + 1, 0)
            key = key[:n] * np.uint64(self._base) + numbers[length - 1 :]
            whole = owner[:n] == owner[length - 1 :]
            keys.append(key[whole])
            firsts.append(np.flatnonzero(whole))
            lengths.append(np.full(int(whole.sum()), length))
        return np.concatenate(keys), np.concatenate(firsts), np.concatenate(lengths)

    def decode(self, key: int) -> str:
        """The sequence of a number."""
        names = (*_CLASSES, *self.words)
        parts = []
        while key:
            key, number = divmod(key, self._base)
            parts.append(names[number - 1])
        return " ".join(reversed(parts))

    def find(self, texts: Sequence[str], tokens: Tokenised) -> Occurrences:
        keys, first, length = self.sequences(tokens)
        owner = np.repeat(np.arange(tokens.n_documents), tokens.n_tokens)
        totals = np.bincount(owner[first], minlength=len(texts)).astype(np.int64)
        feature, hit = _look_up(keys, self._index)
        first, last = first[hit], first[hit] + length[hit] - 1
        return Occurrences(
            owner[first],
            feature,
            tokens.starts[first].astype(np.int64),
            tokens.ends[last].astype(np.int64),
            totals,
        )


def character_pairs(features: Sequence[str]) -> CharacterNgrams:
    """The view of two characters in a row."""
    return CharacterNgrams(tuple(features), length=2, name="character pairs")


def mask_class(word: str) -> str:
    """The class of a word that is not kept."""
    if any(character.isdigit() for character in word):
        return "NUMBER"
    if not any(character.isalpha() for character in word):
        return "SIGN"
    if word[0].isupper():
        return "NAME"
    lower = word.lower()
    for ending, name in _ENDINGS.items():
        if lower.endswith(ending) and len(lower) > len(ending) + 2:
            return name
    return "NOUN"


def _codes(text: str) -> Keys:
    codes = np.frombuffer(text.encode("utf-32-le", "replace"), dtype=np.uint32)
    return np.minimum(codes, _LARGEST).astype(np.uint64)


def _sorted(keys: Keys) -> tuple[Keys, Integers]:
    order = np.argsort(keys)
    return keys[order], order


def _look_up(keys: Keys, index: tuple[Keys, Integers]) -> tuple[Integers, Booleans]:
    """The features of the keys that are features, and which keys are."""
    known, numbers = index
    if not len(known):
        return np.zeros(0, np.int64), np.zeros(len(keys), dtype=bool)
    place = np.searchsorted(known, keys)
    place[place == len(known)] = 0
    hit = known[place] == keys
    return numbers[place[hit]], hit
