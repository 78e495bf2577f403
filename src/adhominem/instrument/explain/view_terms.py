"""What the words of a pair contribute through the views beside the network.

The similarity of a view is a sum over its features: the product of what is unusual on both sides.
The part of a feature goes half to each side, evenly to its occurrences there, and each occurrence
gives half to its first and half to its last word. A feature that one side lacks gives all to the
other; one that both lack goes evenly to all words.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from adhominem.arrays import Booleans, Floats, Integers
from adhominem.instrument.network.side import ReadSide
from adhominem.instrument.views.kinds import Kinds, similarities

_ROWS = 256  # variants that are counted together


@dataclass(frozen=True, slots=True)
class _Side:
    """Occurrences of the features of all views on one side.

    feature       feature of each occurrence
    first, last   first and last of its words, numbered through the texts of the side
    totals        number of sequences of each view
    parts         the side's vector without the network's features
    """

    feature: Integers
    first: Integers
    last: Integers
    totals: Floats
    kind: str
    parts: Floats
    n_words: int


class ViewTerms:
    """The views of one pair; each side has at least one word."""

    def __init__(self, kinds: Kinds, left: ReadSide, right: ReadSide) -> None:
        self._kinds = kinds
        self._width = kinds.centre.shape[1]
        self._sides = tuple(self._find(side) for side in (left, right))

    def contributions(self, weights: Floats) -> Floats:
        """The part of each word, for the weight of each view; the parts sum to the weighted sum of
        the similarities. The words of the left side come first."""
        kinds, (left, right) = self._kinds, self._sides
        products = left.parts * right.parts
        sizes = np.diff(kinds.edges)
        parts = products * np.repeat(weights, sizes)
        numbers = [np.bincount(s.feature, minlength=len(parts)) for s in self._sides]
        n_words = left.n_words + right.n_words
        words = np.full(n_words, parts[(numbers[0] == 0) & (numbers[1] == 0)].sum() / n_words)
        for number, (side, start) in enumerate(((left, 0), (right, left.n_words))):
            own, other = numbers[number], numbers[1 - number]
            share = np.where(other > 0, 0.5, 1.0) * parts / np.maximum(own, 1)
            for ends in (side.first, side.last):
                words[start : start + side.n_words] += np.bincount(
                    ends, weights=share[side.feature] / 2, minlength=side.n_words
                )
        return words

    def similarities(self, kept: Booleans) -> Floats:
        """The similarity of each view, (variants, views), for rows of `kept` words."""
        split = self._sides[0].n_words
        return np.concatenate(
            [
                similarities(
                    self._variants(self._sides[0], rows[:, :split]),
                    self._variants(self._sides[1], rows[:, split:]),
                    0,
                    self._kinds.edges,
                )[:, 2:]
                for rows in _blocks(kept)
            ]
        )

    def _variants(self, side: _Side, kept: Booleans) -> Floats:
        """The views of a side with some of its words, a row for each variant."""
        kinds = self._kinds
        removed = np.pad(np.cumsum(~kept, axis=1), ((0, 0), (1, 0)))
        whole = removed[:, side.last + 1] == removed[:, side.first]
        row, number = np.nonzero(whole)
        keys = row * kinds.edges[-1] + side.feature[number]
        size = len(kept) * kinds.edges[-1]
        counts = np.bincount(keys, minlength=size).reshape(len(kept), -1)
        totals = side.totals * kept.mean(axis=1, keepdims=True)
        roots = np.sqrt(counts / np.maximum(np.repeat(totals, np.diff(kinds.edges), axis=1), 1))
        nothing = np.zeros(0)
        return np.stack([kinds.see(nothing, one, side.kind) for one in roots])

    def _find(self, side: ReadSide) -> _Side:
        tokens, kinds = side.tokens, self._kinds
        first_words = tokens.sentences[tokens.documents]
        features, firsts, lasts, totals = [], [], [], []
        for number, view in enumerate(kinds.views):
            found = view.find(side.texts, tokens)
            first, last = np.zeros_like(found.start), np.zeros_like(found.start)
            for text, (begin, stop) in enumerate(pairwise(first_words)):
                if begin == stop:
                    continue
                own = found.text == text
                after = np.searchsorted(tokens.ends[begin:stop], found.start[own], side="right")
                before = np.searchsorted(tokens.starts[begin:stop], found.end[own], side="left") - 1
                low, high = np.minimum(after, before), np.maximum(after, before)
                first[own] = begin + np.clip(low, 0, stop - begin - 1)
                last[own] = begin + np.clip(high, 0, stop - begin - 1)
            features.append(kinds.edges[number] + found.feature)
            firsts.append(first)
            lasts.append(last)
            totals.append(float(found.totals.sum()))
        return _Side(
            np.concatenate(features),
            np.concatenate(firsts),
            np.concatenate(lasts),
            np.array(totals),
            kinds.names[kinds.index(side.reading)],
            side.vector[2 * self._width :],
            len(tokens.tokens),
        )


def _blocks(rows: Booleans) -> Iterator[Booleans]:
    for start in range(0, len(rows), _ROWS):
        yield rows[start : start + _ROWS]
