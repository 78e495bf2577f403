"""The attention of a network over the tokens of many texts, without line markers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from adhominem.instrument.text.encode import Encoded
from adhominem.instrument.text.tokenised import Tokenised, offsets
from adhominem.instrument.text.vocabulary import UNKNOWN

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class AttendedTexts:
    """Attention as arrays.

    texts            tokens, positions and sentences
    word_attention   attention of each token within its line; with the marker it sums to 1
    line             line of each token, numbered through all texts
    line_attention   attention of each line within its text, where it sums to 1
    line_documents   text d has the lines `line_documents[d]:line_documents[d + 1]`
    is_known         True for tokens in the vocabulary
    """

    texts: Tokenised
    word_attention: Floats
    line: Integers
    line_attention: Floats
    line_documents: Integers
    is_known: npt.NDArray[np.bool_]

    @cached_property
    def weights(self) -> Floats:
        """Equation (12): word attention times the attention of its line."""
        return self.word_attention * self.line_attention[self.line]

    @cached_property
    def documents(self) -> Integers:
        """Text d has the tokens `documents[d]:documents[d + 1]`."""
        return self.texts.sentences[self.texts.documents]

    @cached_property
    def owner(self) -> Integers:
        """The text of each token."""
        return np.repeat(np.arange(self.texts.n_documents), self.texts.n_tokens)

    def tokens_at(self, text: int, start: int, end: int) -> slice:
        """The tokens that `text[start:end]` touches."""
        first, last = self.documents[text], self.documents[text + 1]
        begin = np.searchsorted(self.texts.ends[first:last], start, side="right")
        stop = np.searchsorted(self.texts.starts[first:last], end, side="left")
        return slice(int(first + begin), int(first + max(begin, stop)))


def attend(
    texts: Tokenised,
    encoded: Encoded,
    word_attention: npt.NDArray[np.float32],
    line_attention: npt.NDArray[np.float32],
) -> AttendedTexts:
    """Attention of the encoder, whose lines have markers, for tokens without markers."""
    lengths = np.diff(encoded.lines)
    is_word = np.ones(len(encoded.tokens), dtype=bool)
    is_word[encoded.lines[1:] - 1] = False
    known = encoded.type_words != UNKNOWN
    return AttendedTexts(
        texts=texts,
        word_attention=word_attention[is_word].astype(np.float64),
        line=np.repeat(np.arange(len(lengths)), lengths - 1),
        line_attention=line_attention.astype(np.float64),
        line_documents=offsets(np.diff(encoded.documents)),
        is_known=known[encoded.tokens[is_word]],
    )
