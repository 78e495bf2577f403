"""Integrated gradients: they add up, and an independent implementation finds the same."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from adhominem.instrument.text.encode import Encoded
from adhominem.laboratory.network import gradients
from adhominem.laboratory.network.batches import Collator, LineRanges
from adhominem.laboratory.network.build import build_network
from adhominem.laboratory.network.gradients import integrated_gradients
from adhominem.laboratory.network.model import distance
from adhominem.laboratory.network.removal import Reader

Write = Callable[[Sequence[Sequence[int]], int], Any]
Encode = Callable[[Any], Encoded]
side_lengths = st.lists(st.lists(st.integers(2, 5), max_size=6), min_size=1, max_size=3).filter(any)


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "unit length"])
def network(request: pytest.FixtureRequest, sizes: dict[str, Any], roughen: Any) -> Any:
    return roughen(build_network("adhominem", {**sizes, "unit_length": request.param}, seed=3))


def similarity(
    network: Any, left: Encoded, right: Encoded, *, hidden: str, max_lines: int
) -> float:
    """With the unknown token in the place of all words of one side."""
    features = []
    for side, name in ((left, "left"), (right, "right")):
        reader = Reader(network, side, max_lines=max_lines)
        kept = np.full((1, reader.n_words), hidden != name)
        features.append(reader.features(kept, "unknown")[0])
    return -float(np.linalg.norm(features[0] - features[1]))


@settings(max_examples=25, deadline=None)
@given(side_lengths, side_lengths, st.integers(0, 99), st.integers(1, 4))
def test_the_parts_of_a_side_add_up(
    network: Any,
    write: Write,
    encode: Encode,
    left_lengths: list[list[int]],
    right_lengths: list[list[int]],
    seed: int,
    max_lines: int,
) -> None:
    left, right = encode(write(left_lengths, seed)), encode(write(right_lengths, seed + 1))
    parts = integrated_gradients(network, left, right, max_lines=max_lines, steps=100)
    whole = similarity(network, left, right, hidden="", max_lines=max_lines)
    for own, name in ((parts.left, "left"), (parts.right, "right")):
        without = similarity(network, left, right, hidden=name, max_lines=max_lines)
        assert own.sum() == pytest.approx(whole - without, abs=0.02)


def test_left_and_right_can_be_swapped(network: Any, write: Write, encode: Encode) -> None:
    left, right = encode(write([[4, 5], [3]], 1)), encode(write([[5, 2, 3]], 2))
    one, other = (
        integrated_gradients(network, left, right),
        integrated_gradients(network, right, left),
    )
    np.testing.assert_allclose(one.left, other.right, atol=1e-6)
    np.testing.assert_allclose(one.right, other.left, atol=1e-6)


def test_a_text_and_itself(network: Any, write: Write, encode: Encode) -> None:
    """Both sides have the same parts, and the gradient of a distance of 0 is no trouble."""
    text = encode(write([[4, 5, 2]], 1))
    parts = integrated_gradients(network, text, text)
    np.testing.assert_allclose(parts.left, parts.right, atol=1e-6)
    assert np.isfinite(parts.left).all()


@pytest.mark.parametrize("tokens", [1, 25])
def test_points_and_stretches_may_be_worked_off_one_by_one(
    network: Any, write: Write, encode: Encode, monkeypatch: pytest.MonkeyPatch, tokens: int
) -> None:
    left, right = encode(write([[4, 5, 2]], 1)), encode(write([[3, 3], [4, 2, 2]], 2))
    together = integrated_gradients(network, left, right, max_lines=2)
    monkeypatch.setattr(gradients, "_TOKENS", tokens)
    apart = integrated_gradients(network, left, right, max_lines=2)
    np.testing.assert_allclose(together.left, apart.left, atol=1e-6)
    np.testing.assert_allclose(together.right, apart.right, atol=1e-6)


def test_the_network_is_left_as_it_was(network: Any, write: Write, encode: Encode) -> None:
    left, right = encode(write([[4, 5]], 1)), encode(write([[3, 3]], 2))
    integrated_gradients(network, left, right)
    assert all(parameter.grad is None for parameter in network.parameters())


def test_captum_finds_the_same(network: Any, write: Write, encode: Encode) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from captum.attr import IntegratedGradients

    left, right = encode(write([[4, 5, 2]], 1)), encode(write([[3, 6]], 2))
    found = integrated_gradients(network, left, right, steps=20)
    sides = [Collator(side, torch.device("cpu")) for side in (left, right)]
    batches = [
        collator.batch(LineRanges(np.array([0]), np.array([n])))
        for collator, n in zip(sides, (3, 2), strict=True)
    ]
    with torch.no_grad():
        x, other = network.embed(batches[0]), network(batches[1]).features[0]
        baseline = torch.zeros_like(x)
        baseline[..., : network.config.D_w] = network.words.weight[1]
        for line, length in enumerate(batches[0].line_lengths.tolist()):
            baseline[line, length - 1 :] = x[line, length - 1 :]

    def forward(inputs: torch.Tensor) -> torch.Tensor:
        return torch.stack(
            [-distance(network.read(own, batches[0]).features[0], other) for own in inputs]
        )

    witness = IntegratedGradients(forward).attribute(
        x[None], baselines=baseline[None], n_steps=20, method="gausslegendre"
    )[0]
    by_token = witness.sum(dim=2)
    expected = [by_token[i, : n - 1] for i, n in enumerate(batches[0].line_lengths.tolist())]
    np.testing.assert_allclose(found.left, torch.cat(expected).numpy(), atol=1e-5)
