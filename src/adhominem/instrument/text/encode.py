"""Tokens to what a network reads: sentences cut into lines, words numbered by the vocabulary.

Every distinct word is described once, by its number in the vocabulary and by its characters. A
word that the vocabulary does not have keeps its characters: a misspelling is read even when it is
unknown.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from adhominem.instrument.text.settings import PAPER
from adhominem.instrument.text.tokenised import Integers, Offsets, Tokenised, offsets, take_ranges
from adhominem.instrument.text.vocabulary import UNKNOWN, Vocabulary
from adhominem.instrument.text.windows import MARKERS, line_lengths


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


def encode(
    corpus: Tokenised,
    vocabulary: Vocabulary,
    *,
    max_words: int = PAPER.max_words,
    max_characters: int = PAPER.max_characters,
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
