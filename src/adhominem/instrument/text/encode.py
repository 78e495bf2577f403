"""Encodes tokens as integers: sentences are cut into lines, words numbered by the vocabulary.

Every distinct word is stored once. A word outside the vocabulary keeps its characters, so a
misspelling is read too. A line has at most `max_words` tokens, the last of which is a marker:
the sentence-end token, or the line-break token where a long sentence continues on the next line
(section III of the paper).
"""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import numpy.typing as npt

from adhominem.instrument.text.settings import PAPER
from adhominem.instrument.text.tokenised import Integers, Offsets, Tokenised, offsets, take_ranges
from adhominem.instrument.text.vocabulary import MARKERS, UNKNOWN, Vocabulary


@dataclass(frozen=True, slots=True)
class Encoded:
    """Documents as integers, without padding."""

    type_words: Integers  # vocabulary number of each word type
    type_characters: Integers  # number of each character of the word types
    type_starts: Offsets  # type u has the characters `type_starts[u]:type_starts[u + 1]`
    tokens: Integers  # word type of each token
    lines: Offsets  # line l has the tokens `lines[l]:lines[l + 1]`, its marker last
    documents: Offsets  # document d has the lines `documents[d]:documents[d + 1]`

    @property
    def n_documents(self) -> int:
        return len(self.documents) - 1

    @property
    def is_word(self) -> npt.NDArray[np.bool_]:
        """False for the marker at the end of each line."""
        is_word = np.ones(len(self.tokens), dtype=bool)
        is_word[self.lines[1:] - 1] = False
        return is_word

    def select(self, chosen: npt.NDArray[np.int64]) -> Self:
        lines, documents = take_ranges(self.documents, chosen)
        tokens, line_offsets = take_ranges(self.lines, lines)
        return replace(self, tokens=self.tokens[tokens], lines=line_offsets, documents=documents)


def encode(
    corpus: Tokenised,
    vocabulary: Vocabulary,
    max_words: int = PAPER.max_words,
    max_characters: int = PAPER.max_characters,
) -> Encoded:
    types = corpus.types + MARKERS
    characters = [vocabulary.character_numbers(word)[:max_characters] for word in types]
    lengths, is_end = line_lengths(np.diff(corpus.sentences), max_words)
    lines = offsets(lengths + 1)
    markers = np.where(is_end, len(corpus.types), len(corpus.types) + 1)
    tokens = np.insert(corpus.tokens, np.cumsum(lengths), markers)  # at the end of each line
    sentence_ends = np.append(0, np.flatnonzero(is_end) + 1)
    return Encoded(
        type_words=np.array([vocabulary.word_number(word) for word in types], dtype=np.int32),
        type_characters=np.array([c for word in characters for c in word], dtype=np.int32),
        type_starts=offsets([len(word) for word in characters]),
        tokens=tokens,
        lines=lines,
        documents=sentence_ends[corpus.documents],
    )


def unknown_counts(corpus: Tokenised, vocabulary: Vocabulary) -> Offsets:
    """Number of tokens of each document that are not in the vocabulary."""
    is_unknown = np.array([vocabulary.word_number(word) == UNKNOWN for word in corpus.types], bool)
    return corpus.count_types(is_unknown)


def line_lengths(
    sentence_lengths: npt.NDArray[np.int64], max_words: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Words in each line, markers not counted, and whether the line ends its sentence."""
    room = max_words - 1
    n_lines = -(-sentence_lengths // room)
    ends = np.cumsum(n_lines) - 1
    lengths = np.full(int(n_lines.sum()), room, dtype=np.int64)
    lengths[ends] = sentence_lengths - (n_lines - 1) * room
    is_end = np.zeros(len(lengths), dtype=bool)
    is_end[ends] = True
    return lengths, is_end
