"""Authorship attribution: ranks candidate authors by posterior probability, with "none of these"
among the answers.

Let p be the prior probability that one of k candidates wrote the text, all equally probable. With
the odds o = p / (1 - p) / k of each against "none of these", the posterior probabilities are

    P_i = o LR_i / (1 + o sum_j LR_j)    and    P_none = 1 / (1 + o sum_j LR_j).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from adhominem.arrays import Booleans, Floats
from adhominem.errors import InputError
from adhominem.instrument.evidence.copies import are_copies, shingles
from adhominem.instrument.verifier import Verifier
from adhominem.presenting import Presented
from adhominem.records import Decision, Pair, Texts

EVEN = 0.5  # prior: "one of the candidates" is as probable as "none of these"


@dataclass(frozen=True, slots=True)
class Candidate:
    """`probability` is 0 for a candidate that could not be judged."""

    name: str
    decision: Decision
    probability: float


@dataclass(frozen=True, slots=True)
class Ranking(Presented):
    """Candidates, best first."""

    candidates: tuple[Candidate, ...]
    none: float  # probability of "none of these"
    answer: str | None  # name of the best candidate; None if "none of these" is as probable
    n_others: int = 0  # candidates that are not listed
    others: float = 0.0  # sum of their probabilities
    prior: float = EVEN  # as in `rank`

    def best(self, n: int) -> Self:
        """A copy that lists at most `n` candidates."""
        left_out = self.candidates[n:]
        return replace(
            self,
            candidates=self.candidates[:n],
            n_others=self.n_others + len(left_out),
            others=self.others + sum(candidate.probability for candidate in left_out),
        )


def rank(
    verifier: Verifier,
    questioned: Texts,
    known: Mapping[str, Sequence[str]],
    *,
    prior: float = EVEN,
    genre: str | None = None,
) -> Ranking:
    """Rank candidate authors, given the texts of each. `prior` is the probability beforehand that
    one of them wrote the text; all are equally probable."""
    if not known:
        raise InputError("no candidates: give the texts of one author at least")
    if empty := [name for name, texts in known.items() if not texts]:
        raise InputError(f"candidate '{empty[0]}' has no text: give one at least")
    names = sorted(known)
    pairs = [Pair.of_texts(list(known[name]), questioned, genre) for name in names]
    own = shingles(pairs[0].right)
    copied = [are_copies(shingles(pair.left), own) for pair in pairs]
    decisions = verifier.decide(pairs).with_copies(copied)
    probabilities, none = posterior(decisions.llr, decisions.judged, prior)
    found = [Candidate(*row) for row in zip(names, decisions, probabilities.tolist(), strict=True)]
    found.sort(key=in_order)
    return Ranking(tuple(found), none, answer_of(found, none), prior=prior)


def posterior(llr: Floats, judged: Booleans, prior: float) -> tuple[Floats, float]:
    """The probability of each candidate, 0 if it was not judged, and that of "none of these"."""
    if not 0 < prior < 1:
        raise InputError(f"the prior is {prior}: a probability between 0 and 1 is needed")
    odds = prior / (1 - prior) / max(int(judged.sum()), 1)
    ratios = np.where(judged, odds * 10.0**llr, 0.0)
    total = 1 + ratios.sum()
    return ratios / total, float(1 / total)


def in_order(candidate: Candidate) -> tuple[float, float, str]:
    """Sorting key: ties at the bounds are broken by distance, or by evidence without bounds."""
    decision = candidate.decision
    evidence = -sum(term.llr for term in decision.terms)
    distance = evidence if decision.distance is None else decision.distance
    return -candidate.probability, distance, candidate.name


def answer_of(found: Sequence[Candidate], none: float) -> str | None:
    return found[0].name if found[0].probability > none else None
