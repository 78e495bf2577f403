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

from adhominem.network.batches import (
    UNKNOWN,
    EncodedCorpus,
    LineRanges,
    Offsets,
    pad_characters,
    scatter,
)
from adhominem.network.sequences import Sequences, lay_out


@dataclass(frozen=True, slots=True)
class RaggedBatch:
    """Documents as integers: `adhominem.network.model.Batch` without its padding."""

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


@dataclass(frozen=True, slots=True)
class Hiding:
    """Which tokens become the unknown token, which has no spelling. Every token is hidden with
    `share`; a word of vocabulary number `rare_from` or more also with the share of its document.
    The choice depends on `key` and on a token's place in the corpus alone."""

    share: float = 0.0
    key: int = 0
    rare_from: int = 0
    rare_shares: Tensor | None = None  # (B,)


class RaggedCollator:
    """Holds a corpus on a device and cuts batches out of it there.

    A `rounded` batch is filled up to one of few sizes, so that kernels launched for one batch can
    be launched again for another: documents of unknown words follow those that were asked for.
    """

    def __init__(
        self, corpus: EncodedCorpus, device: torch.device, *, rounded: bool = False
    ) -> None:
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

    def batch(self, ranges: LineRanges, hiding: Hiding = Hiding()) -> RaggedBatch:
        ends = ranges.first + ranges.count
        n_tokens = int((self._line_starts[ends] - self._line_starts[ranges.first]).sum())
        n_lines, longest = int(ranges.count.sum()), int(ranges.count.max())
        filling = _NOTHING
        if self._rounded:
            longest = 1 << (longest - 1).bit_length()
            filling = fill_up(len(ranges), n_lines, n_tokens, longest, self._longest)
        sent = to_device(
            np.concatenate([ranges.first, ranges.count, filling.documents, filling.lines]),
            self._device,
        )
        n, n_extra = len(ranges), len(filling.lines)
        first, count, extra_lines = (
            sent[:n],
            sent[n : len(sent) - n_extra],
            sent[len(sent) - n_extra :],
        )
        documents = lay_out(count, n_lines + len(filling.lines), longest)
        own = documents.owner[:n_lines]
        line = (
            torch.arange(n_lines, device=self._device)
            + (first - documents.starts[: len(first)])[own]
        )
        line_starts = self._starts[line]
        lengths = torch.cat([self._starts[line + 1] - line_starts, extra_lines])  # (L,)
        lines = lay_out(lengths, n_tokens + int(filling.lines.sum()), self._longest)
        own = lines.owner[:n_tokens]
        places = (
            torch.arange(n_tokens, device=self._device)
            + (line_starts - lines.starts[:n_lines])[own]
        )
        found = self._tokens[places]
        hidden = self._hidden(places, found, documents.owner, own, hiding)
        unknown = len(self._words) - 1
        if hidden is not None:
            found = found.masked_fill(hidden, unknown)
        found = nn.functional.pad(found, (0, int(filling.lines.sum())), value=unknown)
        types, tokens = torch.unique(found, return_inverse=True)  # (U,), (N,)
        if self._rounded:
            types = nn.functional.pad(types, (0, round_up(len(types)) - len(types)), value=unknown)
        return RaggedBatch(self._words[types], self._characters[types], tokens, lines, documents)

    def _hidden(
        self, places: Tensor, found: Tensor, document: Tensor, line: Tensor, hiding: Hiding
    ) -> Tensor | None:
        hidden = None
        if hiding.share:
            hidden = scatter(places, hiding.key) < hiding.share  # (N,)
        if hiding.rare_shares is not None:
            share = hiding.rare_shares[document][line]  # (N,)
            rare = (self._words[found] >= hiding.rare_from) & (
                scatter(places, hiding.key + 1) < share
            )
            hidden = rare if hidden is None else hidden | rare
        return hidden


def to_device(values: npt.NDArray[Any], device: torch.device) -> Tensor:
    """A copy that the host does not wait for."""
    tensor = torch.from_numpy(np.ascontiguousarray(values))
    if device.type == "cuda":
        return tensor.pin_memory().to(device, non_blocking=True)
    return tensor.to(device)


@dataclass(frozen=True, slots=True)
class Filling:
    """Lines of each further document and tokens of each further line."""

    documents: Offsets
    lines: Offsets


_NOTHING = Filling(np.zeros(0, np.int64), np.zeros(0, np.int64))


def fill_up(
    n_documents: int, n_lines: int, n_tokens: int, max_lines: int, max_tokens: int
) -> Filling:
    """What is missing to round sizes of tokens, lines and documents; lines may be empty."""
    tokens = round_up(n_tokens) - n_tokens
    lines = round_up(n_lines + -(-tokens // max_tokens)) - n_lines
    documents = round_up(n_documents + -(-lines // max_lines)) - n_documents
    return Filling(_shares(lines, documents, max_lines), _shares(tokens, lines, max_tokens))


def round_up(n: int) -> int:
    """The next of sizes that grow by an eighth at most."""
    unit = 1 << max(0, n.bit_length() - 4)
    return -(-n // unit) * unit


def _shares(total: int, n: int, most: int) -> Offsets:
    """n numbers up to `most` that add up to `total`, the large ones first."""
    return np.clip(total - most * np.arange(n, dtype=np.int64), 0, most)
