"""Which of several authors, if any: candidates in the order of the evidence for them.

A likelihood ratio sets one candidate against "somebody else". With each of k candidates and
"none of these" equally probable beforehand, candidate i has afterwards

    P_i = LR_i / (1 + sum_j LR_j)    and nobody of them    1 / (1 + sum_j LR_j)

so the answer "none of these" is always among the possible ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from adhominem.errors import InputError
from adhominem.records import Decision, Pair
from adhominem.verifier import Verifier


@dataclass(frozen=True, slots=True)
class Candidate:
    """`probability` at equal priors; 0 for a candidate that could not be judged."""

    name: str
    decision: Decision
    probability: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """Best first. `none` is the probability that it was none of them; `answer` is the most
    probable name, or None where that is nobody or nobody could be judged."""

    candidates: tuple[Candidate, ...]
    none: float
    answer: str | None


def rank(
    verifier: Verifier, questioned: str | Sequence[str], known: Mapping[str, Sequence[str]]
) -> Ranking:
    """`known` holds the texts of each candidate. Every text is read once."""
    empty = [name for name, texts in known.items() if not texts]
    if not known or empty:
        raise InputError(
            f"candidate '{empty[0]}' has no text: give one at least"
            if empty
            else "no candidates: give the texts of one author at least"
        )
    names = sorted(known)
    decisions = verifier.decide([Pair.of_texts(list(known[name]), questioned) for name in names])
    ratios = [0.0 if decision.reasons else 10.0**decision.llr for decision in decisions]
    total = 1 + sum(ratios)
    found = [
        Candidate(name, decision, ratio / total)
        for name, decision, ratio in zip(names, decisions, ratios, strict=True)
    ]
    found.sort(key=lambda candidate: (-candidate.probability, candidate.name))
    none = 1 / total
    best = found[0]
    judged = any(not decision.reasons for decision in decisions)
    answer = best.name if judged and best.probability > none else None
    return Ranking(tuple(found), none, answer)
