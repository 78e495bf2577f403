"""The kernels of a GPU against torch alone: on a GPU, or interpreted where Triton is installed."""

from __future__ import annotations

import os

import pytest
import torch
from torch import Tensor, nn

from adhominem.laboratory.network.batches import Sequences, lay_out
from adhominem.laboratory.network.ragged import fused_lstm, padded_lstm, padded_pool

if not torch.cuda.is_available():
    os.environ["TRITON_INTERPRET"] = "1"  # before the first import of Triton
pytest.importorskip("triton")

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
HALF = torch.bfloat16 if DEVICE.type == "cuda" else torch.float32  # the interpreter knows no bf16
TOLERANCE = 2e-2 if DEVICE.type == "cuda" else 1e-5


def sequences(lengths: list[int]) -> Sequences:
    return lay_out(torch.tensor(lengths, device=DEVICE), sum(lengths), max(lengths))


def difference(found: Tensor, expected: Tensor) -> float:
    return float((found.double() - expected.double()).norm() / expected.double().norm())


@pytest.mark.parametrize("bidirectional", [True, False])
@pytest.mark.parametrize("size", [6, 16, 50])
def test_states_and_gradients_of_the_recurrence(bidirectional: bool, size: int) -> None:
    """Sequences of all lengths, among them some without steps."""
    generator = torch.Generator().manual_seed(1)
    flat = sequences([3, 1, 5, 21, 0, 2, 7, 7, 4, 0] * 4)
    lstm = nn.LSTM(24, size, batch_first=True, bidirectional=bidirectional).to(DEVICE)
    x = torch.randn(len(flat.owner), 24, generator=generator).to(DEVICE)
    weight = torch.randn(len(x), size * (1 + bidirectional), generator=generator).to(DEVICE)
    results = []
    for run, dtype in ((padded_lstm, torch.float32), (fused_lstm, HALF)):
        lstm.zero_grad()
        own = x.to(dtype).requires_grad_()
        h = run(lstm, own, flat)
        (h.float() * weight).sum().backward()
        assert own.grad is not None
        gradients = [p.grad.clone() for p in lstm.parameters() if p.grad is not None]
        results.append([h.detach(), own.grad, *gradients])
    for expected, found in zip(*results, strict=True):
        assert difference(found, expected) < TOLERANCE


def test_sum_and_gradients_of_the_attention() -> None:
    from adhominem.laboratory.network.kernels import Pool

    generator = torch.Generator().manual_seed(1)
    flat = sequences([3, 1, 40, 2, 17])
    n = len(flat.owner)
    scores, h, weight = (
        torch.randn(*shape, generator=generator).to(DEVICE) for shape in ((n,), (n, 10), (5, 10))
    )
    results = []
    for fused in (False, True):
        s, states = scores.clone().requires_grad_(), h.clone().requires_grad_()
        if fused:
            alpha, x = Pool.apply(s, states, flat.starts, flat.longest)
        else:
            alpha, x = padded_pool(s, states, flat)
        (x * weight).sum().backward()
        results.append([alpha, x.detach(), s.grad, states.grad])
    for expected, found in zip(*results, strict=True):
        assert difference(found, expected) < 1e-5


def test_a_sequence_without_steps_gives_nothing() -> None:
    from adhominem.laboratory.network.kernels import Pool

    flat = sequences([3, 0, 5, 0])
    h = torch.randn(8, 10, device=DEVICE, requires_grad=True)
    _, x = Pool.apply(torch.zeros(8, device=DEVICE), h, flat.starts, 5)
    x.sum().backward()
    assert not x[1].any() and not x[3].any()
    assert h.grad is not None and torch.isfinite(h.grad).all()
