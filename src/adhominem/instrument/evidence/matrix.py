"""Matrices of the evidence between every two of many sides."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from adhominem.arrays import Booleans, Floats, Integers, Reals
from adhominem.instrument.evidence.copies import find_copies
from adhominem.instrument.evidence.decision import Calibrations, Decisions, decide
from adhominem.instrument.evidence.limits import Limits, reasons_of
from adhominem.instrument.evidence.sides import Sides
from adhominem.records import Document, Pair, Reading, Reason, Verdict

Progress = Callable[[int, int], None]
MOST_EXACT = 1_000  # sides up to which a table has double precision
_TABLES = ("llr", "reliable", "decided")  # columns of `Decisions`
_TILE = 48  # sides of a tile, which are compared together


def quiet(done: int, total: int) -> None:
    """A progress callback that does nothing."""


@dataclass(frozen=True, slots=True)
class EvidenceMatrix:
    """Answers for every two of n sides, as symmetric (n, n) tables."""

    readings: tuple[Reading, ...]
    doubts: tuple[tuple[Reason, ...], ...]  # why a side was not judged; empty if it was
    llr: Reals  # 0 where nothing is decided, NaN on the diagonal; single precision for many sides
    reliable: Booleans  # as in Decision; False for copied text
    decided: Booleans  # False where the verdict is "undecided"
    copied: Booleans  # True where most of one side is in the other

    def verdict(self, one: int, other: int) -> Verdict:
        if not self.decided[one, other]:
            return Verdict.UNDECIDED
        return Verdict.SAME if self.llr[one, other] > 0 else Verdict.DIFFERENT

    def select(self, sides: Integers) -> Self:
        """The tables of the chosen sides."""
        rows = tuple(self.readings[i] for i in sides), tuple(self.doubts[i] for i in sides)
        tables = (getattr(self, name)[np.ix_(sides, sides)] for name in (*_TABLES, "copied"))
        return type(self)(*rows, *tables)


def distances(one: Reals, other: Reals) -> Floats:
    """Euclidean distances over the last axis, without BLAS, whose kernels depend on the shape."""
    result: Floats = np.sqrt(np.square(one - other).sum(axis=-1))
    return result


def matrix_of_features(
    features: Floats,
    readings: Sequence[Reading],
    calibrations: Calibrations,
    limits: Limits,
    similarity: Callable[[Floats, Floats, Sides, Sides], tuple[Floats, Floats | None]],
    copied: Booleans,
    progress: Progress = quiet,
) -> EvidenceMatrix:
    """The matrix of sides given by vectors (n, width) and readings."""
    n, sides = len(features), Sides.of(readings)
    tables = _empty_tables(n)
    for row in range(n - 1):
        later = slice(row + 1, n)
        one, others = sides.select(slice(row, row + 1)), sides.select(later)
        values, terms = similarity(features[later], features[row], others, one)
        decisions = decide(values, (one, others), calibrations, limits, terms=terms)
        for name, table in tables.items():
            table[row, later] = table[later, row] = getattr(decisions, name)
        if row % _TILE == 0:
            progress(row, n)
    progress(n, n)
    return _matrix(readings, limits, tables, copied)


def matrix_of_pairs(
    decide_pairs: Callable[[Sequence[Pair]], Decisions],
    sides: Sequence[Sequence[Document]],
    limits: Limits,
    progress: Progress = quiet,
    *,
    genre: str | None = None,
) -> EvidenceMatrix:
    """The matrix of any method, computed in tiles so that few texts are read more than once."""
    n = len(sides)
    tables = _empty_tables(n)
    readings = [Reading(0, 0)] * n
    done, total = 0, n * (n - 1) // 2
    for start in range(0, n - 1, _TILE):
        rows = range(start, min(start + _TILE, n))
        for end in range(start, n, _TILE):
            cells = [(i, j) for i in rows for j in range(max(i + 1, end), min(end + _TILE, n))]
            pairs = [Pair(tuple(sides[i]), tuple(sides[j]), genre=genre) for i, j in cells]
            decisions = decide_pairs(pairs)
            for number, (i, j) in enumerate(cells):
                readings[i], readings[j] = (side[number] for side in decisions.sides)
            i, j = np.array(cells).T
            for name, table in tables.items():
                table[i, j] = table[j, i] = getattr(decisions, name)
            done += len(cells)
            progress(done, total)
    return _matrix(readings, limits, tables, find_copies(sides))


def _empty_tables(n: int) -> dict[str, npt.NDArray[Any]]:
    llr = np.full((n, n), np.nan, dtype=np.float64 if n <= MOST_EXACT else np.float32)
    return {name: np.zeros((n, n), dtype=bool) for name in _TABLES} | {"llr": llr}


def _matrix(
    readings: Sequence[Reading],
    limits: Limits,
    tables: Mapping[str, npt.NDArray[Any]],
    copied: Booleans,
) -> EvidenceMatrix:
    doubts = tuple(reasons_of("the text", reading, limits) for reading in readings)
    own = {**tables, "reliable": tables["reliable"] & ~copied}
    return EvidenceMatrix(tuple(readings), doubts, **own, copied=copied)
