"""Texts to integers, ragged: nothing is padded, and every distinct word is described once.

A `Tokenised` corpus numbers the word types it meets; an `Encoded` one has its sentences cut into
lines and knows each type by its number in the vocabulary and by its characters. A word that the
vocabulary does not have keeps its characters: a misspelling is read even when it is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from adhominem.text.segment import Segmented
from adhominem.text.vocabulary import UNKNOWN, Vocabulary
from adhominem.text.windows import MARKERS, line_lengths

Integers = npt.NDArray[np.int32]
Offsets = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Tokenised:
    """Document d has the sentences `documents[d]:documents[d + 1]`, sentence s the tokens
    `sentences[s]:sentences[s + 1]`; a token is the place of its type in `types`."""

    types: tuple[str, ...]
    tokens: Integers
    sentences: Offsets
    documents: Offsets

    @property
    def n_tokens(self) -> Offsets:
        """Tokens of each document."""
        return np.diff(self.sentences[self.documents])

    def select(self, chosen: npt.NDArray[np.int64]) -> Tokenised:
        """The chosen documents, in that order; types keep their numbers."""
        sentences, documents = take_ranges(self.documents, chosen)
        tokens, sentence_offsets = take_ranges(self.sentences, sentences)
        return Tokenised(self.types, self.tokens[tokens], sentence_offsets, documents)

    def counts(self) -> dict[str, int]:
        """Occurrences of every type that occurs."""
        numbers = np.bincount(self.tokens, minlength=len(self.types))
        return {t: int(n) for t, n in zip(self.types, numbers, strict=True) if n}


@dataclass(frozen=True, slots=True)
class Encoded:
    """Document d has the lines `documents[d]:documents[d + 1]`, line l the tokens
    `lines[l]:lines[l + 1]` (its marker last), type u the characters
    `type_starts[u]:type_starts[u + 1]` of `type_characters` and the word `type_words[u]`."""

    type_words: Integers
    type_characters: Integers
    type_starts: Offsets
    tokens: Integers
    lines: Offsets
    documents: Offsets

    @property
    def n_documents(self) -> int:
        return len(self.documents) - 1

    def select(self, chosen: npt.NDArray[np.int64]) -> Encoded:
        """The chosen documents, in that order."""
        lines, documents = take_ranges(self.documents, chosen)
        tokens, line_offsets = take_ranges(self.lines, lines)
        return replace(self, tokens=self.tokens[tokens], lines=line_offsets, documents=documents)


def tokenise(texts: Iterable[Segmented]) -> Tokenised:
    numbers: dict[str, int] = {}
    tokens: list[Integers] = []
    sentence_lengths: list[int] = []
    n_sentences: list[int] = []
    for text in texts:
        tokens.append(
            np.fromiter(
                (numbers.setdefault(token, len(numbers)) for token in text.tokens),
                dtype=np.int32,
                count=len(text.tokens),
            )
        )
        sentence_lengths += text.sentence_lengths
        n_sentences.append(len(text.sentence_lengths))
    return Tokenised(
        types=tuple(numbers),
        tokens=np.concatenate([np.zeros(0, np.int32), *tokens]),
        sentences=offsets(sentence_lengths),
        documents=offsets(n_sentences),
    )


def join(parts: Sequence[Tokenised]) -> Tokenised:
    """One corpus out of several, their types renumbered in the order in which they appear."""
    numbers: dict[str, int] = {}
    tokens = []
    for part in parts:
        renumbered = [numbers.setdefault(word, len(numbers)) for word in part.types]
        tokens.append(np.array(renumbered, dtype=np.int32)[part.tokens])
    return Tokenised(
        types=tuple(numbers),
        tokens=np.concatenate([np.zeros(0, np.int32), *tokens]),
        sentences=offsets(np.concatenate([np.zeros(0), *(np.diff(p.sentences) for p in parts)])),
        documents=offsets(np.concatenate([np.zeros(0), *(np.diff(p.documents) for p in parts)])),
    )


def encode(
    corpus: Tokenised, vocabulary: Vocabulary, *, max_words: int = 20, max_characters: int = 15
) -> Encoded:
    """Cuts sentences into lines and puts vocabulary numbers in the place of types."""
    types = corpus.types + MARKERS
    characters = [vocabulary.character_numbers(word)[:max_characters] for word in types]
    lengths, is_end = line_lengths(np.diff(corpus.sentences), max_words)
    lines = offsets(lengths + 1)
    tokens = np.empty(int(lines[-1]), dtype=np.int32)
    is_word = np.ones(len(tokens), dtype=bool)
    is_word[lines[1:] - 1] = False
    tokens[is_word] = corpus.tokens
    tokens[lines[1:] - 1] = np.where(is_end, len(corpus.types), len(corpus.types) + 1)
    sentence_ends = np.concatenate([[0], np.flatnonzero(is_end) + 1])
    return Encoded(
        type_words=np.array([vocabulary.word_number(word) for word in types], dtype=np.int32),
        type_characters=np.array([c for word in characters for c in word], dtype=np.int32),
        type_starts=offsets([len(word) for word in characters]),
        tokens=tokens,
        lines=lines,
        documents=sentence_ends[corpus.documents],
    )


def unknown_counts(corpus: Tokenised, vocabulary: Vocabulary) -> Offsets:
    """Tokens of each document that the vocabulary does not have."""
    is_unknown = np.array([vocabulary.word_number(word) == UNKNOWN for word in corpus.types], bool)
    total = np.concatenate([[0], np.cumsum(is_unknown[corpus.tokens])]).astype(np.int64)
    return np.diff(total[corpus.sentences[corpus.documents]])


def offsets(lengths: npt.ArrayLike) -> Offsets:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def take_ranges(starts: Offsets, chosen: npt.NDArray[np.int64]) -> tuple[Offsets, Offsets]:
    """Places of all elements of the chosen ranges, and the offsets of the ranges in the result."""
    lengths = starts[chosen + 1] - starts[chosen]
    new = offsets(lengths)
    places = np.arange(new[-1]) + np.repeat(starts[chosen] - new[:-1], lengths)
    return places, new
