"""One similarity from several: a sum of terms, one for each view.

The sum is in log10 LR, as far as kinds of text can be pooled. Each term is the weight of the view
times how much more alike the sides are than half-way between one author and two authors. Weights
and half-way points follow the length of the sides, their number of texts and their likeness to
themselves: in some kinds of text everything is alike, which the two halves of a text show. Below
SHORT tokens they follow the length by a line of its own: there views differ by chance.

Evidence was tested on pairs of one kind. Where the sides look like different kinds of text, further
apart than pairs of one kind of that length are, the sum counts less, down to nothing: one more term
takes off what does not count.

A pair whose kind is not stated is judged by a mixture: the sum of each known kind counts with the
probability that both sides are of that kind, and a sum for all kinds with the rest.
experiments/fuse_views.py fits the numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from adhominem.arrays import Floats
from adhominem.instrument.evidence.calibration import Covariates

# Trends with the number of texts go on beyond the data, up to so many times as many: development
# authors with 16 to 50 texts on a side are judged best so (experiments/many_texts.py).
BEYOND = 2.0
APART = "different kinds"  # name of the term that takes off what does not count
SHORT = 100  # tokens below which a length counts as short, too
N_AMOUNTS = 6

# (..., terms, 6): at a typical pair, by decade of length and of texts, by likeness to itself, by
# decade of the norm, by decade below SHORT. Several fusions mixed have a table for each pair.
Table = tuple[tuple[float, ...], ...] | Floats


@dataclass(frozen=True, slots=True)
class Fusion:
    """Weights and half-way points of the terms.

    names     names of the terms
    weight    (terms, 6) weight at a typical pair, and its change with each amount
    middle    (terms, 6) similarity half-way between one author and two authors, likewise
    rest      (6,) what no view says: it evens out the sum
    typical   amounts of a typical pair: log10 of its length and texts, likeness to itself, log10 of
              its norm
    least, most   range of the amounts in the data; beyond it nothing more is added, but texts count
              up to BEYOND times as many
    fading    a, b, begin, end: profiles of pairs of one kind are about sqrt(a + b / length)
              apart; from `begin` times that on the sum counts less, from `end` times on nothing;
              None where the kind of both sides is stated by name
    """

    names: tuple[str, ...]
    weight: Table
    middle: Table
    rest: tuple[float, ...] | Floats
    typical: tuple[float, ...]
    least: tuple[float, ...]
    most: tuple[float, ...]
    fading: tuple[float, float, float, float] | None = None

    @property
    def term_names(self) -> tuple[str, ...]:
        """The names of what `terms` returns."""
        return *self.names, APART

    def amounts(self, covariates: Covariates) -> Floats:
        """1, how far each amount of a pair is from that of a typical one, and how short it is,
        (..., 6)."""
        length, texts, norm = (
            np.log10(np.maximum(np.asarray(c, dtype=np.float64), 1)) for c in covariates[:3]
        )
        likeness = np.asarray(covariates.self_similarity, dtype=np.float64)
        ends = [self.most[0], self.most[1] + np.log10(BEYOND), *self.most[2:]]
        rows = np.broadcast_arrays(length, texts, likeness, norm)
        columns = [np.ones(rows[0].shape)]
        for row, least, typical, most in zip(rows, self.least, self.typical, ends, strict=True):
            columns.append(np.clip(np.where(np.isnan(row), typical, row), least, most) - typical)
        columns.append(np.maximum(np.log10(SHORT) - np.maximum(rows[0], self.least[0]), 0))
        return np.stack(columns, axis=-1)

    def counting(self, covariates: Covariates) -> Floats:
        """The share of the sum that counts, 1 where the sides look like one kind of text."""
        if self.fading is None:
            return np.ones(np.shape(covariates.apart))
        a, b, begin, end = self.fading
        usual = np.sqrt(a + b / np.maximum(np.asarray(covariates.length, dtype=np.float64), 1))
        apart = np.asarray(covariates.apart, dtype=np.float64) / usual
        return np.clip((end - apart) / (end - begin), 0.0, 1.0)

    def weights(self, covariates: Covariates) -> Floats:
        """How much the total rises with each similarity, (..., terms); never negative."""
        weights = np.maximum(_combine(self.amounts(covariates), self.weight), 0.0)
        return weights * self.counting(covariates)[..., None]

    def terms(self, similarity: Floats, covariates: Covariates) -> Floats:
        """The terms of pairs, (..., terms), for their similarities (..., terms). The last takes off
        what does not count."""
        amounts = self.amounts(covariates)
        middle = _combine(amounts, self.middle)
        terms: Floats = np.maximum(_combine(amounts, self.weight), 0.0) * (similarity - middle)
        everything = terms.sum(axis=-1) + self.remainder(covariates)
        off = (self.counting(covariates) - 1) * everything
        return np.concatenate([terms, off[..., None]], axis=-1)

    def total(self, similarity: Floats, covariates: Covariates) -> Floats:
        """The sum of the terms and the remainder."""
        total: Floats = self.terms(similarity, covariates).sum(axis=-1) + self.remainder(covariates)
        return total

    def part(self, terms: slice, *, with_rest: bool) -> Fusion:
        """Some of the terms alone, with the remainder or without."""
        return replace(
            self,
            names=self.names[terms],
            weight=np.asarray(self.weight)[..., terms, :],
            middle=np.asarray(self.middle)[..., terms, :],
            rest=self.rest if with_rest else np.zeros(N_AMOUNTS),
        )

    def remainder(self, covariates: Covariates) -> Floats:
        """What is added to the sum of the terms; it counts in full, since the last term takes off
        its share."""
        remainder: Floats = (self.amounts(covariates) * np.asarray(self.rest)).sum(axis=-1)
        return remainder


@dataclass(frozen=True, slots=True)
class Mixture:
    """Fusions with the same terms, each with its share of every pair, an array (...,)."""

    parts: tuple[tuple[Floats, Fusion], ...]

    @property
    def names(self) -> tuple[str, ...]:
        return self.parts[0][1].names

    def weights(self, covariates: Covariates) -> Floats:
        """As in Fusion."""
        rows = [share[..., None] * own.weights(covariates) for share, own in self.parts]
        return np.asarray(sum(rows))

    def terms(self, similarity: Floats, covariates: Covariates) -> Floats:
        """As in Fusion."""
        rows = [share[..., None] * own.terms(similarity, covariates) for share, own in self.parts]
        return np.asarray(sum(rows))

    def total(self, similarity: Floats, covariates: Covariates) -> Floats:
        """As in Fusion."""
        total: Floats = self.terms(similarity, covariates).sum(axis=-1) + self.remainder(covariates)
        return total

    def part(self, terms: slice, *, with_rest: bool) -> Mixture:
        """As in Fusion."""
        parts = (own.part(terms, with_rest=with_rest) for _, own in self.parts)
        shares = (share for share, _ in self.parts)
        return Mixture(tuple(zip(shares, parts, strict=True)))

    def remainder(self, covariates: Covariates) -> Floats:
        """As in Fusion."""
        return np.asarray(sum(share * own.remainder(covariates) for share, own in self.parts))


def mix(fusions: Sequence[Fusion], shares: Floats, rest: Fusion) -> Mixture:
    """Fusions that differ in weights and remainder alone, by their shares (..., fusions) of every
    pair, and another fusion for what is left of it."""
    used = np.flatnonzero(shares.any(axis=tuple(range(shares.ndim - 1)))).tolist()
    own, left = shares[..., used], 1 - shares.sum(axis=-1)
    if not used:
        return Mixture(((left, rest),))
    weight, remainder = (
        np.array([getattr(fusions[i], n) for i in used]) for n in ("weight", "rest")
    )
    mixed = replace(
        fusions[used[0]],
        weight=(own[..., None, None] * weight).sum(axis=-3),
        rest=(own[..., None] * remainder).sum(axis=-2),
    )
    return Mixture(((np.ones(left.shape), mixed), (left, rest)))


def _combine(amounts: Floats, table: Table) -> Floats:
    """Rows of amounts times the rows of a table, (..., terms), without BLAS."""
    combined: Floats = (amounts[..., None, :] * np.asarray(table)).sum(axis=-1)
    return combined
