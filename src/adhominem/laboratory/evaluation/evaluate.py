"""All figures of one method on one set of pairs: overall, by cell, by length."""

from __future__ import annotations

from typing import Any

import numpy as np

from adhominem.laboratory.evaluation import measures
from adhominem.laboratory.evaluation.answers import Answers, Booleans, cells_of

BANDS = (0, 50, 100, 150, 200, 300, 500, 1000)  # tokens of the shorter side


def evaluate(answers: Answers) -> dict[str, Any]:
    """Plain numbers, ready for JSON; None where there is nothing to measure."""
    score, same = answers.score, answers.same_author
    report: dict[str, Any] = {
        "pairs": len(answers),
        "undecided": int(answers.undecided.sum()),
        "error": measures.error_rate(score, same),
        "auc": measures.auc(score, same),
        "eer": measures.equal_error_rate(score, same),
        "c_at_1": measures.c_at_1(score, same),
        "f_05_u": measures.f_05_u(score, same),
        "f_1": measures.f_1(score, same),
        "brier": measures.brier(score, same),
        "pan_mean": measures.pan_mean(score, same),
        "cllr": measures.cllr(answers.llr, same),
        "cllr_min": measures.cllr_min(answers.llr, same),
        "ece": measures.ece(score, same),
        "high_reliability": _at_high_reliability(answers, np.ones(len(answers), bool)),
    }
    if answers.same_topic is not None:
        hard = answers.select(same != answers.same_topic)
        report["hard_half"] = {
            "pairs": len(hard),
            "error": measures.error_rate(hard.score, hard.same_author),
            "auc": measures.auc(hard.score, hard.same_author),
        }
    report["cells"] = {
        name: {
            "pairs": int(chosen.sum()),
            "error": measures.error_rate(score[chosen], same[chosen]),
            "high_reliability": _at_high_reliability(answers, chosen),
        }
        for name, chosen in cells_of(answers).items()
    }
    report["bands"] = _by_length(answers)
    plain: dict[str, Any] = without_nan(report)
    return plain


def without_nan(value: Any) -> Any:
    """JSON has no NaN."""
    if isinstance(value, dict):
        return {name: without_nan(part) for name, part in value.items()}
    if isinstance(value, list):
        return [without_nan(part) for part in value]
    return None if isinstance(value, float) and np.isnan(value) else value


def _by_length(answers: Answers) -> list[dict[str, Any]]:
    bands = []
    for low, high in zip(BANDS, [*BANDS[1:], None], strict=True):
        chosen = answers.tokens >= low
        if high is not None:
            chosen &= answers.tokens < high
        part = answers.select(chosen)
        if len(part):
            bands.append(
                {
                    "from": low,
                    "to": high,
                    "pairs": len(part),
                    "error": measures.error_rate(part.score, part.same_author),
                    "auc": measures.auc(part.score, part.same_author),
                }
            )
    return bands


def _at_high_reliability(answers: Answers, chosen: Booleans) -> dict[str, float]:
    sure = chosen & answers.reliable
    return {
        "share": float(sure.sum() / max(chosen.sum(), 1)),
        "error": measures.error_rate(answers.score[sure], answers.same_author[sure]),
    }
