"""Evidence between every two of many sides, as tables instead of one Decision after another.

A table says what `Verifier.decide` says of the same pairs. Any method can fill one pair by pair; a
method that has features of a side reads each side once and weighs whole rows at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from adhominem.instrument.evidence.calibration import Calibration, Covariates, covariates_of
from adhominem.records import Document, Pair, Reading, Verdict

if TYPE_CHECKING:
    from adhominem.instrument.verifier import Verifier

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]
Progress = Callable[[int, int], None]
_TILE = 48  # sides, of which every two are compared together
_NO_GENRE = -1


def quiet(done: int, total: int) -> None:
    """Progress that nobody watches."""


@dataclass(frozen=True, slots=True)
class EvidenceMatrix:
    """Symmetric; nothing is said of a side and itself, where `llr` is NaN.

    llr         log10 of the likelihood ratio, 0 where nothing is decided
    reliable    as in Decision
    decided     the verdict is not "undecided"
    doubts      for each side why it was not judged; empty where it was
    """

    readings: tuple[Reading, ...]
    doubts: tuple[tuple[str, ...], ...]
    llr: Floats
    reliable: Booleans
    decided: Booleans

    def verdict(self, one: int, other: int) -> Verdict:
        if not self.decided[one, other]:
            return Verdict.UNDECIDED
        return Verdict.SAME if self.llr[one, other] > 0 else Verdict.DIFFERENT


@dataclass(frozen=True, slots=True)
class SideTable:
    """What the calibration asks of each side. `genre` is a number among `genres`, -1 for none;
    `judged` is false for a side with doubts."""

    genres: tuple[str, ...]
    tokens: Integers
    stretches: Integers
    norm: Floats
    genre: Integers
    judged: Booleans

    @classmethod
    def of(cls, readings: Sequence[Reading], doubts: Sequence[Sequence[str]]) -> SideTable:
        genres = tuple(sorted({r.genre for r in readings if r.genre is not None}))
        return cls(
            genres,
            np.array([r.tokens for r in readings], dtype=np.int64),
            np.array([r.stretches for r in readings], dtype=np.int64),
            np.array([r.norm for r in readings], dtype=np.float64),
            np.array([_NO_GENRE if r.genre is None else genres.index(r.genre) for r in readings]),
            np.array([not d for d in doubts], dtype=bool),
        )


@dataclass(frozen=True, slots=True)
class Weighed:
    """Columns of what Decision says of each pair."""

    llr: Floats
    reliable: Booleans
    decided: Booleans


def weigh(verifier: Verifier, distance: Floats, one: Reading, others: SideTable) -> Weighed:
    """One side against others at these distances: what `Verifier._decide` does for a single pair
    whose similarity is a negative distance."""
    covariates = covariates_of(one, others)
    llr = np.empty(len(distance))
    reliable = np.empty(len(distance), dtype=bool)
    number = others.genres.index(one.genre) if one.genre in others.genres else _NO_GENRE
    alike = (others.genre == number) & (number != _NO_GENRE)
    everyone = verifier._check_fitted()
    for rows, calibration in (
        (alike, verifier.calibrations_.get(one.genre or "", everyone)),
        (~alike, everyone),
    ):
        own = Covariates(*(np.asarray(amount)[rows] for amount in covariates))
        llr[rows] = calibration.llr(-distance[rows], own)
        reliable[rows] = (
            (distance[rows] <= verifier.tau_s) | (distance[rows] >= verifier.tau_d)
            if verifier.tau_s is not None and verifier.tau_d is not None
            else _sure(calibration, calibration.line(-distance[rows], own))
        )
    judged = others.judged & (not doubts_of(verifier, one))
    decided = judged & (np.abs(llr) >= verifier.min_llr)
    return Weighed(np.where(decided, llr, 0.0), reliable & decided, decided)


def doubts_of(verifier: Verifier, reading: Reading) -> tuple[str, ...]:
    return tuple(verifier._doubts("the text", reading))


def _sure(calibration: Calibration, line: Floats) -> Booleans:
    sure = np.zeros(len(line), dtype=bool)
    if calibration.sure_same is not None:
        sure |= line >= calibration.sure_same
    if calibration.sure_different is not None:
        sure |= line <= calibration.sure_different
    return sure


def distances(one: Floats, other: Floats) -> Floats:
    """Euclidean, over the last axis; a row has the same distance alone and among others."""
    found: Floats = np.sqrt(np.square(one - other).sum(axis=-1))
    return found


def matrix_of_features(
    verifier: Verifier, features: Floats, readings: Sequence[Reading], progress: Progress = quiet
) -> EvidenceMatrix:
    """For methods whose similarity is the negative distance of features, (n, width)."""
    n = len(features)
    doubts = tuple(doubts_of(verifier, reading) for reading in readings)
    table = SideTable.of(readings, doubts)
    llr = np.full((n, n), np.nan)
    reliable, decided = np.zeros((n, n), dtype=bool), np.zeros((n, n), dtype=bool)
    for row in range(n):
        weighed = weigh(verifier, distances(features, features[row]), readings[row], table)
        llr[row], reliable[row], decided[row] = weighed.llr, weighed.reliable, weighed.decided
        if row % _TILE == 0:
            progress(row, n)
    np.fill_diagonal(llr, np.nan)
    np.fill_diagonal(reliable, False)
    np.fill_diagonal(decided, False)
    progress(n, n)
    return EvidenceMatrix(tuple(readings), doubts, llr, reliable, decided)


def matrix_of_pairs(
    verifier: Verifier,
    sides: Sequence[Sequence[Document]],
    progress: Progress = quiet,
    *,
    genre: str | None = None,
) -> EvidenceMatrix:
    """For any method. A tile of sides against another, so that a method that reads the texts of
    many pairs together reads each seldom."""
    n = len(sides)
    llr = np.full((n, n), np.nan)
    reliable, decided = np.zeros((n, n), dtype=bool), np.zeros((n, n), dtype=bool)
    readings: list[Reading | None] = [None] * n
    done, total = 0, n * (n - 1) // 2
    for left in range(0, n, _TILE):
        for right in range(left, n, _TILE):
            places = [
                (i, j)
                for i in range(left, min(left + _TILE, n))
                for j in range(max(i + 1, right), min(right + _TILE, n))
            ]
            pairs = [Pair(tuple(sides[i]), tuple(sides[j]), genre=genre) for i, j in places]
            for (i, j), decision in zip(places, verifier.decide(pairs), strict=True):
                readings[i], readings[j] = decision.left, decision.right
                llr[i, j] = llr[j, i] = decision.llr
                reliable[i, j] = reliable[j, i] = decision.reliable
                decided[i, j] = decided[j, i] = decision.verdict is not Verdict.UNDECIDED
            done += len(places)
            progress(done, total)
    read = tuple(Reading(0, 0) if reading is None else reading for reading in readings)
    doubts = tuple(doubts_of(verifier, reading) for reading in read)
    return EvidenceMatrix(read, doubts, llr, reliable, decided)
