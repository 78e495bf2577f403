"""Triton kernels over flat sequences: the recurrence of an LSTM, and attention pooling.

In the LSTM, a program runs a block of sequences from the first step to the last. Recurrent weights
and state stay on the chip, and a sequence costs its own length. For each row (sequence, step), with
a the input half of the gates:

    i, f, o = sigmoid(a + W h'),  g = tanh(a + W h'),  c = f c' + i g,  h = o tanh(c)

In attention pooling, a program handles one sequence:

    alpha_j = softmax_j(s_j),  x = sum_j alpha_j h_j

`padded_lstm` and `padded_pool` compute the same with torch alone.
"""

from __future__ import annotations

from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor
from torch.autograd import Function


@triton.jit  # type: ignore[untyped-decorator]
def _tanh(x: tl.tensor) -> tl.tensor:
    return 2 * tl.sigmoid(2 * x) - 1


@triton.jit(do_not_specialize=["n_sequences"])  # type: ignore[untyped-decorator]
def _lstm_forward(
    gates: tl.tensor,  # (N, directions, 4, D) the input half a
    weights: tl.tensor,  # (directions, 4, D, D) W, rows are gates
    active: tl.tensor,  # (N, directions, 4, D) i, f, g, o
    cells: tl.tensor,  # (N, directions, D) c
    before: tl.tensor,  # (N, directions, D) h'
    states: tl.tensor,  # (N, directions, D) h
    starts: tl.tensor,
    order: tl.tensor,
    n_sequences: tl.tensor,
    DIRECTIONS: tl.constexpr,
    D: tl.constexpr,
    BLOCK: tl.constexpr,
) -> None:
    direction = tl.program_id(1)
    number = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    sequence = tl.load(order + number, mask=number < n_sequences, other=0)
    start = tl.load(starts + sequence)
    length = tl.where(number < n_sequences, tl.load(starts + sequence + 1) - start, 0)
    d = tl.arange(0, D)
    tile = weights + direction * 4 * D * D + d[:, None] + d[None, :] * D  # W transposed
    w_i = tl.load(tile)
    w_f = tl.load(tile + D * D)
    w_g = tl.load(tile + 2 * D * D)
    w_o = tl.load(tile + 3 * D * D)
    kind = weights.dtype.element_ty
    h = tl.zeros((BLOCK, D), kind)
    c = tl.zeros((BLOCK, D), tl.float32)
    longest = tl.max(length, 0)
    for t in range(longest):
        there = (t < length)[:, None]
        row = start + tl.where(direction == 0, t, length - 1 - t)
        place = (row * DIRECTIONS + direction)[:, None] * D + d[None, :]
        gate = (row * DIRECTIONS + direction)[:, None] * (4 * D) + d[None, :]
        a_i = tl.load(gates + gate, mask=there, other=0).to(tl.float32)
        a_f = tl.load(gates + gate + D, mask=there, other=0).to(tl.float32)
        a_g = tl.load(gates + gate + 2 * D, mask=there, other=0).to(tl.float32)
        a_o = tl.load(gates + gate + 3 * D, mask=there, other=0).to(tl.float32)
        tl.store(before + place, h, mask=there)
        i = tl.sigmoid(tl.dot(h, w_i, a_i, input_precision="ieee"))
        f = tl.sigmoid(tl.dot(h, w_f, a_f, input_precision="ieee"))
        g = _tanh(tl.dot(h, w_g, a_g, input_precision="ieee"))
        o = tl.sigmoid(tl.dot(h, w_o, a_o, input_precision="ieee"))
        c = f * c + i * g
        h = (o * _tanh(c)).to(kind)
        tl.store(active + gate, i.to(kind), mask=there)
        tl.store(active + gate + D, f.to(kind), mask=there)
        tl.store(active + gate + 2 * D, g.to(kind), mask=there)
        tl.store(active + gate + 3 * D, o.to(kind), mask=there)
        tl.store(cells + place, c.to(kind), mask=there)
        tl.store(states + place, h, mask=there)


@triton.jit(do_not_specialize=["n_sequences"])  # type: ignore[untyped-decorator]
def _lstm_backward(
    gradient: tl.tensor,  # (N, directions, D) of h
    weights: tl.tensor,
    active: tl.tensor,
    cells: tl.tensor,
    gates: tl.tensor,  # (N, directions, 4, D) gradient of a, written here
    starts: tl.tensor,
    order: tl.tensor,
    n_sequences: tl.tensor,
    DIRECTIONS: tl.constexpr,
    D: tl.constexpr,
    BLOCK: tl.constexpr,
) -> None:
    direction = tl.program_id(1)
    number = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    sequence = tl.load(order + number, mask=number < n_sequences, other=0)
    start = tl.load(starts + sequence)
    length = tl.where(number < n_sequences, tl.load(starts + sequence + 1) - start, 0)
    d = tl.arange(0, D)
    tile = weights + direction * 4 * D * D + d[:, None] * D + d[None, :]
    w_i = tl.load(tile)
    w_f = tl.load(tile + D * D)
    w_g = tl.load(tile + 2 * D * D)
    w_o = tl.load(tile + 3 * D * D)
    kind = weights.dtype.element_ty
    dh = tl.zeros((BLOCK, D), tl.float32)
    dc = tl.zeros((BLOCK, D), tl.float32)
    longest = tl.max(length, 0)
    for step in range(longest):
        t = longest - 1 - step
        there = (t < length)[:, None]
        row = start + tl.where(direction == 0, t, length - 1 - t)
        place = (row * DIRECTIONS + direction)[:, None] * D + d[None, :]
        gate = (row * DIRECTIONS + direction)[:, None] * (4 * D) + d[None, :]
        past = place + tl.where(direction == 0, -DIRECTIONS * D, DIRECTIONS * D)
        i = tl.load(active + gate, mask=there, other=0).to(tl.float32)
        f = tl.load(active + gate + D, mask=there, other=0).to(tl.float32)
        g = tl.load(active + gate + 2 * D, mask=there, other=0).to(tl.float32)
        o = tl.load(active + gate + 3 * D, mask=there, other=0).to(tl.float32)
        tanh_c = _tanh(tl.load(cells + place, mask=there, other=0).to(tl.float32))
        c_past = tl.load(cells + past, mask=there & (t > 0), other=0).to(tl.float32)
        dh += tl.load(gradient + place, mask=there, other=0).to(tl.float32)
        dc += dh * o * (1 - tanh_c * tanh_c)
        d_i = (dc * g * i * (1 - i)).to(kind)
        d_f = (dc * c_past * f * (1 - f)).to(kind)
        d_g = (dc * i * (1 - g * g)).to(kind)
        d_o = (dh * tanh_c * o * (1 - o)).to(kind)
        dc = dc * f
        tl.store(gates + gate, d_i, mask=there)
        tl.store(gates + gate + D, d_f, mask=there)
        tl.store(gates + gate + 2 * D, d_g, mask=there)
        tl.store(gates + gate + 3 * D, d_o, mask=there)
        dh = tl.dot(d_i, w_i, input_precision="ieee")
        dh = tl.dot(d_f, w_f, dh, input_precision="ieee")
        dh = tl.dot(d_g, w_g, dh, input_precision="ieee")
        dh = tl.dot(d_o, w_o, dh, input_precision="ieee")


class Recurrence(Function):
    """(N, directions, 4, D) input halves, (directions, 4, D, D) weights -> (N, directions, D).

    D is a power of 2 from 16 to 128; `order` has the numbers of the sequences, sorted by length.
    """

    @staticmethod
    def forward(ctx: Any, gates: Tensor, weights: Tensor, starts: Tensor, order: Tensor) -> Tensor:
        n, directions, _, D = gates.shape
        active = torch.empty_like(gates)
        cells, before, states = (gates.new_empty(n, directions, D) for _ in range(3))
        grid, sizes = _launch(len(order), directions, D)
        _lstm_forward[grid](
            *(gates, weights, active, cells, before, states, starts, order, len(order)), **sizes
        )
        ctx.save_for_backward(weights, active, cells, before, starts, order)
        return states

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, None, None]:
        weights, active, cells, before, starts, order = ctx.saved_tensors
        gates = torch.empty_like(active)
        grid, sizes = _launch(len(order), len(weights), weights.shape[-1], backward=True)
        _lstm_backward[grid](
            *(gradient.contiguous(), weights, active, cells, gates, starts, order, len(order)),
            **sizes,
        )
        by_direction = [
            (gates[:, i].flatten(1).T @ before[:, i]).view_as(weights[i])
            for i in range(len(weights))
        ]
        return gates, torch.stack(by_direction), None, None


def _launch(
    n: int, directions: int, D: int, *, backward: bool = False
) -> tuple[tuple[int, int], dict[str, int]]:
    """Return grid and block sizes, the fastest ones on an H200. Wide blocks fill the matrix units
    if there are enough sequences; in the backward pass, wider blocks do not fit on the chip."""
    many = n * directions > 64 * 100
    block, warps = 16, 4 if backward else 8
    if many and D == 128 and not backward:
        block = 64
    elif many and D < 128 and backward:
        block = 32
    grid = (-(-n // block), directions)
    return grid, {"DIRECTIONS": directions, "D": D, "BLOCK": block, "num_warps": warps}


@triton.jit  # type: ignore[untyped-decorator]
def _pool_forward(
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
def _pool_backward(
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
    """Scores (N,) and h (N, D) -> weights (N,) without a gradient, and x (S, D), in float32."""

    @staticmethod
    def forward(
        ctx: Any, scores: Tensor, h: Tensor, starts: Tensor, longest: int
    ) -> tuple[Tensor, Tensor]:
        D, next_power = h.shape[1], triton.next_power_of_2
        ctx.sizes = {"D": D, "WIDTH": next_power(D), "STEPS": next_power(longest)}
        h = h.contiguous()
        alpha = torch.empty_like(scores)
        pooled = scores.new_empty(len(starts) - 1, D)
        _pool_forward[(len(pooled),)](scores.contiguous(), h, starts, alpha, pooled, **ctx.sizes)
        ctx.save_for_backward(alpha, h, starts)
        ctx.mark_non_differentiable(alpha)
        return alpha, pooled

    @staticmethod
    def backward(ctx: Any, _: Tensor, gradient: Tensor) -> tuple[Tensor, Tensor, None, None]:
        alpha, h, starts = ctx.saved_tensors
        d_scores, d_h = torch.empty_like(alpha), torch.empty_like(h)
        _pool_backward[(len(starts) - 1,)](
            gradient.contiguous(), alpha, h, starts, d_scores, d_h, **ctx.sizes
        )
        return d_scores, d_h, None, None
