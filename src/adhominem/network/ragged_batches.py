"""Batches without padding, cut on the device out of a corpus that lies there.

The host sends the first line and the number of lines of each document, and nothing is read back
but the number of distinct words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from adhominem.network.batches import EncodedCorpus, LineRanges, pad_characters
from adhominem.network.hiding import Hiding, content_words
from adhominem.network.sequences import Sequences, lay_out
from adhominem.text.vocabulary import UNKNOWN


@dataclass(frozen=True, slots=True)
class RaggedBatch:
    """Documents as integers: `adhominem.network.model.Batch` without its padding."""

    words: Tensor  # (U,) vocabulary number of each distinct word
    characters: Tensor  # (U, T_c) character numbers, 0 where there is none
    tokens: Tensor  # (N,) place in the U words
    lines: Sequences  # of tokens
    documents: Sequences  # of lines

    def tensors(self) -> list[Tensor]:
        return [
            *(self.words, self.characters, self.tokens, self.lines.starts, self.lines.owner),
            *(self.documents.starts, self.documents.owner),
        ]


class RaggedCollator:
    """Holds a corpus on a device and cuts batches out of it there."""

    def __init__(self, corpus: EncodedCorpus, device: torch.device) -> None:
        self._line_starts = corpus.lines
        self._longest = int(np.diff(corpus.lines).max(initial=1))
        self._device = device
        self._starts = torch.from_numpy(corpus.lines).to(device)
        self._tokens = torch.from_numpy(corpus.tokens).to(device)
        # One more type than the corpus has: the unknown token, which has no spelling.
        words = np.append(corpus.type_words, np.int32(UNKNOWN))
        characters = np.pad(pad_characters(corpus), ((0, 1), (0, 0)))
        self._words = torch.from_numpy(words).to(device)
        self._characters = torch.from_numpy(characters).to(device)
        is_content = content_words(corpus.type_words, corpus.type_starts)
        self._is_content = torch.from_numpy(is_content).to(device)

    def batch(self, ranges: LineRanges, hiding: Hiding = Hiding()) -> RaggedBatch:
        first, count = to_device(np.stack([ranges.first, ranges.count]), self._device)  # (B,), (B,)
        ends = ranges.first + ranges.count
        n_tokens = int((self._line_starts[ends] - self._line_starts[ranges.first]).sum())
        documents = lay_out(count, int(ranges.count.sum()), int(ranges.count.max()))
        line = _count_from(first, documents)  # (L,)
        line_starts = self._starts[line]
        lines = lay_out(self._starts[line + 1] - line_starts, n_tokens, self._longest)
        places = _count_from(line_starts, lines)  # (N,)
        found = self._tokens[places]
        if hiding:
            of_tokens = hiding.of_documents(first)[documents.owner][lines.owner]  # (N,)
            hidden = hiding.of_tokens(places, self._is_content[found], of_tokens)
            found = found.masked_fill(hidden, len(self._words) - 1)
        types, tokens = torch.unique(found, return_inverse=True)  # (U,), (N,)
        return RaggedBatch(self._words[types], self._characters[types], tokens, lines, documents)


def to_device(values: npt.NDArray[Any], device: torch.device) -> Tensor:
    """A copy that the host does not wait for."""
    tensor = torch.from_numpy(np.ascontiguousarray(values))
    if device.type == "cuda":
        return tensor.pin_memory().to(device, non_blocking=True)
    return tensor.to(device)


def _count_from(first: Tensor, sequences: Sequences) -> Tensor:
    """first[i], first[i] + 1, ... for the rows of sequence i."""
    rows = torch.arange(len(sequences.owner), device=first.device)
    return rows + (first - sequences.starts[:-1])[sequences.owner]
