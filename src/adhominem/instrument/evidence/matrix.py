"""Evidence between every two of many sides, as tables."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from adhominem.arrays import Booleans, Floats, Integers, Reals
from adhominem.instrument.evidence.copies import find_copies
from adhominem.instrument.evidence.decision import Calibrations, Decisions, decide
from adhominem.instrument.evidence.limits import Limits, reasons_of
from adhominem.instrument.evidence.sides import Sides
from adhominem.records import Document, Pair, Reading, Reason, Verdict

Progress = Callable[[int, int], None]
MOST_EXACT = 1_000  # sides up to which a table has double precision
_TILE = 48  # sides, of which every two are compared together


def quiet(done: int, total: int) -> None:
    """Progress that nobody watches."""


@dataclass(frozen=True, slots=True)
class EvidenceMatrix:
    """Answers for every two of n sides, as symmetric (n, n) tables.

    llr        log10 of the likelihood ratio: 0 where nothing is decided, NaN on the diagonal; in
               single precision where there are many sides
    reliable   as in Decision
    decided    False where the verdict is "undecided"
    copied     True where most of one side stands in the other, which is not reliable
    doubts     for each side, why it was not judged; empty where it was
    """

    readings: tuple[Reading, ...]
    doubts: tuple[tuple[Reason, ...], ...]
    llr: Reals
    reliable: Booleans
    decided: Booleans
    copied: Booleans

    def verdict(self, one: int, other: int) -> Verdict:
        if not self.decided[one, other]:
            return Verdict.UNDECIDED
        return Verdict.SAME if self.llr[one, other] > 0 else Verdict.DIFFERENT

    def select(self, sides: Integers) -> Self:
        """The tables of the chosen sides."""
        table = np.ix_(sides, sides)
        return replace(
            self,
            readings=tuple(self.readings[i] for i in sides),
            doubts=tuple(self.doubts[i] for i in sides),
            llr=self.llr[table],
            reliable=self.reliable[table],
            decided=self.decided[table],
            copied=self.copied[table],
        )


def distances(one: Reals, other: Reals) -> Floats:
    """Euclidean distances over the last axis; each is computed as if it were alone."""
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
    """The matrix of sides with a vector each, (n, width), whose similarity is that of vectors and
    counts."""
    n, sides = len(features), Sides.of(readings)
    llr, reliable, decided = _empty_tables(n)
    for row in range(n - 1):
        later = slice(row + 1, n)
        one, others = sides.select(slice(row, row + 1)), sides.select(later)
        values, _ = similarity(features[later], features[row], others, one)
        decisions = decide(values, (one, others), calibrations, limits)
        for table, column in (
            (llr, decisions.llr),
            (reliable, decisions.reliable),
            (decided, decisions.decided),
        ):
            table[row, later] = table[later, row] = column
        if row % _TILE == 0:
            progress(row, n)
    progress(n, n)
    return _matrix(readings, limits, llr, reliable, decided, copied)


def matrix_of_pairs(
    decide_pairs: Callable[[Sequence[Pair]], Decisions],
    sides: Sequence[Sequence[Document]],
    limits: Limits,
    progress: Progress = quiet,
    *,
    genre: str | None = None,
) -> EvidenceMatrix:
    """The matrix of any method, a tile of sides against another at a time, so that a method that
    reads each distinct text of a call once reads few texts twice."""
    n = len(sides)
    llr, reliable, decided = _empty_tables(n)
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
            for table, column in (
                (llr, decisions.llr),
                (reliable, decisions.reliable),
                (decided, decisions.decided),
            ):
                table[i, j] = table[j, i] = column
            done += len(cells)
            progress(done, total)
    copied = find_copies(sides)
    return _matrix(readings, limits, llr, reliable, decided, copied)


def _empty_tables(n: int) -> tuple[Reals, Booleans, Booleans]:
    llr = np.full((n, n), np.nan, dtype=np.float64 if n <= MOST_EXACT else np.float32)
    return llr, np.zeros((n, n), dtype=bool), np.zeros((n, n), dtype=bool)


def _matrix(
    readings: Sequence[Reading], limits: Limits, llr: Reals, *answers: Booleans
) -> EvidenceMatrix:
    reliable, decided, copied = answers
    doubts = tuple(reasons_of("the text", reading, limits) for reading in readings)
    return EvidenceMatrix(tuple(readings), doubts, llr, reliable & ~copied, decided, copied)
