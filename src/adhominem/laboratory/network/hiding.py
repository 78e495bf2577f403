"""Tokens that a step hides behind the unknown token, which has no spelling."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from adhominem.instrument.text.vocabulary import RESERVED_WORDS, UNKNOWN

_FREQUENT = 400  # words that say little of the content; a vocabulary begins with the most frequent


@dataclass(frozen=True, slots=True)
class Hiding:
    """The choice of hidden tokens, by `key` and their positions in the corpus alone.

    share           probability with which any token is hidden
    content_share   share of the documents in which content words are hidden as well, with a
                    probability that is drawn for each document, evenly from 0 to 1
    """

    share: float = 0.0
    key: int = 0
    content_share: float = 0.0

    def __bool__(self) -> bool:
        return self.share > 0 or self.content_share > 0

    def of_documents(self, first: Tensor) -> Tensor:
        """The probability with which content words are hidden, for documents that begin at these
        lines."""
        drawn = scatter(first, self.key + 1)  # (B,)
        return torch.where(drawn < self.content_share, drawn / (self.content_share or 1.0), 0.0)

    def of_tokens(self, positions: Tensor, is_content: Tensor, of_document: Tensor) -> Tensor:
        """Whether each token is hidden, given its position, whether it is a content word, and
        `of_documents` for its document."""
        share = torch.where(is_content, of_document, 0.0).clamp(min=self.share)
        return scatter(positions, self.key) < share


def content_words(
    type_words: npt.NDArray[np.int32], type_starts: npt.NDArray[np.int64]
) -> npt.NDArray[np.bool_]:
    """Whether each word type is a content word: it has a spelling and is not frequent."""
    is_rare = (type_words == UNKNOWN) | (type_words >= len(RESERVED_WORDS) + _FREQUENT)
    is_content: npt.NDArray[np.bool_] = is_rare & (np.diff(type_starts) > 0)
    return is_content


def scatter(positions: Tensor, key: int) -> Tensor:
    """A pseudo-random number from 0 to 1 for each position."""
    x = (positions + key * 0x2545F491) * -7046029254386353131
    x = (x ^ (x >> 29)) * -4658895280553007687
    return ((x >> 33) & 0xFFFFFF) / 0x1000000
