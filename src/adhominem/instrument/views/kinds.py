"""Statistics of kinds of text, by which the two sides of a pair are standardised.

For every kind the model keeps statistics over texts by many authors, and no text: the mean feature
vector of the network and, for every feature of the views, mean and standard deviation of the square
root of its relative frequency. A side is standardised by the statistics of its kind: the mean is
subtracted from the features of the network, the frequencies of each view become weighted z-scores,
and every part is scaled to length 1, so that a product is a cosine. Where no kind is stated, the
statistics of the kinds with the lowest cross-entropy of character sequences are mixed: a text of no
known kind is a little like several.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from adhominem.arrays import Floats, Integers, Reals, Singles
from adhominem.errors import ModelError
from adhominem.instrument.network.weights import unit_length
from adhominem.instrument.text.tokenised import Tokenised
from adhominem.instrument.views.ngrams import (
    CharacterNgrams,
    MaskedTokens,
    View,
    character_pairs,
)
from adhominem.instrument.views.similarity import cosines
from adhominem.instrument.views.statistics import LEAST_DEVIATION, Statistics, Sums

REFERENCE = "reference"  # the kind of reference texts that a user gives
CHECKED_TOKENS = 60  # of a side from which on it must look like its kind; shorter ones vary more
RUNNING_TOKENS = 60  # of a side that must be running text
FEWEST_TEXTS = 50  # reference texts
PARTS = ("network", "network in its kind", "characters", "masked tokens", "character pairs")
NETWORK_TERMS = 2  # the first of the parts
_TABLES = ("centre", "mean", "deviation", "weight")
_LEAST_FREQUENCY = 1e-7
_COVERED = np.array([[0.25, 0.45], [0.85, 0.88]])  # lowest and highest share of the first views
_NEAR = 0.05  # bits of surprise by which the share of a kind falls to 1 / e
_LEAST_SHARE = 1e-3  # of a kind, of the share of the nearest
EDITION = 2  # of what `to_dict` writes
_PROFILE = 0.1  # of a bit: the numbers of a profile are as large as those of the views


@dataclass(frozen=True, slots=True)
class Counts:
    """How often a text, half of one or a side has each feature, and the number of sequences of each
    view."""

    features: Integers
    numbers: Floats
    totals: Floats

    @classmethod
    def of(cls, counts: Sequence[Counts]) -> Counts:
        """Several counts together."""
        features = np.concatenate([one.features for one in counts])
        distinct, inverse = np.unique(features, return_inverse=True)
        numbers = np.concatenate([one.numbers for one in counts])
        totals = np.sum([one.totals for one in counts], axis=0)
        summed = np.bincount(inverse, weights=numbers, minlength=len(distinct))
        return cls(distinct, summed.astype(np.float64), totals)


Halves = tuple[Counts, Counts]  # of one text


@dataclass(frozen=True)
class Kinds:
    """The views and the statistics of all kinds.

    views        sequences of characters, masked tokens, pairs of characters
    names        names of the kinds
    labels       what each is, in words
    centre       mean features of the network, (kinds, width)
    mean         mean of the square root of each frequency, (kinds, features), the views in a row
    deviation    its deviation
    weight       weight of the z-score of each feature, (features,)
    limits       surprise above which a side does not look like the kind
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

    @property
    def side_width(self) -> int:
        """The length of the vector of a side."""
        return 2 * self.width + self.edges[-1] + self._n_profile

    @property
    def profile(self) -> slice:
        """The place of the profile in the vector of a side."""
        return slice(self.side_width - self._n_profile, self.side_width)

    @cached_property
    def _n_profile(self) -> int:
        """The number of kinds that a profile compares a side with; reference texts come last."""
        return sum(name != REFERENCE for name in self.names)

    @cached_property
    def _bits(self) -> Floats:
        """Information content of every character sequence in every kind, (kinds, features)."""
        n = self.edges[1]
        expected = np.square(self.mean[:, :n], dtype=np.float64) + np.square(self.deviation[:, :n])
        frequency = np.maximum(expected, _LEAST_FREQUENCY)
        bits: Floats = -np.log2(frequency / frequency.sum(axis=1, keepdims=True))
        return bits

    def count(self, texts: Sequence[str], tokens: Tokenised) -> list[Halves]:
        """The counts of both halves of each text. A sequence belongs to the half it begins in."""
        n, middle = 2 * len(texts), np.array([len(text) // 2 for text in texts], dtype=np.int64)
        parts, totals = [], np.zeros((n, len(self.views)))
        for number, view in enumerate(self.views):
            found = view.find(texts, tokens)
            totals[:, number] = np.repeat(found.totals / 2, 2)
            half = 2 * found.text + (found.start >= middle[found.text])
            parts.append(half * self.edges[-1] + self.edges[number] + found.feature)
        keys, numbers = np.unique(np.concatenate(parts), return_counts=True)
        cuts = np.searchsorted(keys, np.arange(n + 1) * self.edges[-1])
        halves = [
            Counts(
                keys[cuts[i] : cuts[i + 1]] - i * self.edges[-1],
                numbers[cuts[i] : cuts[i + 1]].astype(np.float64),
                totals[i],
            )
            for i in range(n)
        ]
        return list(zip(halves[::2], halves[1::2], strict=True))

    def surprise(self, counts: Counts) -> Floats:
        """Cross-entropy of a side in every kind: the mean bits of its character sequences; 0 where
        it has none."""
        is_character = counts.features < self.edges[1]
        numbers = counts.numbers[is_character]
        if not len(numbers):
            return np.zeros(len(self.names))
        bits = self._bits[:, counts.features[is_character]]
        surprise: Floats = (bits * numbers).sum(axis=1) / numbers.sum()
        return surprise

    def recognise(self, surprise: Floats, stated: str | None = None) -> tuple[str, bool]:
        """The kind of least surprise, and whether the side is out of domain: beyond the limit of
        the stated kind or, where none is stated, of every kind."""
        nearest = self.names[int(np.argmin(surprise))]
        if stated in self.names:
            index = self.names.index(stated)
            return nearest, bool(surprise[index] > self.limits[index])
        return nearest, bool((surprise > self.limits).all())

    def is_running(self, counts: Counts) -> bool:
        """Whether the listed features have the share in a side that they have in running English.
        One word repeated, or a list of rare words, has another share."""
        view = np.searchsorted(self.edges, counts.features, side="right") - 1
        listed = np.bincount(view, weights=counts.numbers, minlength=len(self.views))
        shares = (listed / np.maximum(counts.totals, 1))[: _COVERED.shape[1]]
        return bool(((shares >= _COVERED[0]) & (shares <= _COVERED[1])).all())

    def statistics(self, surprise: Floats, stated: str | None = None) -> Statistics:
        """The statistics of the stated kind or, if none is stated, of the kinds nearest to a side
        with this surprise, mixed."""
        tables = self._tables
        if stated is not None and stated in self.names:
            return Statistics(*(table[self.names.index(stated)] for table in tables))
        share = near_kinds(surprise)
        near = np.flatnonzero(share)
        own = share[near, None].astype(np.float32)
        # Sums without BLAS, whose kernels differ in the last bit.
        return Statistics(*((own * table[near]).sum(axis=0) for table in tables))

    @property
    def _tables(self) -> Statistics:
        """The statistics of all kinds, a row for each."""
        return Statistics(self.centre, self.mean, self.deviation)

    def frequencies(self, counts: Counts) -> Floats:
        """Square roots of the relative frequencies of all features."""
        roots = np.zeros(self.edges[-1])
        view = np.searchsorted(self.edges, counts.features, side="right") - 1
        roots[counts.features] = np.sqrt(counts.numbers / np.maximum(counts.totals[view], 1))
        return roots

    def side(
        self, features: Floats, frequencies: Floats, surprise: Floats, statistics: Statistics
    ) -> Floats:
        """The vector of a side: the features of the network, the same minus the mean of the kind,
        the standardised views, and the profile. All parts but the first and the last have length 1.
        """
        centred = unit_length(features - statistics.centre)
        views = self.standardise(frequencies, statistics)
        own = surprise[: self._n_profile]
        profile = _PROFILE * (own - own.sum() / max(len(own), 1))
        return np.concatenate([features, centred, views, profile])

    def apart(self, one: Reals, other: Reals) -> Floats:
        """How far the profiles of sides are apart, vectors over the last axis: the root mean square
        of the differences in bits. A profile says to which kinds a side is near."""
        own, others = (side[..., self.profile].astype(np.float64) for side in (one, other))
        squares = np.square(own - others).sum(axis=-1)
        distance: Floats = np.sqrt(squares / max(self._n_profile, 1)) / _PROFILE
        return distance

    def common(self, one: Reals, other: Reals) -> Floats:
        """The probabilities that both sides are of each kind, (..., kinds), by their profiles;
        vectors over the last axis."""
        profiles = (side[..., self.profile].astype(np.float64) for side in (one, other))
        shares = (near_kinds(profile / _PROFILE) for profile in profiles)
        common: Floats = np.multiply(*shares)
        return common

    def norm(self, frequencies: Floats, statistics: Statistics) -> float:
        """How marked the style of a side is for its kind: the norm of its z-scores."""
        return float(np.sqrt(np.square(statistics.z_scores(frequencies)).sum()))

    def standardise(self, frequencies: Floats, statistics: Statistics) -> Floats:
        """The weighted z-scores of square roots of frequencies; each view has length 1."""
        weighted = self.weight * statistics.z_scores(frequencies)
        views = [unit_length(weighted[start:end]) for start, end in pairwise(self.edges)]
        return np.concatenate(views)

    def self_similarity(self, halves: Halves, network: float, statistics: Statistics) -> float:
        """The mean cosine of the two halves of a text: by the features of the network, which is
        given, and by each view."""
        one, other = (self.standardise(self.frequencies(half), statistics) for half in halves)
        return float(np.mean([network, *cosines(one, other, self.edges)]))

    def with_reference(self, sums: Sums, surprises: Collection[float] = ()) -> Kinds:
        """A copy with a kind of its own for reference texts.

        sums        sums over the reference texts, for its statistics
        surprises   the surprise of each of them, for its limit; without them it has none
        """
        others = [i for i, name in enumerate(self.names) if name != REFERENCE]
        centre, mean, deviation = (
            np.concatenate([table[others], row[None]])
            for table, row in zip(self._tables, sums.statistics(), strict=True)
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
        characters, masked, pairs = self.views
        assert isinstance(masked, MaskedTokens)
        return {
            "characters": characters.features,
            "words": masked.words,
            "masked": masked.features,
            "pairs": pairs.features,
            "names": self.names,
            "labels": self.labels,
            "limits": self.limits,
            "detectable": self.detectable,
            "edition": EDITION,
        }

    def arrays(self) -> dict[str, Any]:
        """The statistics and weights in half precision."""
        return {f"kinds.{name}": getattr(self, name).astype(np.float16) for name in _TABLES}

    @classmethod
    def from_dict(cls, content: dict[str, Any], arrays: dict[str, Any]) -> Kinds:
        """The kinds that `to_dict` and `arrays` describe."""
        if content.get("edition") != EDITION:
            raise ModelError("the model is of an earlier version of this package: train it again")
        centre, mean, deviation, weight = (
            arrays[f"kinds.{name}"].astype(np.float32) for name in _TABLES
        )
        views = (
            CharacterNgrams(tuple(content["characters"])),
            MaskedTokens(tuple(content["words"]), tuple(content["masked"])),
            character_pairs(content["pairs"]),
        )
        return cls(
            views,
            tuple(content["names"]),
            tuple(content["labels"]),
            centre,
            mean,
            np.maximum(deviation, np.float32(LEAST_DEVIATION)),
            weight,
            tuple(content["limits"]),
            tuple(content["detectable"]),
        )


def near_kinds(surprise: Floats) -> Floats:
    """The probability of each kind, given the surprise of sides in all kinds over the last axis, or
    more than it by a number for each side: with each _NEAR bits more it falls to 1 / e."""
    share = np.exp((surprise.min(axis=-1, keepdims=True) - surprise) / _NEAR)
    share = np.where(share < _LEAST_SHARE, 0.0, share)
    near: Floats = share / share.sum(axis=-1, keepdims=True)
    return near
