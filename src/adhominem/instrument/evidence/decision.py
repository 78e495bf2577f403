"""The one decision rule: similarities and what was read of both sides, to answers.

A pair gets a likelihood ratio by the calibration of its genre, or by that of unknown genres. It
stays undecided, with a reason, where a side is too short, not English or unlike the genres of the
model, and where the evidence is too weak.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self, overload

import numpy as np
import numpy.typing as npt

from adhominem.arrays import Booleans, Floats
from adhominem.instrument.evidence.calibration import Calibration, Covariates, covariates_of
from adhominem.instrument.evidence.copies import COPIED_TEXT
from adhominem.instrument.evidence.limits import (
    NOTHING_TO_COMPARE,
    REST,
    WEAK_EVIDENCE,
    Limits,
    amount_notes,
    disagreement,
    find_doubts,
    kind_notes,
    reasons_of,
    reference_notes,
    told,
)
from adhominem.instrument.evidence.sides import Sides
from adhominem.records import Decision, Reading, Reason, Term, TrackRecord, Verdict

# Calibrations by genre; the one of None is for texts of unknown genre.
Calibrations = Mapping[str | None, Calibration]


@dataclass(frozen=True, eq=False)
class Decisions(Sequence[Decision]):
    """Answers as columns; `[i]` is a Decision."""

    llr: Floats  # log10 of the likelihood ratio, 0 where nothing is decided
    reliable: Booleans  # as in Decision
    decided: Booleans  # False where the verdict is "undecided"
    judged: Booleans  # True where both sides could be judged, however weak the evidence
    similarity: Floats
    sides: tuple[Sides, Sides]
    calibrations: Calibrations
    limits: Limits
    notes: Sequence[tuple[Reason, ...]]
    terms: Floats | None = None  # what each view adds to the similarity, (n, views)
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
        labels = self.limits.labels
        llr = float(self.llr[index])
        calibration = calibration_for(self.calibrations, left, right)
        covariates = covariates_of(left, right)
        terms = self._terms(index, calibration, covariates)
        verdict = Verdict.UNDECIDED
        if self.decided[index]:
            verdict = Verdict.SAME if llr > 0 else Verdict.DIFFERENT
        distance = self._distance(index)
        has_band = self.limits.has_distance and distance is not None
        tau_s, tau_d = self._thresholds(calibration, covariates) if has_band else (None, None)
        return Decision(
            verdict=verdict,
            score=score_of(llr),
            llr=llr,
            reliable=bool(self.reliable[index]),
            reasons=self._reasons(index, left, right),
            left=told(left, self.limits),
            right=told(right, self.limits),
            distance=distance,
            tau_s=tau_s,
            tau_d=tau_d,
            model=self.limits.model,
            track_record=track_record_of(self.limits.track_records, left, right),
            notes=(
                *(self.notes[index] if self.notes else ()),
                *reference_notes(left, self.limits),
                *(kind_notes(left, right, labels) if self.judged[index] else ()),
                *amount_notes(float(np.asarray(covariates.stretches)), self.limits),
                *disagreement(terms),
            ),
            terms=terms,
            bounds=calibration.bounds,
            labels=labels,
        )

    def with_copies(self, copied: Sequence[bool]) -> Self:
        """A copy in which pairs of copied text have a note and are not reliable."""
        note = Reason(COPIED_TEXT, "copied text: most of one side stands in the other")
        notes = [
            (*own, note) if is_copy else own
            for own, is_copy in zip(self.notes or [()] * len(self), copied, strict=True)
        ]
        return replace(self, reliable=self.reliable & ~np.array(copied, dtype=bool), notes=notes)

    def _distance(self, index: int) -> float | None:
        """The distance of the features of a pair; None where there is none, or where it says
        nothing because the pair is not judged."""
        if not self.judged[index] or not (self.limits.has_distance or self.distance is not None):
            return None
        return float(-self.similarity[index] if self.distance is None else self.distance[index])

    def _terms(self, index: int, own: Calibration, covariates: Covariates) -> tuple[Term, ...]:
        """The terms of a pair in log10 LR, and last what kind, length and number of texts add;
        none for a pair that is not judged."""
        if self.terms is None or not self.judged[index]:
            return ()
        line = own.line([0.0, 1.0, self.similarity[index]], covariates)
        values = ((line[1] - line[0]) * self.terms[index]).tolist()
        rest = float(line[2]) - sum(values)
        names = (*self.limits.term_names, REST)
        return tuple(Term(*row) for row in zip(names, (*values, rest), strict=True))

    def _reasons(self, index: int, left: Reading, right: Reading) -> tuple[Reason, ...]:
        if self.decided[index]:
            return ()
        copied = self.notes and any(note.code == COPIED_TEXT for note in self.notes[index])
        if copied and not (left.tokens and right.tokens):
            return (Reason(COPIED_TEXT, "the texts of both sides are copies of each other"),)
        reasons = (*reasons_of("left", left, self.limits), *reasons_of("right", right, self.limits))
        if reasons:
            return reasons
        if np.isnan(self.similarity[index]):
            return (Reason(NOTHING_TO_COMPARE, "there is nothing to compare"),)
        return (Reason(WEAK_EVIDENCE, "the evidence speaks for neither side"),)

    def _thresholds(
        self, own: Calibration, covariates: Covariates
    ) -> tuple[float | None, float | None]:
        """The distances up to which and from which an answer for these sides is reliable."""
        if self.limits.thresholds is not None:
            return self.limits.thresholds
        same = own.similarity_at(own.sure_same, covariates)
        different = own.similarity_at(own.sure_different, covariates)
        return None if same is None else -same, None if different is None else -different


def decide(
    similarity: npt.ArrayLike,
    sides: tuple[Sides, Sides],
    calibrations: Calibrations,
    limits: Limits = Limits(),
    notes: Sequence[tuple[Reason, ...]] = (),
    terms: Floats | None = None,
    distance: Floats | None = None,
) -> Decisions:
    """Answers for many pairs at once.

    similarity     one value per pair, larger for more alike; NaN where there is nothing to compare
    sides          what was read of the left and the right sides; one of them may have a single row,
                   which is then compared with all rows of the other
    calibrations   by genre, and for None
    notes          notes on each pair that its Decision carries; none by default
    terms          what each view adds to the similarity
    distance       distances of the features, where a similarity is more than their negative
    """
    x = np.asarray(similarity, dtype=np.float64)
    left, right = sides
    covariates = [np.broadcast_to(c, x.shape) for c in covariates_of(left, right)]
    line, reliable = np.empty(len(x)), np.empty(len(x), dtype=bool)
    llr = np.empty(len(x))
    remaining = np.ones(len(x), dtype=bool)
    for genre in (*(set(left.genres) & set(right.genres) & set(calibrations)), None):
        rows = remaining.copy()
        if genre is not None:
            rows &= left.is_genre(genre) & right.is_genre(genre)
        remaining &= ~rows
        own = Covariates(*(covariate[rows] for covariate in covariates))
        calibration = calibrations[genre]
        line[rows], llr[rows] = calibration.line(x[rows], own), calibration.llr(x[rows], own)
        reliable[rows] = calibration.is_sure(line[rows])
    if limits.thresholds is not None:
        tau_s, tau_d = limits.thresholds
        reliable = (-x <= tau_s) | (-x >= tau_d)
    judged = (find_doubts(left, limits) < 0) & (find_doubts(right, limits) < 0) & ~np.isnan(llr)
    decided = judged & (np.abs(np.nan_to_num(llr)) >= limits.min_llr)
    return Decisions(
        llr=np.where(decided, llr, 0.0),
        reliable=reliable & decided,
        decided=decided,
        judged=judged,
        similarity=x,
        sides=sides,
        calibrations=calibrations,
        limits=limits,
        notes=notes,
        terms=terms,
        distance=distance,
    )


def calibration_for(calibrations: Calibrations, left: Reading, right: Reading) -> Calibration:
    """The calibration of the genre that both sides have, else that of unknown genres."""
    genre = left.genre if left.genre == right.genre else None
    return calibrations.get(genre, calibrations[None])


def track_record_of(
    records: Iterable[TrackRecord], left: Reading, right: Reading
) -> TrackRecord | None:
    """The errors on held-out pairs of this genre and length, or of unknown genre where the sides do
    not have one genre; None if there were no such pairs."""
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
