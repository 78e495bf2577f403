"""The one interface: every method is a Verifier, and writes two hooks, `_fit` and `_similarity`.

Calibration belongs to this class, so the score of every method means the same thing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from adhominem.calibration import Calibration, score_of
from adhominem.errors import InputError, NotFittedError
from adhominem.records import Decision, Document, Explanation, ModelIdentity, Pair, Reading, Verdict

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One pair as the method sees it; the similarity is NaN where there is nothing to compare."""

    similarity: float
    left: Reading
    right: Reading
    distance: float | None = None


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
    tau_s, tau_d   thresholds on the distance, for methods that have one
    """

    kind: ClassVar[str]
    min_tokens: int = 20
    max_unknown: float = 0.5
    tau_s: float | None = None
    tau_d: float | None = None
    identity: ModelIdentity | None = None
    calibration_: Calibration | None = None

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
        similarity = [comparison.similarity for comparison in self._compare(dev)]
        self.calibration_ = Calibration.fit(similarity, [bool(pair.same_author) for pair in dev])
        return self

    def score(self, pairs: Sequence[Pair]) -> Floats:
        """P(same author) at equal priors for each pair; 0.5 where the method cannot say."""
        return np.array([decision.score for decision in self.decide(pairs)], dtype=np.float64)

    def decide(self, pairs: Sequence[Pair]) -> list[Decision]:
        if self.calibration_ is None:
            raise NotFittedError(f"this {self.kind} verifier is not fitted: call fit() or load one")
        comparisons = self._compare(pairs)
        llrs = self.calibration_.llr([comparison.similarity for comparison in comparisons])
        return [self._decide(c, float(llr)) for c, llr in zip(comparisons, llrs, strict=True)]

    def verify(self, left: str | Sequence[str], right: str | Sequence[str]) -> Decision:
        """Two texts, or two lists of texts, each list by one author."""
        return self.decide([Pair.of_texts(left, right)])[0]

    def explain(self, pair: Pair) -> Explanation:
        """Words and sentences that carried the decision; by default what their absence changes."""
        from adhominem.occlusion import explain_by_occlusion

        return explain_by_occlusion(self, pair)

    def explain_texts(self, left: str | Sequence[str], right: str | Sequence[str]) -> Explanation:
        return self.explain(Pair.of_texts(left, right))

    def save(self, folder: Path | str, *, name: str, version: str = "1", card: str = "") -> None:
        """Writes a model folder that `adhominem.load` reads in any other process."""
        from adhominem.persistence import save_model

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

    def _decide(self, comparison: Comparison, llr: float) -> Decision:
        reasons = (
            *self._doubts("left", comparison.left),
            *self._doubts("right", comparison.right),
        )
        if reasons or np.isnan(llr):
            verdict, score, llr = Verdict.UNDECIDED, 0.5, 0.0
            reasons = reasons or ("there is nothing to compare",)
        else:
            score = score_of(llr)
            verdict = (
                Verdict.UNDECIDED if llr == 0 else Verdict.SAME if llr > 0 else Verdict.DIFFERENT
            )
            if llr == 0:
                reasons = ("the evidence speaks for neither side",)
        return Decision(
            verdict=verdict,
            score=score,
            llr=llr,
            reliable=not reasons and self._is_reliable(comparison),
            reasons=reasons,
            left=comparison.left,
            right=comparison.right,
            distance=comparison.distance,
            tau_s=self.tau_s,
            tau_d=self.tau_d,
            model=self.identity,
        )

    def _doubts(self, side: str, reading: Reading) -> list[str]:
        if reading.tokens < self.min_tokens:
            noun = "token" if reading.tokens == 1 else "tokens"
            return [f"{side} has {reading.tokens} {noun}, at least {self.min_tokens} are needed"]
        share = reading.unknown / reading.tokens
        if share > self.max_unknown:
            return [
                f"{share:.0%} of the tokens of {side} are unknown to the model, "
                f"at most {self.max_unknown:.0%} may be: is it English?"
            ]
        return []

    def _is_reliable(self, comparison: Comparison) -> bool:
        """Outside the band between the thresholds; without them, where the calibration is sure."""
        if comparison.distance is None or self.tau_s is None or self.tau_d is None:
            return self.calibration_ is not None and self.calibration_.is_sure(
                comparison.similarity
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
