"""The weighted sum of attention over flat sequences as two Triton kernels.

    alpha_j = softmax_j(s_j),  x = sum_j alpha_j h_j

One program has one sequence. `padded_pool` in `ragged.py` computes the same with torch alone.
"""

from __future__ import annotations

from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor
from torch.autograd import Function


@triton.jit  # type: ignore[untyped-decorator]
def _forward(
    scores: tl.tensor,  # (N,)
    h: tl.tensor,  # (N, D)
    starts: tl.tensor,
    alpha: tl.tensor,  # (N,)
    pooled: tl.tensor,  # (S, D)
    D: tl.constexpr,
    WIDTH: tl.constexpr,
    STEPS: tl.constexpr,
) -> None:
    sequence = tl.program_id(0).to(tl.int64)
    start = tl.load(starts + sequence)
    n = tl.load(starts + sequence + 1) - start
    t = tl.arange(0, STEPS)
    d = tl.arange(0, WIDTH)
    s = tl.load(scores + start + t, mask=t < n, other=-float("inf"))
    e = tl.exp(s - tl.where(n > 0, tl.max(s, 0), 0.0))
    a = e / tl.where(n > 0, tl.sum(e, 0), 1.0)  # a sequence without steps has x = 0
    tl.store(alpha + start + t, a, mask=t < n)
    place = (start + t)[:, None] * D + d[None, :]
    there = (t < n)[:, None] & (d < D)[None, :]
    x = tl.sum(a[:, None] * tl.load(h + place, mask=there, other=0).to(tl.float32), 0)
    tl.store(pooled + sequence * D + d, x, mask=d < D)


@triton.jit  # type: ignore[untyped-decorator]
def _backward(
    gradient: tl.tensor,  # (S, D) of x
    alpha: tl.tensor,
    h: tl.tensor,
    starts: tl.tensor,
    d_scores: tl.tensor,  # (N,) written here
    d_h: tl.tensor,  # (N, D) written here
    D: tl.constexpr,
    WIDTH: tl.constexpr,
    STEPS: tl.constexpr,
) -> None:
    sequence = tl.program_id(0).to(tl.int64)
    start = tl.load(starts + sequence)
    n = tl.load(starts + sequence + 1) - start
    t = tl.arange(0, STEPS)
    d = tl.arange(0, WIDTH)
    a = tl.load(alpha + start + t, mask=t < n, other=0)
    dx = tl.load(gradient + sequence * D + d, mask=d < D, other=0).to(tl.float32)
    place = (start + t)[:, None] * D + d[None, :]
    there = (t < n)[:, None] & (d < D)[None, :]
    states = tl.load(h + place, mask=there, other=0).to(tl.float32)
    d_alpha = tl.sum(states * dx[None, :], 1)
    tl.store(d_scores + start + t, a * (d_alpha - tl.sum(a * d_alpha, 0)), mask=t < n)
    tl.store(d_h + place, (a[:, None] * dx[None, :]).to(d_h.dtype.element_ty), mask=there)


class Pool(Function):
    """Scores (N,) in float32 and h (N, D) -> weights (N,), which have no gradient, and x (S, D)
    in float32."""

    @staticmethod
    def forward(
        ctx: Any, scores: Tensor, h: Tensor, starts: Tensor, longest: int
    ) -> tuple[Tensor, Tensor]:
        D = h.shape[1]
        ctx.sizes = {
            "D": D,
            "WIDTH": triton.next_power_of_2(D),
            "STEPS": triton.next_power_of_2(longest),
        }
        h = h.contiguous()
        alpha = torch.empty_like(scores)
        pooled = scores.new_empty(len(starts) - 1, D)
        _forward[(len(pooled),)](scores.contiguous(), h, starts, alpha, pooled, **ctx.sizes)
        ctx.save_for_backward(alpha, h, starts)
        ctx.mark_non_differentiable(alpha)
        return alpha, pooled

    @staticmethod
    def backward(ctx: Any, _: Tensor, gradient: Tensor) -> tuple[Tensor, Tensor, None, None]:
        alpha, h, starts = ctx.saved_tensors
        d_scores, d_h = torch.empty_like(alpha), torch.empty_like(h)
        _backward[(len(starts) - 1,)](
            gradient.contiguous(), alpha, h, starts, d_scores, d_h, **ctx.sizes
        )
        return d_scores, d_h, None, None
