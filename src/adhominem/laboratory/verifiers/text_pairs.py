"""Base class of methods that measure two texts at a time.

Sides of several texts have the mean over all pairs of a left and a right text, weighted by the
shares of both texts in the tokens of their sides.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from adhominem.arrays import Booleans, Floats, Integers
from adhominem.instrument.text.tokenised import offsets
from adhominem.laboratory.verifiers.compared_method import ComparedMethod, Texts, read_sides
from adhominem.records import Pair


@dataclass(frozen=True, slots=True)
class TextPairs:
    """Rows of two texts, `left[t]` and `right[t]`, which belong to the pair `pair[t]`."""

    pair: Integers
    left: Integers
    right: Integers
    weight: Floats


@dataclass(frozen=True, slots=True)
class Measured:
    """A row of features for each pair.

    comparable  both sides have tokens; the features of other rows mean nothing
    identical   both sides have the same texts in the same shares
    """

    features: Floats
    comparable: Booleans
    identical: Booleans


def cross(texts: Texts) -> TextPairs:
    """Every text of a left side with every text of the right side."""
    n = texts.sides.shape[0] // 2
    starts, sizes = texts.sides.indptr[:-1], np.diff(texts.sides.indptr)
    rows = offsets(sizes[:n] * sizes[n:])
    pair = np.repeat(np.arange(n), np.diff(rows))
    within = np.arange(len(pair)) - rows[pair]
    left = starts[:n][pair] + within // np.maximum(sizes[n:][pair], 1)
    right = starts[n:][pair] + within % np.maximum(sizes[n:][pair], 1)
    share, text = texts.sides.data, texts.sides.indices
    return TextPairs(pair, text[left], text[right], share[left] * share[right])


class TextPairVerifier(ComparedMethod):
    """A subclass writes `_fit`, `_measure` and `_judge`."""

    @abstractmethod
    def _measure(self, texts: Texts, rows: TextPairs) -> Floats:
        """Finite features for each two texts, even if one of them is empty."""

    @abstractmethod
    def _judge(self, measured: Measured) -> Floats:
        """The similarity of each pair; identical sides must have the largest."""

    def _measure_pairs(self, pairs: Sequence[Pair]) -> Measured:
        return self._measure_sides(read_sides(pairs))

    def _measure_sides(self, texts: Texts) -> Measured:
        rows = cross(texts)
        n = texts.sides.shape[0] // 2
        by_texts = self._measure(texts, rows)
        features = np.zeros((n, by_texts.shape[1]))
        np.add.at(features, rows.pair, by_texts * rows.weight[:, None])
        comparable = (texts.side_tokens[:n] > 0) & (texts.side_tokens[n:] > 0)
        apart = abs(texts.sides[:n] - texts.sides[n:]).sum(axis=1)
        return Measured(features, comparable, apart < 1e-9)

    def _similarities(self, texts: Texts, pairs: Sequence[Pair]) -> Floats:  # noqa: ARG002
        return self._judge(self._measure_sides(texts))
