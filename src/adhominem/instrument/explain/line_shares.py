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

Booleans = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
# log10 LR for features and numbers of tokens of both sides, a row for each variant.
Value = Callable[[Floats, Floats, Integers, Integers], Floats]
_MOST_STEPS = 20_000  # lines joining, over all orders
_MOST_ORDERS = 32


def share_lines(left: Remover, right: Remover, value: Value, *, seed: int = 0) -> Floats:
    """The share of every line, those of the left side first. The orders depend on the seed and on
    the texts, not on which of them is called left."""
    if left.digest > right.digest:
        swapped = share_lines(right, left, lambda a, b, n, m: value(b, a, m, n), seed=seed)
        return np.roll(swapped, left.n_lines)
    n_left, n_lines = left.n_lines, left.n_lines + right.n_lines
    n_orders = int(np.clip(_MOST_STEPS // max(n_lines, 1), 2, _MOST_ORDERS)) // 2 * 2
    rng = np.random.default_rng(seed)
    orders = [rng.permutation(n_lines) for _ in range(n_orders // 2)]
    total = np.zeros(n_lines)
    for order in (order for one in orders for order in (one, one[::-1])):
        pause()
        is_left = order < n_left
        one, one_words = _grow(left, order[is_left], is_left)
        other, other_words = _grow(right, order[~is_left] - n_left, ~is_left)
        total[order] += np.diff(value(one, other, one_words, other_words))
    return total / n_orders


def _grow(side: Remover, order: Integers, joins: Booleans) -> tuple[Floats, Integers]:
    """Features and words of a side at every step, while its lines join in this order.

    joins   whether a line of this side joins at a step, rather than one of the other side
    """
    rank = np.full(side.n_lines, side.n_lines)
    rank[order] = np.arange(len(order))
    kept = rank < np.arange(len(order) + 1)[:, None]  # row i keeps the first i lines
    joined = np.concatenate([[0], np.cumsum(joins)])
    return side.features_of_lines(kept)[joined], (kept @ side.line_words)[joined]
