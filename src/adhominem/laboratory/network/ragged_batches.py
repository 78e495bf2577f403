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
from torch import Tensor, nn

from adhominem.instrument.network.stretches import LineRanges
from adhominem.instrument.text.encode import Encoded
from adhominem.instrument.text.vocabulary import UNKNOWN
from adhominem.laboratory.network.batches import pad_characters
from adhominem.laboratory.network.filling import NO_FILLING, fill_up, round_up
from adhominem.laboratory.network.hiding import Hiding, content_words
from adhominem.laboratory.network.sequences import Sequences, lay_out


@dataclass(frozen=True, slots=True)
class RaggedBatch:
    """Documents as integers: `adhominem.laboratory.network.model.Batch` without its padding."""

    words: Tensor  # (U,) vocabulary number of each distinct word
    characters: Tensor  # (U, T_c) character numbers, 0 where there is none
    tokens: Tensor  # (N,) place in the U words
    lines: Sequences  # of tokens
    documents: Sequences  # of lines; those beyond the ones asked for fill the batch up

    def tensors(self) -> list[Tensor]:
        return [
            *(self.words, self.characters, self.tokens, self.lines.starts, self.lines.owner),
            *(self.documents.starts, self.documents.owner),
        ]


class RaggedCollator:
    """Holds a corpus on a device and cuts batches out of it there.

    A `rounded` batch is filled up to one of few sizes, so that kernels launched for one batch can
    be launched again for another: documents of unknown words follow those that were asked for.
    """

    def __init__(self, corpus: Encoded, device: torch.device, *, rounded: bool = False) -> None:
        self._line_starts = corpus.lines
        self._longest = int(np.diff(corpus.lines).max(initial=1))
        self._device = device
        self._rounded = rounded
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
        n, ends = len(ranges), ranges.first + ranges.count
        n_lines, longest = int(ranges.count.sum()), int(ranges.count.max())
        n_tokens = int((self._line_starts[ends] - self._line_starts[ranges.first]).sum())
        filling = NO_FILLING
        if self._rounded:
            longest = 1 << (longest - 1).bit_length()
            filling = fill_up(n, n_lines, n_tokens, longest, self._longest)
        count = np.concatenate([ranges.count, filling.documents])
        sent = to_device(np.concatenate([ranges.first, count, filling.lines]), self._device)
        first = sent[:n]  # (B,)
        documents = lay_out(sent[n : n + len(count)], int(count.sum()), longest)
        line = _count_from(first, documents, n_lines)  # (L,)
        line_starts = self._starts[line]
        lengths = torch.cat([self._starts[line + 1] - line_starts, sent[n + len(count) :]])
        lines = lay_out(lengths, n_tokens + filling.n_tokens, self._longest)
        places = _count_from(line_starts, lines, n_tokens)  # (N,)
        found = self._tokens[places]
        unknown = len(self._words) - 1
        if hiding:
            of_lines = hiding.of_documents(first)[documents.owner[:n_lines]]  # (L,)
            of_tokens = of_lines[lines.owner[:n_tokens]]  # (N,)
            hidden = hiding.of_tokens(places, self._is_content[found], of_tokens)
            found = found.masked_fill(hidden, unknown)
        found = nn.functional.pad(found, (0, filling.n_tokens), value=unknown)
        types, tokens = torch.unique(found, return_inverse=True)  # (U,), (N,)
        if self._rounded:
            types = nn.functional.pad(types, (0, round_up(len(types)) - len(types)), value=unknown)
        return RaggedBatch(self._words[types], self._characters[types], tokens, lines, documents)


def to_device(values: npt.NDArray[Any], device: torch.device) -> Tensor:
    """A copy that the host does not wait for."""
    tensor = torch.from_numpy(np.ascontiguousarray(values))
    if device.type == "cuda":
        return tensor.pin_memory().to(device, non_blocking=True)
    return tensor.to(device)


def _count_from(first: Tensor, sequences: Sequences, n_rows: int) -> Tensor:
    """first[i], first[i] + 1, ... for those of the first rows that are of sequence i."""
    rows = torch.arange(n_rows, device=first.device)
    return rows + (first - sequences.starts[: len(first)])[sequences.owner[:n_rows]]
