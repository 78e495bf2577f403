"""The one interface: every method is a Verifier, and writes two hooks, `_fit` and `_similarity`.

Calibration belongs to this class, so the score of every method means the same thing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from adhominem.errors import InputError, NotFittedError
from adhominem.instrument.evidence.calibration import Calibration, score_of
from adhominem.instrument.evidence.comparison import Comparison, calibrate_by_genre
from adhominem.instrument.evidence.matrix import EvidenceMatrix, Progress, matrix_of_pairs, quiet
from adhominem.instrument.evidence.track_record import track_record_for
from adhominem.records import (
    Decision,
    Document,
    Explanation,
    Faithfulness,
    ModelIdentity,
    Pair,
    Reading,
    TrackRecord,
    Verdict,
)

Floats = npt.NDArray[np.float64]
NEITHER = "the evidence speaks for neither side"


@dataclass(frozen=True, slots=True)
class ModelState:
    """What a verifier has learned, ready for disk: settings and tables as JSON, and arrays."""

    settings: dict[str, Any]
    tables: dict[str, Any]
    arrays: dict[str, npt.NDArray[Any]]


class Verifier(ABC):
    """Answers whether two sides, each one or more texts, have one author.

    min_tokens     a side with fewer tokens is not judged
    max_unknown    nor is one of whose tokens a larger share is unknown to the method
    min_english    nor one of whose words a smaller share are English function words
    min_llr        evidence weaker than this (log10) decides nothing
    tau_s, tau_d   thresholds on the distance, for methods that were trained towards them
    calibration_   for texts whose genre is not known; `calibrations_` for those of one genre
    """

    kind: ClassVar[str]
    calibrates_by_length: ClassVar[bool] = False
    min_tokens: int = 20
    max_unknown: float = 0.5
    min_english: float = 0.15
    min_llr: float = 0.05
    tau_s: float | None = None
    tau_d: float | None = None
    identity: ModelIdentity | None = None
    calibration_: Calibration | None = None
    calibrations_: Mapping[str, Calibration] = MappingProxyType({})
    track_record_: tuple[TrackRecord, ...] = ()
    faithfulness_: tuple[Faithfulness, ...] = ()

    def fit(self, train: Sequence[Pair], dev: Sequence[Pair]) -> Self:
        """Learns on `train` and calibrates on `dev`, which must have other authors."""
        _check_labels(train, "training")
        _check_labels(dev, "development")
        shared = _authors(train) & _authors(dev)
        if shared:
            raise InputError(
                f"{len(shared)} authors are in training and development pairs, "
                f"'{min(shared)}' for one: split by author"
            )
        self._fit(train, dev)
        return self.calibrate(dev)

    def calibrate(self, dev: Sequence[Pair]) -> Self:
        _check_labels(dev, "development")
        self.calibration_, self.calibrations_ = calibrate_by_genre(
            self._compare(dev),
            dev,
            by_length=self.calibrates_by_length,
            detectable=self.detectable_genres(),
        )
        return self

    def detectable_genres(self) -> Collection[str]:
        """Those that no text of another genre is taken for."""
        return ()

    def score(self, pairs: Sequence[Pair]) -> Floats:
        """P(same author) at equal priors for each pair; 0.5 where the method cannot say."""
        return np.array([decision.score for decision in self.decide(pairs)], dtype=np.float64)

    def decide(self, pairs: Sequence[Pair]) -> list[Decision]:
        self._check_fitted()
        return [self._decide(c, self._calibration_for(c)) for c in self._compare_known(pairs)]

    def verify(
        self, left: str | Sequence[str], right: str | Sequence[str], *, genre: str | None = None
    ) -> Decision:
        """Two texts, or two lists of texts, each list by one author; of which genre, where that is
        known."""
        return self.decide([Pair.of_texts(left, right, genre)])[0]

    def matrix(
        self,
        sides: Sequence[Sequence[Document]],
        progress: Progress = quiet,
        *,
        genre: str | None = None,
    ) -> EvidenceMatrix:
        """What `decide` says of every two of these sides, as tables. `progress(done, total)` is
        told now and then, and may raise to stop the work."""
        self._check_fitted()
        return matrix_of_pairs(self, sides, progress, genre=genre)

    def explain(self, pair: Pair, *, contributions: bool = True) -> Explanation:
        """Words and sentences that carried the decision; by default what their absence changes.
        Without `contributions` a method may leave out what takes long."""
        from adhominem.instrument.explain.occlusion import explain_by_occlusion

        del contributions
        return explain_by_occlusion(self, pair)

    def explain_texts(
        self, left: str | Sequence[str], right: str | Sequence[str], *, genre: str | None = None
    ) -> Explanation:
        return self.explain(Pair.of_texts(left, right, genre))

    def save(self, folder: Path | str, *, name: str, version: str = "1", card: str = "") -> None:
        """Writes a model folder that `adhominem.load` reads in any other process."""
        from adhominem.instrument.model_folder import save_model

        save_model(self, Path(folder), name=name, version=version, card=card)

    @abstractmethod
    def _fit(self, train: Sequence[Pair], dev: Sequence[Pair]) -> None:
        """Learns; `dev` may be used to stop in time."""

    @abstractmethod
    def _similarity(self, pairs: Sequence[Pair]) -> Floats:
        """Any number for each pair, larger for more alike, NaN where a side is empty."""

    @abstractmethod
    def _state(self) -> ModelState: ...

    @abstractmethod
    def _restore(self, state: ModelState) -> None: ...

    def _compare(self, pairs: Sequence[Pair]) -> list[Comparison]:
        """For methods that know more of a pair than its similarity."""
        return [
            Comparison(float(similarity), _count_words(pair.left), _count_words(pair.right))
            for similarity, pair in zip(self._similarity(pairs), pairs, strict=True)
        ]

    def _compare_known(self, pairs: Sequence[Pair]) -> list[Comparison]:
        """With the genre of those pairs of which it is said."""
        return [
            comparison if pair.genre is None else comparison.of_genre(self.check_genre(pair.genre))
            for pair, comparison in zip(pairs, self._compare(pairs), strict=True)
        ]

    def check_genre(self, genre: str) -> str:
        if genre not in self.calibrations_:
            known = ", ".join(sorted(self.calibrations_))
            raise InputError(
                f"genre '{genre}' is not known to the model: it knows {known}"
                if known
                else f"genre '{genre}' is not known to the model: it knows none, leave it out"
            )
        return genre

    def _decide(self, comparison: Comparison, calibration: Calibration) -> Decision:
        llr = float(calibration.llr(comparison.similarity, comparison.covariates))
        tau_s, tau_d = self._thresholds(comparison, calibration)
        reasons = (
            *self._doubts("left", comparison.left),
            *self._doubts("right", comparison.right),
        )
        if not reasons and np.isnan(llr):
            reasons = ("there is nothing to compare",)
        if not reasons and abs(llr) < self.min_llr:
            reasons = (NEITHER,)
        if reasons:
            verdict, score, llr = Verdict.UNDECIDED, 0.5, 0.0
        else:
            score = score_of(llr)
            verdict = Verdict.SAME if llr > 0 else Verdict.DIFFERENT
        return Decision(
            verdict=verdict,
            score=score,
            llr=llr,
            reliable=not reasons and self._is_reliable(comparison, calibration),
            reasons=reasons,
            left=comparison.left,
            right=comparison.right,
            distance=comparison.distance,
            tau_s=tau_s,
            tau_d=tau_d,
            model=self.identity,
            track_record=self._track_record_of(comparison),
        )

    def _check_fitted(self) -> Calibration:
        if self.calibration_ is None:
            raise NotFittedError(f"this {self.kind} verifier is not fitted: call fit() or load one")
        return self.calibration_

    def _calibration_for(self, comparison: Comparison) -> Calibration:
        """That of the pair's genre, where there is one."""
        return self.calibrations_.get(comparison.genre or "", self._check_fitted())

    def _doubts(self, side: str, reading: Reading) -> list[str]:
        if reading.tokens < self.min_tokens:
            noun = "token" if reading.tokens == 1 else "tokens"
            return [f"{side} has {reading.tokens} {noun}, at least {self.min_tokens} are needed"]
        share = reading.unknown / reading.tokens
        if reading.english is not None and reading.english < self.min_english:
            return [
                f"{reading.english:.0%} of the words of {side} are English function words, at "
                f"least {self.min_english:.0%} are in running English: is it English?"
            ]
        if share > self.max_unknown:
            return [
                f"{share:.0%} of the tokens of {side} are unknown to the model, "
                f"at most {self.max_unknown:.0%} may be: is it English?"
            ]
        if reading.out_of_domain:
            return [f"{side} uses words unlike any kind of text the model was trained on"]
        return []

    def _track_record_of(self, comparison: Comparison) -> TrackRecord | None:
        """None for texts of different genres, which no test has paired."""
        if comparison.left.genre != comparison.right.genre:
            return None
        tokens = min(comparison.left.tokens, comparison.right.tokens)
        return track_record_for(self.track_record_, comparison.genre, tokens)

    def _faithfulness_of(self, method: str) -> Faithfulness | None:
        return next((row for row in self.faithfulness_ if row.method == method), None)

    def _thresholds(
        self, comparison: Comparison, calibration: Calibration
    ) -> tuple[float | None, float | None]:
        """The method's own, or the distances at which the calibration becomes sure; None where it
        never is. A similarity is a negative distance for all methods that have one."""
        if comparison.distance is None:
            return None, None
        if self.tau_s is not None and self.tau_d is not None:
            return self.tau_s, self.tau_d
        sure = (calibration.sure_same, calibration.sure_different)
        tau_s, tau_d = (calibration.similarity_at(line, comparison.covariates) for line in sure)
        return (None if tau_s is None else -tau_s), (None if tau_d is None else -tau_d)

    def _is_reliable(self, comparison: Comparison, calibration: Calibration) -> bool:
        """Outside the band between the method's own thresholds; without them, where the
        calibration is sure."""
        if comparison.distance is None or self.tau_s is None or self.tau_d is None:
            return calibration.is_sure(
                float(calibration.line(comparison.similarity, comparison.covariates))
            )
        return comparison.distance <= self.tau_s or comparison.distance >= self.tau_d


def _check_labels(pairs: Sequence[Pair], name: str) -> None:
    unlabelled = sum(pair.same_author is None for pair in pairs)
    if unlabelled or not pairs:
        raise InputError(
            f"{unlabelled} of {len(pairs)} {name} pairs have no same_author: all need one"
            if pairs
            else f"no {name} pairs: at least one of each kind is needed"
        )


def _authors(pairs: Sequence[Pair]) -> set[str]:
    documents = (document for pair in pairs for document in (*pair.left, *pair.right))
    return {document.author for document in documents if document.author is not None}


def _count_words(side: Sequence[Document]) -> Reading:
    return Reading(tokens=sum(len(document.text.split()) for document in side), unknown=0)
