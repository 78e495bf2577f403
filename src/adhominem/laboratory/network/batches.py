"""Ragged documents to the padded tensors of one batch, on the device where the corpus lies."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from adhominem.instrument.network.stretches import LineRanges
from adhominem.instrument.text.encode import Encoded
from adhominem.instrument.text.vocabulary import UNKNOWN
from adhominem.laboratory.network.hiding import Hiding, content_words
from adhominem.laboratory.network.model import Batch


def pad_characters(corpus: Encoded) -> npt.NDArray[np.int32]:
    """(U, T_c), 0 where a word has ended."""
    lengths = np.diff(corpus.type_starts)
    width = max(1, int(lengths.max(initial=0)))
    padded = np.zeros((len(lengths), width), dtype=np.int32)
    padded[np.arange(width) < lengths[:, None]] = corpus.type_characters
    return padded


class Collator:
    """Holds a corpus on a device and cuts batches out of it there."""

    def __init__(self, corpus: Encoded, device: torch.device) -> None:
        self._line_starts = corpus.lines
        self._device = device
        self._tokens = torch.from_numpy(corpus.tokens).to(device)
        # One more type than the corpus has: the unknown token, which has no spelling.
        words = np.append(corpus.type_words, np.int32(UNKNOWN))
        characters = np.pad(pad_characters(corpus), ((0, 1), (0, 0)))
        self._words = torch.from_numpy(words).to(device)
        self._characters = torch.from_numpy(characters).to(device)
        is_content = content_words(corpus.type_words, corpus.type_starts)
        self._is_content = torch.from_numpy(is_content).to(device)

    def batch(self, ranges: LineRanges, hiding: Hiding = Hiding()) -> Batch:
        document_starts = np.cumsum(ranges.count) - ranges.count
        lines = np.arange(ranges.count.sum()) + np.repeat(
            ranges.first - document_starts, ranges.count
        )
        line_starts = self._line_starts[lines]
        line_lengths = self._line_starts[lines + 1] - line_starts
        places = self._places(line_starts, line_lengths)  # (L, T_w)
        found = self._tokens[places]
        if hiding:
            first = torch.from_numpy(np.repeat(ranges.first, ranges.count)).to(self._device)
            of_lines = hiding.of_documents(first).unsqueeze(1)  # (L, 1)
            hidden = hiding.of_tokens(places, self._is_content[found], of_lines)
            found = torch.where(hidden, len(self._words) - 1, found)
        types, tokens = torch.unique(found, return_inverse=True)  # (U,), (L, T_w)
        return Batch(
            words=self._words[types],
            characters=self._characters[types],
            tokens=tokens,
            line_lengths=torch.from_numpy(line_lengths),
            lines=self._places(document_starts, ranges.count),  # (B, T_s)
            document_lengths=torch.from_numpy(ranges.count),
        )

    def _places(self, starts: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64]) -> Tensor:
        """Row i counts from starts[i]; padding repeats the last place, and is masked later."""
        steps = torch.arange(int(lengths.max()), device=self._device)
        first = torch.from_numpy(starts).to(self._device, non_blocking=True)
        last = torch.from_numpy(lengths - 1).to(self._device, non_blocking=True)
        return first.unsqueeze(1) + torch.minimum(steps, last.unsqueeze(1))
