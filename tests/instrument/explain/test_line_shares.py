"""Shares of lines against Shapley values over all orders."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest

from adhominem.instrument.explain import word_effects
from adhominem.instrument.explain.word_effects import share_lines


class Side:
    """Lines whose features are added up and squashed; the digest is the first of them."""

    def __init__(self, lines: list[list[float]], words: list[int]) -> None:
        self.lines, self.line_words = np.array(lines), np.array(words)
        self.n_lines = len(lines)
        self.digest = self.lines.tobytes()

    def features_of_lines(self, kept: Any) -> Any:
        features = np.tanh(kept @ self.lines)
        features[~kept.any(axis=1)] = np.nan
        return features


LEFT = Side([[0.3, -1.0], [0.9, 0.2], [-0.4, 0.5]], [5, 2, 9])
RIGHT = Side([[0.1, 0.7], [-0.8, -0.3]], [4, 7])


def value(one: Any, other: Any, one_words: Any, other_words: Any) -> Any:
    apart = np.linalg.norm(one - other, axis=1)
    return np.nan_to_num((1 - apart) * np.log1p(np.minimum(one_words, other_words)), nan=0.0)


def value_of(players: set[int]) -> float:
    """The value of one part of the pair; lines 0 to 2 are left, 3 and 4 right."""
    left = np.array([[i in players for i in range(3)]])
    right = np.array([[i in players for i in range(3, 5)]])
    return float(
        value(
            LEFT.features_of_lines(left),
            RIGHT.features_of_lines(right),
            left @ LEFT.line_words,
            right @ RIGHT.line_words,
        )[0]
    )


def test_many_orders_come_near_the_mean_over_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_effects, "_MAX_ORDERS", 4000)
    monkeypatch.setattr(word_effects, "_MAX_STEPS", 10**6)
    exact = np.zeros(5)
    orders = list(permutations(range(5)))
    for order in orders:
        for i, line in enumerate(order):
            exact[line] += value_of(set(order[: i + 1])) - value_of(set(order[:i]))
    exact /= len(orders)
    np.testing.assert_allclose(share_lines(LEFT, RIGHT, value), exact, atol=0.02)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_shares_sum_to_the_value_of_the_whole(seed: int) -> None:
    shares = share_lines(LEFT, RIGHT, value, seed=seed)  # type: ignore[arg-type]
    assert shares.sum() == pytest.approx(value_of(set(range(5))), abs=1e-12)


def test_sides_can_be_swapped() -> None:
    one = share_lines(LEFT, RIGHT, value)  # type: ignore[arg-type]
    other = share_lines(RIGHT, LEFT, value)  # type: ignore[arg-type]
    np.testing.assert_allclose(np.roll(one, 2), other, atol=1e-12)
