"""The decision rule of all methods: similarities and readings of both sides become decisions.

A pair gets a likelihood ratio by the calibration of its genre, or by the one for unknown genres. It
stays undecided, with a reason, if a side cannot be judged or the evidence is too weak. An answer is
not reliable if its texts are more than calibration pairs have or its views contradict each other.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self, overload

import numpy as np
import numpy.typing as npt

from adhominem.arrays import Booleans, Floats
from adhominem.instrument.evidence import limits as rules
from adhominem.instrument.evidence.calibration import Calibration, Covariates, covariates_of
from adhominem.instrument.evidence.copies import COPIED_TEXT
from adhominem.instrument.evidence.fusion import APART
from adhominem.instrument.evidence.limits import Limits
from adhominem.instrument.evidence.sides import Sides
from adhominem.records import Decision, Reading, Reason, Term, TrackRecord, Verdict

Calibrations = Mapping[str | None, Calibration]  # by genre; None for texts of unknown genre


@dataclass(frozen=True, eq=False)
class Decisions(Sequence[Decision]):
    """Decisions about many pairs, as columns; `[i]` is a Decision."""

    llr: Floats  # log10 of the likelihood ratio, 0 where nothing is decided
    reliable: Booleans  # as in Decision
    decided: Booleans  # False where the verdict is "undecided"
    judged: Booleans  # whether both sides could be judged, however weak the evidence
    similarity: Floats
    sides: tuple[Sides, Sides]
    calibrations: Calibrations
    limits: Limits
    notes: Sequence[tuple[Reason, ...]]
    terms: Floats | None = None  # term of each view in the similarity, (n, views)
    distance: Floats | None = None  # distances of the features

    def __len__(self) -> int:
        return len(self.llr)

    def __iter__(self) -> Iterator[Decision]:
        return (self[i] for i in range(len(self)))

    @overload
    def __getitem__(self, index: int) -> Decision: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Decision]: ...
    def __getitem__(self, index: int | slice) -> Decision | Sequence[Decision]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(f"{index} is not among {len(self)} decisions")
        left, right = (side[index % len(side)] for side in self.sides)
        limits, llr, is_judged = self.limits, float(self.llr[index]), bool(self.judged[index])
        calibration = calibration_for(self.calibrations, left, right)
        covariates = covariates_of(left, right)
        terms = self._terms(index, calibration, covariates)
        own = self.notes[index] if self.notes else ()
        stretches = float(np.asarray(covariates.stretches))
        notes = rules.notes_of(left, right, limits, terms=terms, stretches=stretches)
        verdict = Verdict.UNDECIDED
        if self.decided[index]:
            verdict = Verdict.SAME if llr > 0 else Verdict.DIFFERENT
        distance: float | None = None
        thresholds: Sequence[float | None] = (None, None)
        if is_judged and self.distance is not None:
            distance = float(self.distance[index])
        elif is_judged and limits.has_distance:
            distance = float(-self.similarity[index])
        if limits.has_distance and distance is not None:
            sure = (calibration.sure_same, calibration.sure_different)
            places = [calibration.similarity_at(line, covariates) for line in sure]
            thresholds = limits.thresholds or [None if s is None else -s for s in places]
        return Decision(
            verdict=verdict,
            score=score_of(llr),
            llr=llr,
            reliable=bool(self.reliable[index]),
            reasons=self._reasons(index, left, right),
            left=rules.presentable(left, limits),
            right=rules.presentable(right, limits),
            distance=distance,
            tau_s=thresholds[0],
            tau_d=thresholds[1],
            model=limits.model,
            track_record=track_record_of(limits.track_records, left, right),
            notes=(*own, *notes),
            terms=terms,
            bounds=calibration.bounds,
            labels=limits.labels,
        )

    def with_copies(self, copied: Sequence[bool]) -> Self:
        """A copy in which pairs with copied text have a note and are not reliable."""
        note = Reason(COPIED_TEXT, "copied text: most of one side stands in the other")
        notes = [
            (*own, note) if is_copy else own
            for own, is_copy in zip(self.notes or [()] * len(self), copied, strict=True)
        ]
        return replace(self, reliable=self.reliable & ~np.array(copied, dtype=bool), notes=notes)

    def _terms(self, index: int, own: Calibration, covariates: Covariates) -> tuple[Term, ...]:
        """The terms of a judged pair in log10 LR; the last is the remainder by kind and length.
        What different kinds take off is left out where it is nothing."""
        if self.terms is None or not self.judged[index]:
            return ()
        line = own.line([0.0, 1.0, self.similarity[index]], covariates)
        values = ((line[1] - line[0]) * self.terms[index]).tolist()
        values.append(float(line[2]) - sum(values))
        terms = map(Term, (*self.limits.term_names, rules.REST), values)
        return tuple(term for term in terms if term.llr or term.name != APART)

    def _reasons(self, index: int, left: Reading, right: Reading) -> tuple[Reason, ...]:
        if self.decided[index]:
            return ()
        copied = self.notes and any(note.code == COPIED_TEXT for note in self.notes[index])
        if copied and not (left.tokens and right.tokens):
            return (Reason(COPIED_TEXT, "the texts of both sides are copies of each other"),)
        sides = (("left", left), ("right", right))
        if reasons := tuple(why for side in sides for why in rules.reasons_of(*side, self.limits)):
            return reasons
        if np.isnan(self.similarity[index]):
            return (Reason(rules.NOTHING_TO_COMPARE, "there is nothing to compare"),)
        return (Reason(rules.WEAK_EVIDENCE, "the evidence speaks for neither side"),)


def decide(
    similarity: npt.ArrayLike,
    sides: tuple[Sides, Sides],
    calibrations: Calibrations,
    limits: Limits = Limits(),
    notes: Sequence[tuple[Reason, ...]] = (),
    terms: Floats | None = None,
    distance: Floats | None = None,
) -> Decisions:
    """Decide about many pairs at once.

    similarity   one value per pair, larger for more alike; NaN where there is nothing to compare
    sides        readings of the left and the right sides; a single row is compared with all others
    notes        notes of each pair
    terms        term of each view in the similarity
    distance     distances of the features, unless the similarity is their negative
    """
    x = np.asarray(similarity, dtype=np.float64)
    left, right = sides
    covariates = covariates_of(left, right)
    line, llr, slope = np.empty((3, len(x)))
    reliable, remaining = np.empty(len(x), dtype=bool), np.ones(len(x), dtype=bool)
    for genre in (*(set(left.genres) & set(right.genres) & set(calibrations)), None):
        rows = remaining.copy()
        if genre is not None:
            rows &= left.is_genre(genre) & right.is_genre(genre)
        remaining &= ~rows
        own = covariates.select(rows, x.shape)
        calibration = calibrations[genre]
        line[rows], llr[rows] = calibration.line(x[rows], own), calibration.llr(x[rows], own)
        slope[rows] = calibration.line(1.0, own) - calibration.line(0.0, own)
        reliable[rows] = calibration.is_sure(line[rows])
    if limits.thresholds is not None:
        tau_s, tau_d = limits.thresholds
        reliable = (-x <= tau_s) | (-x >= tau_d)
    values = None if terms is None else slope[:, None] * terms
    caveats = rules.find_caveats(values, covariates.stretches, limits.term_names, limits)
    reliable &= ~np.logical_or(*caveats)
    doubts = (rules.find_doubts(side, limits) for side in sides)
    judged = np.logical_and(*(doubt < 0 for doubt in doubts)) & ~np.isnan(llr)
    decided = judged & (np.abs(np.nan_to_num(llr)) >= limits.min_llr)
    answers = (np.where(decided, llr, 0.0), reliable & decided, decided, judged)
    return Decisions(*answers, x, sides, calibrations, limits, notes, terms, distance)


def calibration_for(calibrations: Calibrations, left: Reading, right: Reading) -> Calibration:
    """The calibration of the common genre of both sides, or the one for unknown genres."""
    genre = left.genre if left.genre == right.genre else None
    return calibrations.get(genre, calibrations[None])


def track_record_of(
    records: Iterable[TrackRecord], left: Reading, right: Reading
) -> TrackRecord | None:
    """The errors on held-out pairs of this genre and length; None without such pairs."""
    genre = left.genre if left.genre == right.genre else None
    tokens = min(left.tokens, right.tokens)
    for record in records:
        fits = record.shortest <= tokens and (record.longest is None or tokens < record.longest)
        if record.genre == genre and fits:
            return record
    return None


def score_of(llr: float) -> float:
    """P(same author) at equal prior odds for a log10 likelihood ratio."""
    return float(1.0 / (1.0 + 10.0**-llr))
