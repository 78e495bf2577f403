"""Sequences of different lengths as one flat table of rows, without padding.

Letters of the shapes: N rows, S sequences, T steps of the longest sequence.
"""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.autograd import Function


@dataclass(frozen=True, slots=True)
class Sequences:
    """Sequence i has the rows `starts[i]:starts[i + 1]`. The host knows the number of rows and a
    bound on the lengths, so it never waits for the device."""

    starts: Tensor  # (S + 1,)
    owner: Tensor  # (N,) sequence of each row
    longest: int  # at least the number of steps of each sequence

    @property
    def n(self) -> int:
        """Number of sequences."""
        return len(self.starts) - 1

    @property
    def lengths(self) -> Tensor:
        """Number of steps of each sequence."""
        return self.starts.diff()  # (S,)

    @property
    def steps(self) -> Tensor:
        """Step of each row in its sequence."""
        rows = torch.arange(len(self.owner), device=self.owner.device)
        return rows - self.starts[self.owner]  # (N,)

    def present(self) -> Tensor:
        """True where a sequence has a step, False on padding."""
        steps = torch.arange(self.longest, device=self.starts.device)
        return steps < self.lengths.unsqueeze(1)  # (S, T)

    def padded(self, width: int | None = None, *, backwards: bool = False) -> "Padding":
        """The way to a table of `width` steps, `longest` if none is given; with `backwards` each
        sequence begins with its last step. Padding comes last."""
        width = self.longest if width is None else width
        last = (self.lengths - 1).unsqueeze(1)  # (S, 1)
        step = torch.minimum(torch.arange(width, device=last.device), last)  # (S, T)
        of_row = self.steps
        if backwards:
            step = last - step
            of_row = self.lengths[self.owner] - 1 - of_row
        rows = self.starts[:-1].unsqueeze(1) + step
        return Padding(
            rows=rows.clamp(0, len(self.owner) - 1),  # a sequence may have no steps
            slots=self.owner * width + of_row,
        )


@dataclass(frozen=True, slots=True)
class Padding:
    """The way from flat rows to the slots of a padded table and back."""

    rows: Tensor  # (S, T) row of each slot; a slot of padding repeats the last row of its sequence
    slots: Tensor  # (N,) slot of each row

    def pad(self, flat: Tensor) -> Tensor:
        """(N, D) -> (S, T, D). The gradient of padding is left out."""
        padded: Tensor = _Pad.apply(flat, self.rows, self.slots)  # type: ignore[no-untyped-call]
        return padded

    def flatten(self, padded: Tensor) -> Tensor:
        """(S, T, D) -> (N, D)."""
        return padded.flatten(0, 1).index_select(0, self.slots)


class _Pad(Function):
    """Every row has one slot, so its gradient is looked up there and nothing is summed."""

    @staticmethod
    def forward(ctx: object, flat: Tensor, rows: Tensor, slots: Tensor) -> Tensor:
        ctx.save_for_backward(slots)  # type: ignore[attr-defined]
        return flat[rows]

    @staticmethod
    def backward(ctx: object, gradient: Tensor) -> tuple[Tensor, None, None]:
        (slots,) = ctx.saved_tensors  # type: ignore[attr-defined]
        return gradient.flatten(0, 1)[slots], None, None


def lay_out(lengths: Tensor, n_rows: int, longest: int) -> Sequences:
    """Sequences of these lengths one after another; `n_rows` is the sum of the lengths."""
    starts = torch.nn.functional.pad(lengths.cumsum(0), (1, 0))
    numbers = torch.arange(len(lengths), device=lengths.device)
    return Sequences(starts, numbers.repeat_interleave(lengths, output_size=n_rows), longest)
