"""Ragged documents to the padded tensors of one batch, on the device where the corpus lies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from adhominem.network.model import Batch
from adhominem.text.vocabulary import RESERVED_WORDS

Offsets = npt.NDArray[np.int64]
_UNKNOWN = 1  # of every vocabulary
_FREQUENT = 400  # words that say little of the content; a vocabulary begins with the most frequent


class EncodedCorpus(Protocol):
    """What is needed of `adhominem.text.encode.Encoded`."""

    @property
    def type_words(self) -> npt.NDArray[np.int32]: ...
    @property
    def type_characters(self) -> npt.NDArray[np.int32]: ...
    @property
    def type_starts(self) -> Offsets: ...
    @property
    def tokens(self) -> npt.NDArray[np.int32]: ...
    @property
    def lines(self) -> Offsets: ...
    @property
    def documents(self) -> Offsets: ...


@dataclass(frozen=True, slots=True)
class LineRanges:
    """Stretches of consecutive lines to be read as documents; stretch i begins at `first[i]`."""

    first: Offsets
    count: Offsets

    def __len__(self) -> int:
        return len(self.first)


@dataclass(frozen=True, slots=True)
class Chunks:
    """Documents cut into stretches of equal size that the network can read at once.

    Stretch i belongs to document `owner[i]`, of which it holds the share `share[i]`.
    """

    ranges: LineRanges
    owner: Offsets
    share: npt.NDArray[np.float64]


def count_stretches(corpus: EncodedCorpus, max_lines: int) -> Offsets:
    """As few for each document as hold all its lines."""
    return -(-np.diff(corpus.documents) // max_lines)


def cut_documents(corpus: EncodedCorpus, max_lines: int) -> Chunks:
    """As few stretches as possible for each document, all within `max_lines`; none is left out."""
    n_lines = np.diff(corpus.documents)
    n_chunks = count_stretches(corpus, max_lines)
    owner = np.repeat(np.arange(len(n_lines)), n_chunks)
    number = np.arange(len(owner)) - np.repeat(np.cumsum(n_chunks) - n_chunks, n_chunks)
    begin = number * n_lines[owner] // n_chunks[owner]
    end = (number + 1) * n_lines[owner] // n_chunks[owner]
    first = corpus.documents[owner] + begin
    count = end - begin
    n_tokens = corpus.lines[first + count] - corpus.lines[first]
    whole = np.bincount(owner, weights=n_tokens, minlength=len(n_lines))
    return Chunks(LineRanges(first, count), owner, n_tokens / whole[owner])


def pad_characters(corpus: EncodedCorpus) -> npt.NDArray[np.int32]:
    """(U, T_c), 0 where a word has ended."""
    lengths = np.diff(corpus.type_starts)
    width = max(1, int(lengths.max(initial=0)))
    padded = np.zeros((len(lengths), width), dtype=np.int32)
    padded[np.arange(width) < lengths[:, None]] = corpus.type_characters
    return padded


def _is_content(corpus: EncodedCorpus) -> npt.NDArray[np.bool_]:
    """Words with a spelling that are not among the most frequent."""
    words = corpus.type_words
    is_rare = (words == _UNKNOWN) | (words >= len(RESERVED_WORDS) + _FREQUENT)
    is_content: npt.NDArray[np.bool_] = is_rare & (np.diff(corpus.type_starts) > 0)
    return is_content


def _scatter(places: Tensor, key: int) -> Tensor:
    """A number from 0 to 1 for each place, as if at random."""
    x = (places + key * 0x2545F491) * -7046029254386353131
    x = (x ^ (x >> 29)) * -4658895280553007687
    return ((x >> 33) & 0xFFFFFF) / 0x1000000


class Collator:
    """Holds a corpus on a device and cuts batches out of it there."""

    def __init__(self, corpus: EncodedCorpus, device: torch.device) -> None:
        self._line_starts = corpus.lines
        self._device = device
        self._tokens = torch.from_numpy(corpus.tokens).to(device)
        # One more type than the corpus has: the unknown token, which has no spelling.
        words = np.append(corpus.type_words, np.int32(_UNKNOWN))
        characters = np.pad(pad_characters(corpus), ((0, 1), (0, 0)))
        self._words = torch.from_numpy(words).to(device)
        self._characters = torch.from_numpy(characters).to(device)
        self._is_content = torch.from_numpy(_is_content(corpus)).to(device)

    def batch(
        self,
        ranges: LineRanges,
        *,
        unknown_share: float = 0.0,
        content_share: float = 0.0,
        key: int = 0,
    ) -> Batch:
        """Hides a share of the tokens behind the unknown token, and in a share of the documents
        also content words; which ones depends on `key` and on their places in the corpus alone."""
        document_starts = np.cumsum(ranges.count) - ranges.count
        lines = np.arange(ranges.count.sum()) + np.repeat(
            ranges.first - document_starts, ranges.count
        )
        line_starts = self._line_starts[lines]
        line_lengths = self._line_starts[lines + 1] - line_starts
        places = self._places(line_starts, line_lengths)  # (L, T_w)
        found = self._tokens[places]
        if unknown_share or content_share:
            hidden_share = self._hidden_share(ranges, content_share, key).unsqueeze(1)  # (L, 1)
            hidden_share = torch.where(self._is_content[found], hidden_share, 0.0)
            hidden = _scatter(places, key) < torch.clamp(hidden_share, min=unknown_share)
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

    def _hidden_share(self, ranges: LineRanges, content_share: float, key: int) -> Tensor:
        """For each line the probability with which its content words are hidden."""
        first = torch.from_numpy(ranges.first).to(self._device, non_blocking=True)
        drawn = _scatter(first, key + 1)  # (B,)
        share = torch.where(drawn < content_share, drawn / (content_share or 1.0), 0.0)
        counts = torch.from_numpy(ranges.count).to(self._device, non_blocking=True)
        return torch.repeat_interleave(share, counts, output_size=int(ranges.count.sum()))

    def _places(self, starts: Offsets, lengths: Offsets) -> Tensor:
        """Row i counts from starts[i]; padding repeats the last place, and is masked later."""
        steps = torch.arange(int(lengths.max()), device=self._device)
        first = torch.from_numpy(starts).to(self._device, non_blocking=True)
        last = torch.from_numpy(lengths - 1).to(self._device, non_blocking=True)
        return first.unsqueeze(1) + torch.minimum(steps, last.unsqueeze(1))
