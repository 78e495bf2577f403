"""Batches of stretches of lines without padding, cut out of the corpus on the device.

The host sends the first line and the number of lines of each stretch; only the number of distinct
words is read back. A rounded batch is filled up to one of a few sizes, so that recorded kernels can
be launched again for other batches. Tokens may be replaced by the unknown token, which has no
spelling.

Letters of the shapes: N rows, S sequences, T steps of the longest; others as in `model.py`.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.autograd import Function

from adhominem.arrays import Integers
from adhominem.instrument.network.stretches import LineRanges
from adhominem.instrument.text.encode import Encoded
from adhominem.instrument.text.vocabulary import RESERVED_WORDS, UNKNOWN
from adhominem.laboratory.network.model import Batch

_FREQUENT = 400  # first words of the vocabulary, the most frequent, which are not content words


@dataclass(frozen=True, slots=True)
class Sequences:
    """Sequences in one table; sequence i has the rows `starts[i]:starts[i + 1]`. The host knows the
    number of rows and a bound on the lengths, so it never waits for the device."""

    starts: Tensor  # (S + 1,)
    owner: Tensor  # (N,) sequence of each row
    longest: int  # upper bound of the lengths

    @property
    def n(self) -> int:
        return len(self.starts) - 1

    @property
    def lengths(self) -> Tensor:
        return self.starts.diff()  # (S,)

    def padded(self, width: int | None = None, *, backwards: bool = False) -> "Padding":
        """Return the mapping to a padded table of `width` steps, by default `longest`. With
        `backwards`, each sequence is reversed. Padding comes last in both cases."""
        width = self.longest if width is None else width
        last = (self.lengths - 1).unsqueeze(1)  # (S, 1)
        step = torch.minimum(torch.arange(width, device=last.device), last)  # (S, T)
        of_row = torch.arange(len(self.owner), device=last.device) - self.starts[self.owner]  # (N,)
        if backwards:
            step, of_row = last - step, self.lengths[self.owner] - 1 - of_row
        rows = self.starts[:-1].unsqueeze(1) + step
        rows = rows.clamp(0, len(self.owner) - 1)  # a sequence may have no steps
        return Padding(rows, slots=self.owner * width + of_row)


@dataclass(frozen=True, slots=True)
class Padding:
    """Mapping from flat rows to the slots of a padded table and back."""

    rows: Tensor  # (S, T) row of each slot; padding repeats the last row of its sequence
    slots: Tensor  # (N,) slot of each row

    def pad(self, flat: Tensor) -> Tensor:
        """(N, D) -> (S, T, D). The gradient of padding is ignored."""
        padded: Tensor = _Pad.apply(flat, self.rows, self.slots)  # type: ignore[no-untyped-call]
        return padded

    def flatten(self, padded: Tensor) -> Tensor:
        """(S, T, D) -> (N, D)."""
        return padded.flatten(0, 1).index_select(0, self.slots)


class _Pad(Function):
    """flat[rows]; as every row has one slot, its gradient is looked up instead of summed."""

    @staticmethod
    def forward(ctx: object, flat: Tensor, rows: Tensor, slots: Tensor) -> Tensor:
        ctx.save_for_backward(slots)  # type: ignore[attr-defined]
        return flat[rows]

    @staticmethod
    def backward(ctx: object, gradient: Tensor) -> tuple[Tensor, None, None]:
        (slots,) = ctx.saved_tensors  # type: ignore[attr-defined]
        return gradient.flatten(0, 1)[slots], None, None


def lay_out(lengths: Tensor, n_rows: int, longest: int) -> Sequences:
    """Return consecutive sequences of these lengths; `n_rows` is the sum of the lengths."""
    starts = nn.functional.pad(lengths.cumsum(0), (1, 0))
    numbers = torch.arange(len(lengths), device=lengths.device)
    return Sequences(starts, numbers.repeat_interleave(lengths, output_size=n_rows), longest)


@dataclass(frozen=True, slots=True)
class RaggedBatch:
    """Documents as integers, without padding. A rounded batch ends with filling documents of
    unknown words."""

    words: Tensor  # (U,) vocabulary number of each distinct word
    characters: Tensor  # (U, T_c) character numbers, 0 after the end of a word
    tokens: Tensor  # (N,) index in the U words
    lines: Sequences  # of tokens
    documents: Sequences  # of lines

    def tensors(self) -> list[Tensor]:
        """Return all tensors of the batch."""
        parts = [(part.starts, part.owner) for part in (self.lines, self.documents)]
        return [self.words, self.characters, self.tokens, *parts[0], *parts[1]]

    def padded(self) -> Batch:
        """Return the batch, which must not be rounded, as input of the `forward` of a network."""
        line_lengths, document_lengths = self.lines.lengths.cpu(), self.documents.lengths.cpu()
        tokens = self.tokens[self.lines.padded(int(line_lengths.max())).rows]  # (L, T_w)
        lines = self.documents.padded(int(document_lengths.max())).rows  # (B, T_s)
        own = self.words, self.characters
        return Batch(*own, tokens, line_lengths, lines, document_lengths)


@dataclass(frozen=True, slots=True)
class Hiding:
    """Pseudo-random choice of hidden tokens, by `key` and their positions in the corpus only.

    share           probability with which any token is hidden
    content_share   share of documents in which content words are hidden with a further probability,
                    drawn for each document uniformly from 0 to 1
    """

    share: float = 0.0
    key: int = 0
    content_share: float = 0.0

    def __bool__(self) -> bool:
        return self.share > 0 or self.content_share > 0

    def of_documents(self, first: Tensor) -> Tensor:
        """Return the probability of hidden content words (B,), given the first lines (B,)."""
        drawn = scatter(first, self.key + 1)  # (B,)
        return torch.where(drawn < self.content_share, drawn / (self.content_share or 1.0), 0.0)

    def of_tokens(self, positions: Tensor, is_content: Tensor, of_document: Tensor) -> Tensor:
        """Return whether each token is hidden; `of_document` is the probability of its document."""
        share = torch.where(is_content, of_document, 0.0).clamp(min=self.share)
        return scatter(positions, self.key) < share


class Collator:
    """Cuts batches, which may be rounded, out of a corpus on the device."""

    def __init__(self, corpus: Encoded, device: torch.device, *, rounded: bool = False) -> None:
        self._line_starts, self._device, self._rounded = corpus.lines, device, rounded
        self._longest = int(np.diff(corpus.lines).max(initial=1))
        # The last type is the unknown token, which has no spelling.
        words = np.append(corpus.type_words, np.int32(UNKNOWN))
        characters = np.pad(pad_characters(corpus), ((0, 1), (0, 0)))
        is_rare = corpus.type_words >= len(RESERVED_WORDS) + _FREQUENT
        is_content = is_rare | (corpus.type_words == UNKNOWN)
        is_content &= np.diff(corpus.type_starts) > 0  # types with a spelling
        arrays = (corpus.lines, corpus.tokens, words, characters, is_content)
        self._starts, self._tokens, self._words, self._characters, self._is_content = (
            torch.from_numpy(array).to(device) for array in arrays
        )

    def batch(self, ranges: LineRanges, hiding: Hiding = Hiding()) -> RaggedBatch:
        """Return the batch of these stretches, in which hidden tokens are the unknown token."""
        n, ends = len(ranges), ranges.first + ranges.count
        n_lines, longest = int(ranges.count.sum()), int(ranges.count.max())
        n_tokens = int((self._line_starts[ends] - self._line_starts[ranges.first]).sum())
        filling = Filling()
        if self._rounded:
            longest = 1 << (longest - 1).bit_length()
            filling = fill_up(n, n_lines, n_tokens, longest, self._longest)
        n_more = int(filling.lines.sum())
        count = np.concatenate([ranges.count, filling.documents])
        sent = to_device(np.concatenate([ranges.first, count, filling.lines]), self._device)
        first = sent[:n]  # (B,)
        documents = lay_out(sent[n : n + len(count)], int(count.sum()), longest)
        line = _count_from(first, documents, n_lines)  # (L,)
        line_starts = self._starts[line]
        lengths = torch.cat([self._starts[line + 1] - line_starts, sent[n + len(count) :]])
        lines = lay_out(lengths, n_tokens + n_more, self._longest)
        indices = _count_from(line_starts, lines, n_tokens)  # (N,)
        types = self._tokens[indices]
        unknown = len(self._words) - 1
        if hiding:
            of_lines = hiding.of_documents(first)[documents.owner[:n_lines]]  # (L,)
            of_tokens = of_lines[lines.owner[:n_tokens]]  # (N,)
            hidden = hiding.of_tokens(indices, self._is_content[types], of_tokens)
            types = types.masked_fill(hidden, unknown)
        types = nn.functional.pad(types, (0, n_more), value=unknown)
        types, tokens = torch.unique(types, return_inverse=True)  # (U,), (N,)
        if self._rounded:
            types = nn.functional.pad(types, (0, round_up(len(types)) - len(types)), value=unknown)
        return RaggedBatch(self._words[types], self._characters[types], tokens, lines, documents)


class Filling(NamedTuple):
    """Number of lines of each filling document, and of tokens of each filling line; may be 0."""

    documents: Integers = np.zeros(0, np.int64)
    lines: Integers = np.zeros(0, np.int64)


def fill_up(
    n_documents: int, n_lines: int, n_tokens: int, max_lines: int, max_tokens: int
) -> Filling:
    """Return the documents and lines that round up the numbers of tokens, lines and documents."""

    def share(total: int, n: int, most: int) -> Integers:
        return np.clip(total - most * np.arange(n, dtype=np.int64), 0, most)

    tokens = round_up(n_tokens) - n_tokens
    lines = round_up(n_lines + -(-tokens // max_tokens)) - n_lines
    documents = round_up(n_documents + -(-lines // max_lines)) - n_documents
    return Filling(share(lines, documents, max_lines), share(tokens, lines, max_tokens))


def round_up(n: int) -> int:
    """Return the next number of a series with steps of at most an eighth."""
    unit = 1 << max(0, n.bit_length() - 4)
    return -(-n // unit) * unit


def pad_characters(corpus: Encoded) -> npt.NDArray[np.int32]:
    """Return the characters (U, T_c) of each word type, 0 after the end of a word."""
    lengths = np.diff(corpus.type_starts)
    width = max(1, int(lengths.max(initial=0)))
    padded = np.zeros((len(lengths), width), dtype=np.int32)
    padded[np.arange(width) < lengths[:, None]] = corpus.type_characters
    return padded


def to_device(values: npt.NDArray[Any], device: torch.device) -> Tensor:
    """Return a copy on the device without waiting for it."""
    tensor = torch.from_numpy(np.ascontiguousarray(values))
    if device.type == "cuda":
        return tensor.pin_memory().to(device, non_blocking=True)
    return tensor.to(device)


def _count_from(first: Tensor, sequences: Sequences, n_rows: int) -> Tensor:
    """Return first[i] + t for each of the first `n_rows` rows, row t of sequence i."""
    rows = torch.arange(n_rows, device=first.device)
    return rows + (first - sequences.starts[: len(first)])[sequences.owner[:n_rows]]


def scatter(positions: Tensor, key: int) -> Tensor:
    """Return a pseudo-random number from 0 to 1 for each position."""
    x = (positions + key * 0x2545F491) * -7046029254386353131
    x = (x ^ (x >> 29)) * -4658895280553007687
    return ((x >> 33) & 0xFFFFFF) / 0x1000000
