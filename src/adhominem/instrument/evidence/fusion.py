"""One similarity from several: a sum of terms, one for each view.

The sum is in log10 LR, as far as kinds of text can be pooled. Each term is the weight of the view
times how much more alike the sides are than half-way between one author and two authors. Weights
and half-way points follow the length of the sides and their number of texts, in decades from a
typical pair. experiments/fuse_views.py fits the numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from adhominem.arrays import Floats

# Trends with the number of texts go on beyond the data, up to so many times as many: development
# authors with 16 to 50 texts on a side are judged best so (experiments/many_texts.py).
BEYOND = 1.5

Table = tuple[tuple[float, ...], ...]  # (terms, 3): at a typical pair, by length, by texts


@dataclass(frozen=True, slots=True)
class Fusion:
    """Weights and half-way points of the terms.

    names     names of the terms
    weight    (terms, 3) weight at a typical pair, and its change by decade of length and of texts
    middle    (terms, 3) similarity half-way between one author and two authors, likewise
    rest      (3,) what no view says: it evens out the sum
    typical   log10 of length and texts of a typical pair
    least, most   range of log10 of length and texts in the data; beyond it nothing more is added,
              but texts count up to BEYOND times as many
    """

    names: tuple[str, ...]
    weight: Table
    middle: Table
    rest: tuple[float, ...]
    typical: tuple[float, float]
    least: tuple[float, float]
    most: tuple[float, float]

    def decades(self, length: npt.ArrayLike, texts: npt.ArrayLike) -> Floats:
        """1 and the decades of length and texts from a typical pair, (..., 3)."""
        columns = [np.ones(np.broadcast(length, texts).shape)]
        ends = self.most[0], self.most[1] + np.log10(BEYOND)
        for amount, least, typical, most in zip(
            (length, texts), self.least, self.typical, ends, strict=True
        ):
            logs = np.log10(np.maximum(np.asarray(amount, dtype=np.float64), 1))
            columns.append(np.broadcast_to(np.clip(logs, least, most) - typical, columns[0].shape))
        return np.stack(columns, axis=-1)

    def weights(self, length: npt.ArrayLike, texts: npt.ArrayLike) -> Floats:
        """The weight of each term, (..., terms); never negative."""
        return np.maximum(_combine(self.decades(length, texts), self.weight), 0.0)

    def terms(self, similarity: Floats, length: npt.ArrayLike, texts: npt.ArrayLike) -> Floats:
        """The terms of pairs, (..., terms), for their similarities (..., terms)."""
        decades = self.decades(length, texts)
        middle = _combine(decades, self.middle)
        terms: Floats = self.weights(length, texts) * (similarity - middle)
        return terms

    def total(self, similarity: Floats, length: npt.ArrayLike, texts: npt.ArrayLike) -> Floats:
        """The sum of the terms and the remainder."""
        terms = self.terms(similarity, length, texts)
        total: Floats = terms.sum(axis=-1) + self.remainder(length, texts)
        return total

    def part(self, terms: slice, *, with_rest: bool) -> Fusion:
        """Some of the terms alone, with the remainder or without."""
        return replace(
            self,
            names=self.names[terms],
            weight=self.weight[terms],
            middle=self.middle[terms],
            rest=self.rest if with_rest else (0.0, 0.0, 0.0),
        )

    def remainder(self, length: npt.ArrayLike, texts: npt.ArrayLike) -> Floats:
        """What is added to the sum of the terms."""
        remainder: Floats = (self.decades(length, texts) * np.array(self.rest)).sum(axis=-1)
        return remainder


def _combine(decades: Floats, table: Table) -> Floats:
    """Rows of decades (..., 3) times the rows of a table (terms, 3), without BLAS."""
    combined: Floats = (decades[..., None, :] * np.array(table)).sum(axis=-1)
    return combined
