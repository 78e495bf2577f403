"""The terms of a pair, and what each word contributes to those of the views.

The similarity of a view is a sum over its features: the product of the z-scores of both sides. The
part of a feature is divided between the sides, and on each evenly among its occurrences; that of an
occurrence is divided between its first and its last word. A feature that one side lacks counts for
the other; one that both lack is divided evenly among all words.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from adhominem.arrays import Booleans, Floats, Integers
from adhominem.instrument.evidence.calibration import Covariates
from adhominem.instrument.evidence.fusion import Fusion, Mixture
from adhominem.instrument.evidence.matrix import distances
from adhominem.instrument.network.side import ReadSide
from adhominem.instrument.network.weights import unit_length
from adhominem.instrument.views.kinds import NETWORK_TERMS, Counts, Kinds
from adhominem.instrument.views.similarity import cosines
from adhominem.instrument.views.statistics import Statistics

_ROWS = 256  # variants that are counted together


@dataclass(frozen=True, slots=True)
class _Side:
    """Occurrences of the features of all views on one side."""

    feature: Integers  # feature of each occurrence
    first: Integers  # its first word, numbered through the texts of the side
    last: Integers  # its last word
    totals: Floats  # number of sequences of each view
    statistics: Statistics
    views: Floats  # the standardised views
    n_words: int


class Terms:
    """The terms of a pair with a word or more on each side, as it is and without some words."""

    def __init__(
        self,
        kinds: Kinds,
        fusion: Fusion | Mixture,
        left: ReadSide,
        right: ReadSide,
        covariates: Covariates,
    ) -> None:
        self._kinds = kinds
        self._sides = tuple(self._find(side) for side in (left, right))
        self._network = fusion.part(slice(NETWORK_TERMS), with_rest=True)
        self._views = fusion.part(slice(NETWORK_TERMS, None), with_rest=False)
        self._covariates = covariates

    def network(self, left: Floats, right: Floats, covariates: Covariates) -> Floats:
        """The sum of the terms of the network and the remainder, for features of variants."""
        sides = zip((left, right), self._sides, strict=True)
        one, other = (unit_length(features - side.statistics.centre) for features, side in sides)
        values = np.stack([-distances(left, right), (one * other).sum(axis=-1)], axis=-1)
        return self._network.total(values, covariates)

    def contributions(self) -> Floats:
        """The contribution of each word to the terms of the views, the left side first."""
        kinds, (left, right) = self._kinds, self._sides
        weights = np.repeat(self._views.weights(self._covariates), np.diff(kinds.edges))
        parts = left.views * right.views * weights
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
        neutral = self._views.total(np.zeros(len(self._views.names)), self._covariates)
        contributions: Floats = words + neutral / n_words
        return contributions

    def views(self, kept: Booleans) -> Floats:
        """The sum of the terms of the views, for rows of `kept` words."""
        (left, right), values = self._sides, []
        for rows in (kept[start : start + _ROWS] for start in range(0, len(kept), _ROWS)):
            one = self._variants(left, rows[:, : left.n_words])
            other = self._variants(right, rows[:, left.n_words :])
            values.append(np.stack(cosines(one, other, self._kinds.edges), axis=-1))
        return self._views.total(np.concatenate(values), self._covariates)

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
        return np.stack([kinds.standardise(one, side.statistics) for one in roots])

    def _find(self, side: ReadSide) -> _Side:
        tokens, kinds = side.tokens, self._kinds
        first_words = tokens.sentences[tokens.documents]
        rows, totals = [], []
        for number, view in enumerate(kinds.views):
            found = view.find(side.texts, tokens)
            words = np.zeros((2, len(found.start)), np.int64)  # first and last of each occurrence
            for text, (begin, stop) in enumerate(pairwise(first_words)):
                if begin == stop:
                    continue
                own = found.text == text
                after = np.searchsorted(tokens.ends[begin:stop], found.start[own], side="right")
                before = np.searchsorted(tokens.starts[begin:stop], found.end[own], side="left") - 1
                ends = np.sort(np.stack([after, before]), axis=0)
                words[:, own] = begin + np.clip(ends, 0, stop - begin - 1)
            rows.append(np.stack([kinds.edges[number] + found.feature, *words]))
            totals.append(float(found.totals.sum()))
        feature, first, last = np.concatenate(rows, axis=1)
        distinct, numbers = np.unique(feature, return_counts=True)
        surprise = kinds.surprise(Counts(distinct, numbers.astype(np.float64), np.array(totals)))
        statistics = kinds.statistics(surprise, side.reading.genre)
        views = side.vector[2 * kinds.width : 2 * kinds.width + kinds.edges[-1]]
        return _Side(feature, first, last, np.array(totals), statistics, views, len(tokens.tokens))
