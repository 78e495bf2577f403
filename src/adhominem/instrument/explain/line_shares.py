"""Divides the log-likelihood ratio of a pair among its lines, by Shapley values.

The lines of both sides join in a random order. What a line adds to the log10 LR when it joins,
averaged over orders, is its share. A pair with an empty side has a log10 LR of 0, so the shares of
every order sum exactly to the log10 LR of the whole pair, before its bounds. The value of a part of
a pair is what the calibration says for texts of that length. Orders come in pairs, each followed by
its reverse, which evens out the advantage of coming first.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from adhominem.instrument.network.removal import Remover
from adhominem.pausing import pause

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
# log10 LR for features and numbers of tokens of both sides, a row for each variant.
Value = Callable[[Floats, Floats, Integers, Integers], Floats]
_MOST_STEPS = 20_000  # lines joining, over all orders
_MOST_ORDERS = 32
_MOST_ROWS = 2048  # steps that are read together


def share_lines(left: Remover, right: Remover, value: Value, *, seed: int = 0) -> Floats:
    """The share of every line, those of the left side first. The orders depend on the seed and on
    the texts, not on which of them is called left."""
    if left.digest > right.digest:
        swapped = share_lines(right, left, lambda a, b, n, m: value(b, a, m, n), seed=seed)
        return np.roll(swapped, left.n_lines)
    n_lines = left.n_lines + right.n_lines
    n_orders = int(np.clip(_MOST_STEPS // max(n_lines, 1), 2, _MOST_ORDERS)) // 2 * 2
    rng = np.random.default_rng(seed)
    half = np.stack([rng.permutation(n_lines) for _ in range(n_orders // 2)])
    ranks = np.argsort(np.concatenate([half, half[:, ::-1]]), axis=1)  # when each line joins
    total = np.zeros(n_lines)
    size = max(1, _MOST_ROWS // (n_lines + 1))
    for block in (ranks[start : start + size] for start in range(0, n_orders, size)):
        pause()
        one, one_words = _grow(left, block[:, : left.n_lines], n_lines)
        other, other_words = _grow(right, block[:, left.n_lines :], n_lines)
        values = value(one, other, one_words, other_words).reshape(len(block), -1)
        total += np.take_along_axis(np.diff(values), block, axis=1).sum(axis=0)
    return total / n_orders


def _grow(side: Remover, ranks: Integers, n_steps: int) -> tuple[Floats, Integers]:
    """Features and words of a side before and after every step of every order.

    ranks   the step at which each line of the side joins, (orders, lines)
    """
    kept = (ranks[:, None] < np.arange(n_steps + 1)[:, None]).reshape(-1, side.n_lines)
    return side.features_of_lines(kept), kept @ side.line_words
