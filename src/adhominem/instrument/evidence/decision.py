"""The one decision rule: similarities and what was read of both sides, to answers.

A pair gets a likelihood ratio by the calibration of its genre, or by that of unknown genres. It
stays undecided, with a reason, where a side is too short, not English or unlike the genres of the
model, and where the evidence is too weak.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
import numpy.typing as npt

from adhominem.instrument.evidence.calibration import Calibration, Covariates, covariates_of
from adhominem.instrument.evidence.copies import COPIED_TEXT
from adhominem.instrument.evidence.sides import Sides
from adhominem.records import Decision, ModelIdentity, Reading, Reason, Term, TrackRecord, Verdict

Floats = npt.NDArray[np.float64]
Booleans = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]
# Calibrations by genre; the one of None is for texts of unknown genre.
Calibrations = Mapping[str | None, Calibration]
TOO_SHORT, NOT_ENGLISH, UNKNOWN_WORDS, OUT_OF_DOMAIN, SEVERAL_VOICES = (
    "too-short",
    "not-english",
    "unknown-words",
    "out-of-domain",
    "several-voices",
)
REST = "kind and length"
DIFFERENT_KINDS, VIEWS_DISAGREE = "different-kinds", "views-disagree"
_WEIGHTY = 0.3  # log10 LR of a view that counts as a voice of its own
NOTHING_TO_COMPARE, WEAK_EVIDENCE = "nothing-to-compare", "weak-evidence"
_DOUBTS = (TOO_SHORT, NOT_ENGLISH, UNKNOWN_WORDS, OUT_OF_DOMAIN, SEVERAL_VOICES)


@dataclass(frozen=True, slots=True)
class Limits:
    """When a verifier does not answer, and what it may quote.

    min_tokens     a side with fewer tokens is not judged
    max_unknown    nor is a side with a larger share of tokens outside the vocabulary
    min_english    nor is a side with a smaller share of English function words
    min_llr        weaker evidence (log10 LR) decides nothing
    min_voice      a side whose texts are less alike (mean log10 LR) does not have one author
    tau_s, tau_d   the thresholds that the network was trained towards: answers at a distance up to
                   tau_s and from tau_d on are reliable. Without them the calibration says what is
    has_distance   True where a similarity is a negative distance
    track_records  errors on held-out pairs that decisions quote
    term_names     names of the views whose terms make the similarity
    model          identity of the model
    """

    min_tokens: int = 20
    max_unknown: float = 0.5
    min_english: float = 0.15
    min_llr: float = 0.05
    min_voice: float = -np.inf
    tau_s: float | None = None
    tau_d: float | None = None
    has_distance: bool = False
    track_records: tuple[TrackRecord, ...] = ()
    term_names: tuple[str, ...] = ()
    model: ModelIdentity | None = None

    @property
    def thresholds(self) -> tuple[float, float] | None:
        if not self.has_distance or self.tau_s is None or self.tau_d is None:
            return None
        return self.tau_s, self.tau_d


@dataclass(frozen=True, eq=False)
class Decisions(Sequence[Decision]):
    """Answers as columns; `[i]` is a Decision.

    llr        log10 of the likelihood ratio, 0 where nothing is decided
    reliable   as in Decision
    decided    False where the verdict is "undecided"
    judged     True where both sides could be judged, however weak the evidence
    terms      what each view adds to the similarity, (n, views); None for methods of one view
    """

    llr: Floats
    reliable: Booleans
    decided: Booleans
    judged: Booleans
    similarity: Floats
    sides: tuple[Sides, Sides]
    calibrations: Calibrations
    limits: Limits
    notes: Sequence[tuple[Reason, ...]]
    terms: Floats | None = None

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
        llr, similarity = float(self.llr[index]), float(self.similarity[index])
        calibration = self._calibration(left, right)
        terms = self._terms(index, left, right)
        verdict = Verdict.UNDECIDED
        if self.decided[index]:
            verdict = Verdict.SAME if llr > 0 else Verdict.DIFFERENT
        has_distance = self.limits.has_distance and not np.isnan(similarity)
        tau_s, tau_d = self._thresholds(left, right) if has_distance else (None, None)
        return Decision(
            verdict=verdict,
            score=score_of(llr),
            llr=llr,
            reliable=bool(self.reliable[index]),
            reasons=self._reasons(index, left, right),
            left=left,
            right=right,
            distance=-similarity if has_distance else None,
            tau_s=tau_s,
            tau_d=tau_d,
            model=self.limits.model,
            track_record=track_record_of(self.limits.track_records, left, right),
            notes=(
                *(self.notes[index] if self.notes else ()),
                *_kind_notes(left, right),
                *_disagreement(terms),
            ),
            terms=terms,
            bounds=(calibration.lowest, calibration.highest),
        )

    def _terms(self, index: int, left: Reading, right: Reading) -> tuple[Term, ...]:
        """The terms of a pair in log10 LR, and last what kind, length and number of texts add."""
        if self.terms is None or np.isnan(self.similarity[index]):
            return ()
        calibration, covariates = self._calibration(left, right), covariates_of(left, right)
        line = calibration.line([0.0, 1.0, self.similarity[index]], covariates)
        values = ((line[1] - line[0]) * self.terms[index]).tolist()
        rest = float(line[2]) - sum(values)
        names = (*self.limits.term_names, REST)
        return tuple(Term(*row) for row in zip(names, (*values, rest), strict=True))

    def _calibration(self, left: Reading, right: Reading) -> Calibration:
        return calibration_for(self.calibrations, left, right)

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

    def _thresholds(self, left: Reading, right: Reading) -> tuple[float | None, float | None]:
        """The distances up to which and from which an answer for these sides is reliable."""
        if self.limits.thresholds is not None:
            return self.limits.thresholds
        calibration, covariates = self._calibration(left, right), covariates_of(left, right)
        same = calibration.similarity_at(calibration.sure_same, covariates)
        different = calibration.similarity_at(calibration.sure_different, covariates)
        return None if same is None else -same, None if different is None else -different


def decide(
    similarity: npt.ArrayLike,
    sides: tuple[Sides, Sides],
    calibrations: Calibrations,
    limits: Limits = Limits(),
    notes: Sequence[tuple[Reason, ...]] = (),
    terms: Floats | None = None,
) -> Decisions:
    """Answers for many pairs at once.

    similarity     one value per pair, larger for more alike; NaN where there is nothing to compare
    sides          what was read of the left and the right sides; one of them may have a single row,
                   which is then compared with all rows of the other
    calibrations   by genre, and for None
    notes          notes on each pair that its Decision carries; none by default
    terms          what each view adds to the similarity
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
    )


def calibration_for(calibrations: Calibrations, left: Reading, right: Reading) -> Calibration:
    """The calibration of the genre that both sides have, else that of unknown genres."""
    genre = left.genre if left.genre == right.genre else None
    return calibrations.get(genre, calibrations[None])


def find_doubts(sides: Sides, limits: Limits) -> Integers:
    """Why a side is not judged: the number of its reason, -1 where it is judged."""
    conditions = [
        sides.tokens < limits.min_tokens,
        sides.english < limits.min_english,  # False for NaN
        sides.unknown > limits.max_unknown * sides.tokens,
        sides.out_of_domain,
        sides.voice < limits.min_voice,  # False for NaN
    ]
    return np.select(conditions, list(range(len(conditions))), default=-1)


def reasons_of(name: str, reading: Reading, limits: Limits) -> tuple[Reason, ...]:
    """Why a side with this name is not judged; empty where it is."""
    doubt = int(find_doubts(Sides.of([reading]), limits)[0])
    if doubt < 0:
        return ()
    noun = "token" if reading.tokens == 1 else "tokens"
    unknown = reading.unknown / max(reading.tokens, 1)
    messages = {
        TOO_SHORT: f"{name} has {reading.tokens} {noun}, at least {limits.min_tokens} are needed",
        NOT_ENGLISH: f"{reading.english or 0:.0%} of the words of {name} are English function words"
        f", at least {limits.min_english:.0%} are in running English: is it English?",
        UNKNOWN_WORDS: f"{unknown:.0%} of the tokens of {name} are unknown to the model, "
        f"at most {limits.max_unknown:.0%} may be: is it English?",
        OUT_OF_DOMAIN: _unlike(name, reading),
        SEVERAL_VOICES: f"the texts of {name} do not seem to have one author: compare them singly",
    }
    return (Reason(_DOUBTS[doubt], messages[_DOUBTS[doubt]]),)


def _kind_notes(left: Reading, right: Reading) -> tuple[Reason, ...]:
    """A note where the sides look like different kinds of text, which no test has paired."""
    one, other = left.recognised, right.recognised
    if left.genre == right.genre is not None or one is None or other is None or one == other:
        return ()
    message = f"the texts look like different kinds ({one}, {other}); tests had pairs of one kind"
    return (Reason(DIFFERENT_KINDS, message),)


def _disagreement(terms: Sequence[Term]) -> tuple[Reason, ...]:
    """A note where one view speaks for one author and another, with weight, for two."""
    views = [term for term in terms if term.name != REST]
    if not views:
        return ()
    most, least = max(views, key=lambda t: t.llr), min(views, key=lambda t: t.llr)
    if most.llr < _WEIGHTY or least.llr > -_WEIGHTY:
        return ()
    message = f"the views disagree: {most.name} for one author, {least.name} for two"
    return (Reason(VIEWS_DISAGREE, message),)


def _unlike(name: str, reading: Reading) -> str:
    """Why a side is out of domain."""
    if reading.genre is None or reading.recognised in (None, reading.genre):
        return f"{name} uses words unlike any kind of text the model was trained on"
    nearest = f"it looks more like {reading.recognised}"
    return f"you said {reading.genre}; {name} does not look like {reading.genre}, {nearest}"


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
