"""What is usual in a kind of text, so that only what is unusual counts as evidence.

For every kind the model keeps statistics of texts by many authors, and no text: the mean feature
vector of the network, and for every feature of the views the mean and the deviation of the square
root of its relative frequency. A side is seen as its kind sees it: features of the network minus
their mean, frequencies minus mean over deviation, each part brought to length 1. Where the kind is
not stated, what is usual is a mixture of the kinds whose frequencies of characters surprise least,
in bits for each sequence: a text of no known kind is a little like several.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from adhominem.arrays import Floats, Integers, Reals, Singles
from adhominem.instrument.evidence.matrix import distances
from adhominem.instrument.text.tokenised import Tokenised
from adhominem.instrument.views.ngrams import (
    CharacterNgrams,
    MaskedTokens,
    View,
    character_pairs,
)
from adhominem.instrument.views.usual import LEAST_DEVIATION, Sums, Usual

REFERENCE = "reference"  # the kind of reference texts that a user gives
CHECKED_TOKENS = 60  # of a side from which on it must look like its kind; shorter ones vary more
RUNNING_TOKENS = 60  # of a side that must be running text
FEWEST_TEXTS = 50  # reference texts
PARTS = ("network", "network in its kind", "characters", "masked tokens", "character pairs")
NETWORK_TERMS = 2  # the first of the parts
_TABLES = ("centre", "mean", "deviation", "weight")
_BLOCK = 64  # vectors multiplied together
_LEAST_FREQUENCY = 1e-7
_COVERED = np.array([[0.25, 0.45], [0.85, 0.88]])  # lowest and highest share of the first views
_NEAR = 0.05  # bits more that make a kind count 1 / e as much in a mixture
_LEAST_SHARE = 1e-3  # of a kind in a mixture


@dataclass(frozen=True, slots=True)
class Counts:
    """How often one text or side has each feature, and the number of sequences of each view."""

    features: Integers
    numbers: Floats
    totals: Floats

    @classmethod
    def of(cls, counts: Sequence[Counts]) -> Counts:
        """The counts of several texts together."""
        features = np.concatenate([one.features for one in counts])
        distinct, inverse = np.unique(features, return_inverse=True)
        numbers = np.concatenate([one.numbers for one in counts])
        totals = np.sum([one.totals for one in counts], axis=0)
        summed = np.bincount(inverse, weights=numbers, minlength=len(distinct))
        return cls(distinct, summed.astype(np.float64), totals)


@dataclass(frozen=True)
class Kinds:
    """The views and the statistics of all kinds.

    views        sequences of characters, masked tokens, pairs of characters; older models lack the
                 last
    names        names of the kinds
    labels       what each is, in words
    centre       mean features of the network, (kinds, width)
    mean         mean of the square root of each frequency, (kinds, features), the views in a row
    deviation    its deviation
    weight       how much an unusual frequency of each feature says about the author, (features,)
    limits       surprise beyond which a side is unlike the kind
    detectable   kinds that are told from all others by their words
    """

    views: tuple[View, ...]
    names: tuple[str, ...]
    labels: tuple[str, ...]
    centre: Singles
    mean: Singles
    deviation: Singles
    weight: Singles
    limits: tuple[float, ...]
    detectable: tuple[str, ...]

    @property
    def width(self) -> int:
        """The number of features of the network."""
        return int(self.centre.shape[1])

    @cached_property
    def edges(self) -> tuple[int, ...]:
        """View v has the features `edges[v]:edges[v + 1]`."""
        return 0, *accumulate(len(view.features) for view in self.views)

    @cached_property
    def _bits(self) -> Floats:
        """Bits of every character sequence in every kind."""
        n = self.edges[1]
        expected = np.square(self.mean[:, :n], dtype=np.float64) + np.square(self.deviation[:, :n])
        frequency = np.maximum(expected, _LEAST_FREQUENCY)
        bits: Floats = -np.log2(frequency / frequency.sum(axis=1, keepdims=True))
        return bits

    def count(self, texts: Sequence[str], tokens: Tokenised) -> list[Counts]:
        """The counts of each text."""
        n = len(texts)
        parts, totals = [], np.zeros((n, len(self.views)))
        for number, view in enumerate(self.views):
            found = view.find(texts, tokens)
            totals[:, number] = found.totals
            parts.append(found.text * self.edges[-1] + self.edges[number] + found.feature)
        keys, numbers = np.unique(np.concatenate(parts), return_counts=True)
        cuts = np.searchsorted(keys, np.arange(n + 1) * self.edges[-1])
        return [
            Counts(
                keys[cuts[i] : cuts[i + 1]] - i * self.edges[-1],
                numbers[cuts[i] : cuts[i + 1]].astype(np.float64),
                totals[i],
            )
            for i in range(n)
        ]

    def surprise(self, counts: Counts) -> Floats:
        """Mean bits of the character sequences of a side in every kind; 0 where it has none."""
        is_character = counts.features < self.edges[1]
        numbers = counts.numbers[is_character]
        if not len(numbers):
            return np.zeros(len(self.names))
        bits = self._bits[:, counts.features[is_character]]
        surprise: Floats = (bits * numbers).sum(axis=1) / numbers.sum()
        return surprise

    def recognise(self, surprise: Floats, stated: str | None = None) -> tuple[str, bool]:
        """The nearest kind, and whether the side is unlike the stated kind or, where none is
        stated, unlike every kind."""
        nearest = self.names[int(np.argmin(surprise))]
        if stated in self.names:
            place = self.names.index(stated)
            return nearest, bool(surprise[place] > self.limits[place])
        return nearest, bool((surprise > self.limits).all())

    def is_running(self, counts: Counts) -> bool:
        """Whether the features cover as much of a side as of running English; of one word again and
        again, or of rare words in a row, they do not."""
        view = np.searchsorted(self.edges, counts.features, side="right") - 1
        listed = np.bincount(view, weights=counts.numbers, minlength=len(self.views))
        shares = (listed / np.maximum(counts.totals, 1))[: _COVERED.shape[1]]
        return bool(((shares >= _COVERED[0]) & (shares <= _COVERED[1])).all())

    def usual_in(self, kind: str) -> Usual:
        """What is usual in a kind."""
        place = self.names.index(kind)
        return Usual(*(table[place] for table in self._tables))

    def usual(self, surprise: Floats, stated: str | None = None) -> Usual:
        """What is usual in the stated kind or, if none is stated, in the kinds that a side with
        this surprise is near to."""
        if stated is not None and stated in self.names:
            return self.usual_in(stated)
        share = np.exp((surprise.min() - surprise) / _NEAR)
        near = np.flatnonzero(share >= _LEAST_SHARE)
        share = (share[near] / share[near].sum())[:, None].astype(np.float32)
        # Sums without BLAS, whose kernels differ in the last bit.
        return Usual(*((share * table[near]).sum(axis=0) for table in self._tables))

    @property
    def _tables(self) -> Usual:
        """What is usual in every kind, a row for each."""
        return Usual(self.centre, self.mean, self.deviation)

    def frequencies(self, counts: Counts) -> Floats:
        """Square roots of the relative frequencies of all features."""
        roots = np.zeros(self.edges[-1])
        view = np.searchsorted(self.edges, counts.features, side="right") - 1
        roots[counts.features] = np.sqrt(counts.numbers / np.maximum(counts.totals[view], 1))
        return roots

    def side(self, features: Floats, counts: Counts, usual: Usual) -> Floats:
        """A side as its kind sees it: the features of the network, the same minus their mean, and
        each view, all but the first with length 1."""
        return self.see(features, self.frequencies(counts), usual)

    def see(self, features: Floats, frequencies: Floats, usual: Usual) -> Floats:
        """`side` for frequencies instead of counts; without features the views alone."""
        weighted = self.weight * usual.deviations(frequencies)
        parts = [_unit(weighted[start:end]) for start, end in pairwise(self.edges)]
        if not len(features):
            return np.concatenate(parts)
        return np.concatenate([features, _unit(features - usual.centre), *parts])

    def with_reference(self, sums: Sums, surprises: Collection[float] = ()) -> Kinds:
        """A copy in which the kind of the reference texts is given by sums over them. The surprises
        of the texts set its limit; without them no side is unlike it."""
        others = [i for i, name in enumerate(self.names) if name != REFERENCE]
        centre, mean, deviation = (
            np.concatenate([table[others], row[None]])
            for table, row in zip(self._tables, sums.usual(), strict=True)
        )
        own = list(surprises)
        limit = float(np.max(own) + np.std(own)) if own else np.inf
        return replace(
            self,
            names=(*(self.names[i] for i in others), REFERENCE),
            labels=(*(self.labels[i] for i in others), "the reference texts"),
            centre=centre,
            mean=mean,
            deviation=deviation,
            limits=(*(self.limits[i] for i in others), limit),
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything but the statistics."""
        characters, masked, *pairs = self.views
        assert isinstance(masked, MaskedTokens)
        return {
            "characters": characters.features,
            "words": masked.words,
            "masked": masked.features,
            **({"pairs": pairs[0].features} if pairs else {}),
            "names": self.names,
            "labels": self.labels,
            "limits": self.limits,
            "detectable": self.detectable,
        }

    def arrays(self) -> dict[str, Any]:
        """The statistics and weights in half precision."""
        return {f"kinds.{name}": getattr(self, name).astype(np.float16) for name in _TABLES}

    @classmethod
    def from_dict(cls, content: dict[str, Any], arrays: dict[str, Any]) -> Kinds:
        """The kinds that `to_dict` and `arrays` describe."""
        centre, mean, deviation, weight = (
            arrays[f"kinds.{name}"].astype(np.float32) for name in _TABLES
        )
        views: list[View] = [
            CharacterNgrams(tuple(content["characters"])),
            MaskedTokens(tuple(content["words"]), tuple(content["masked"])),
        ]
        if "pairs" in content:
            views.append(character_pairs(content["pairs"]))
        return cls(
            tuple(views),
            tuple(content["names"]),
            tuple(content["labels"]),
            centre,
            mean,
            np.maximum(deviation, np.float32(LEAST_DEVIATION)),
            weight,
            tuple(content["limits"]),
            tuple(content["detectable"]),
        )


def similarities(one: Reals, other: Reals, width: int, edges: Sequence[int]) -> Floats:
    """The similarities of sides, over the last axis: the negative distance of the features of the
    network, of the given width, and the cosines of the other parts."""
    cuts = [0, width, 2 * width, *(2 * width + edge for edge in edges[1:])]
    a, b = ([side[..., start:end] for start, end in pairwise(cuts)] for side in (one, other))
    cosines = [_dot(x, y) for x, y in zip(a[1:], b[1:], strict=True)]
    return np.stack([-distances(a[0], b[0]), *cosines], axis=-1)


def _dot(one: Reals, other: Reals) -> Reals:
    """Products summed over the last axis. Many rows against one vector go block by block: their
    products would be as large as the rows."""
    if one.ndim != 2 or other.ndim != 1:
        return np.asarray((one * other).sum(axis=-1))
    blocks = [one[start : start + _BLOCK] for start in range(0, len(one), _BLOCK)]
    return np.concatenate([(block * other).sum(axis=-1) for block in blocks or [one]])


def _unit(vector: Floats) -> Floats:
    length = np.sqrt(np.square(vector).sum())
    return vector / length if length else vector
