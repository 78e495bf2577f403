"""What methods that measure two texts at a time have in common.

A side of several texts is measured by the mean over all pairs of a left and a right text, each
weighted by the shares that the two texts have in the tokens of their sides, so that a text given
twice counts as one. Each distinct text is described once.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from adhominem.instrument.text.tokenised import offsets
from adhominem.instrument.verifier import Comparisons
from adhominem.laboratory.verifiers.stylometric import Floats, Integers, Texts, read_sides
from adhominem.laboratory.verifiers.trainable import TrainableVerifier
from adhominem.records import Pair

Booleans = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class TextPairs:
    """Row t sets the texts `left[t]` and `right[t]` against each other, for the pair `pair[t]`."""

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
    left_tokens: Integers
    right_tokens: Integers


def cross(texts: Texts) -> TextPairs:
    """Every text of a left side with every text of the right one."""
    n = texts.sides.shape[0] // 2
    starts, sizes = texts.sides.indptr[:-1], np.diff(texts.sides.indptr)
    rows = offsets(sizes[:n] * sizes[n:])
    pair = np.repeat(np.arange(n), np.diff(rows))
    within = np.arange(len(pair)) - rows[pair]
    left = starts[:n][pair] + within // np.maximum(sizes[n:][pair], 1)
    right = starts[n:][pair] + within % np.maximum(sizes[n:][pair], 1)
    share, text = texts.sides.data, texts.sides.indices
    return TextPairs(pair, text[left], text[right], share[left] * share[right])


def draw(pairs: Sequence[Pair], most: int, seed: int) -> Sequence[Pair]:
    """All pairs, or `most` of them in their order, for what grows faster than its gain."""
    if len(pairs) <= most:
        return pairs
    chosen = np.random.default_rng(seed).choice(len(pairs), most, replace=False)
    return [pairs[i] for i in np.sort(chosen)]


class TextPairVerifier(TrainableVerifier):
    """An implementer writes `_fit`, `_measure` of two texts and `_judge`."""

    @abstractmethod
    def _measure(self, texts: Texts, rows: TextPairs) -> Floats:
        """Finite features for each two texts, also where one of them is empty."""

    @abstractmethod
    def _judge(self, measured: Measured) -> Floats:
        """A similarity for each pair; identical sides must have the largest."""

    def _measure_pairs(self, pairs: Sequence[Pair]) -> Measured:
        texts = read_sides(pairs)
        rows = cross(texts)
        n = len(pairs)
        by_texts = self._measure(texts, rows)
        features = np.zeros((n, by_texts.shape[1]))
        np.add.at(features, rows.pair, by_texts * rows.weight[:, None])
        left, right = texts.side_tokens[:n], texts.side_tokens[n:]
        apart = abs(texts.sides[:n] - texts.sides[n:]).sum(axis=1)
        return Measured(features, (left > 0) & (right > 0), apart < 1e-9, left, right)

    def _similarity(self, pairs: Sequence[Pair]) -> Floats:
        return self.compare(pairs).similarity

    def compare(self, pairs: Sequence[Pair]) -> Comparisons:
        if not pairs:
            return Comparisons.of_counts([], [], [])
        measured = self._measure_pairs(pairs)
        similarity = np.where(measured.comparable, self._judge(measured), np.nan)
        return Comparisons.of_counts(similarity, measured.left_tokens, measured.right_tokens)
