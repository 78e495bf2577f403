"""How good a verifier's answers are, overall and in each (a, c) cell.

Error counts a verdict on the wrong side of 0.5 and half of an undecided one: a verifier that
cannot say is neither right nor wrong. AUC and the rest are taken over the scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from adhominem.errors import InputError
from adhominem.records import Decision, Pair

Floats = npt.NDArray[np.float64]
Booleans = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Answers:
    """Scores and truths, pair by pair. `same_topic` is None where no pair has it."""

    score: Floats
    llr: Floats
    reliable: Booleans
    undecided: Booleans
    same_author: Booleans
    same_topic: Booleans | None


def collect(pairs: Sequence[Pair], decisions: Sequence[Decision]) -> Answers:
    unlabelled = sum(pair.same_author is None for pair in pairs)
    if not pairs or unlabelled:
        raise InputError(
            f"{unlabelled} of {len(pairs)} pairs have no same_author: evaluation needs it on all"
        )
    topics = [pair.same_topic for pair in pairs]
    return Answers(
        score=np.array([d.score for d in decisions]),
        llr=np.array([d.llr for d in decisions]),
        reliable=np.array([d.reliable for d in decisions]),
        undecided=np.array([d.verdict == "undecided" for d in decisions]),
        same_author=np.array([bool(pair.same_author) for pair in pairs]),
        same_topic=None if None in topics else np.array(topics, dtype=bool),
    )


def evaluate(answers: Answers) -> dict[str, Any]:
    """All figures as plain numbers, ready for JSON."""
    report: dict[str, Any] = {
        "pairs": len(answers.score),
        "undecided": int(answers.undecided.sum()),
        "error": error_rate(answers.score, answers.same_author),
        "auc": auc(answers.score, answers.same_author),
        "cllr": cllr(answers.llr, answers.same_author),
        "brier": float(np.mean((answers.score - answers.same_author) ** 2)),
        "high_reliability": _at_high_reliability(answers, np.ones(len(answers.score), bool)),
    }
    if answers.same_topic is not None:
        hard = answers.same_author != answers.same_topic
        report["hard_half"] = {
            "pairs": int(hard.sum()),
            "error": error_rate(answers.score[hard], answers.same_author[hard]),
            "auc": auc(answers.score[hard], answers.same_author[hard]),
        }
    report["cells"] = {
        name: {
            "pairs": int(chosen.sum()),
            "error": error_rate(answers.score[chosen], answers.same_author[chosen]),
            "high_reliability": _at_high_reliability(answers, chosen),
        }
        for name, chosen in _cells(answers).items()
    }
    return report


def error_rate(score: Floats, same_author: Booleans) -> float:
    if not len(score):
        return float("nan")
    wrong = np.where(score == 0.5, 0.5, (score > 0.5) != same_author)
    return float(wrong.mean())


def auc(score: Floats, same_author: Booleans) -> float:
    """The chance that a same-author pair scores above a different-author pair; ties count half."""
    from scipy.stats import rankdata

    n_same = int(same_author.sum())
    n_different = len(same_author) - n_same
    if not n_same or not n_different:
        return float("nan")
    ranks = rankdata(score)[same_author].sum() - n_same * (n_same + 1) / 2
    return float(ranks / (n_same * n_different))


def cllr(llr: Floats, same_author: Booleans) -> float:
    """The cost of the likelihood ratios in bits: 0 is perfect, 1 says nothing, above 1 misleads."""
    natural = llr * np.log(10)
    same = np.logaddexp(0, -natural[same_author]).mean()
    different = np.logaddexp(0, natural[~same_author]).mean()
    return float((same + different) / 2 / np.log(2))


def _cells(answers: Answers) -> dict[str, Booleans]:
    a = answers.same_author
    if answers.same_topic is None:
        return {"a=1": a, "a=0": ~a}
    c = answers.same_topic
    return {"a=1, c=1": a & c, "a=1, c=0": a & ~c, "a=0, c=1": ~a & c, "a=0, c=0": ~a & ~c}


def _at_high_reliability(answers: Answers, chosen: Booleans) -> dict[str, float]:
    sure = chosen & answers.reliable
    return {
        "share": float(sure.sum() / max(chosen.sum(), 1)),
        "error": error_rate(answers.score[sure], answers.same_author[sure]),
    }
