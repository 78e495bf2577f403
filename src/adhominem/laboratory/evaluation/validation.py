"""What a laboratory must know before casework: how the ratios did on pairs like those of a case.

After Ishihara et al. (2024), Morrison et al. (2021) and the ENFSI guideline (2015): pairs that are
relevant to the case, in its conditions, and figures for both kinds of error.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from adhominem.arrays import Booleans
from adhominem.errors import InputError
from adhominem.laboratory.evaluation.answers import Answers
from adhominem.laboratory.evaluation.evaluate import BANDS, bands_of, evaluate
from adhominem.laboratory.evaluation.intervals import draw_weights, interval
from adhominem.laboratory.evaluation.measures import CLLR

SOURCES = (
    "Ishihara, Kulkarni, Carne, Ehrhardt, Nini: Validation in forensic text comparison: issues and "
    "opportunities. Languages 9 (2024)",
    "Morrison et al.: Consensus on validation of forensic voice comparison. Science & Justice 61 "
    "(2021)",
    "ENFSI: Guideline for evaluative reporting in forensic science (2015)",
)
_RATIOS = (2, 10, 100, 1000)
_FEW_PAIRS, _FEW_AUTHORS = 200, 50
_LOSS = 0.1  # Cllr above Cllr min from which on ratios are not well calibrated


def in_conditions(
    answers: Answers, shortest: int = 0, longest: int | None = None, topics: str | None = None
) -> Answers:
    """The answers to pairs in the conditions of a case: tokens of the shorter side, and whether
    the topics are the "same" or "different"."""
    chosen = (answers.tokens >= shortest) & (answers.tokens < (longest or np.inf))
    if topics is not None:
        if answers.same_topic is None:
            raise InputError("not every pair has same_topic: topics cannot be chosen")
        chosen &= answers.same_topic == (topics == "same")
    kinds = answers.same_author[chosen]
    if kinds.all() or not kinds.any():
        raise InputError("these conditions leave no pairs of both kinds: choose wider ones")
    return answers.select(chosen)


def validate(answers: Answers) -> dict[str, Any]:
    """Every measure with intervals, both kinds of error, by length too, and limits in words."""
    same, llr = answers.same_author, answers.llr
    report = evaluate(answers, intervals=True)
    report["authors"] = len({name for pair in answers.authors for name in pair if name})
    report["tokens"] = np.quantile(answers.tokens, [0, 0.5, 1]).astype(int).tolist()
    report["errors"] = _both_ways(answers)
    report["misleading"] = [
        {
            "ratio": ratio,
            "same": float(np.mean(llr[same] <= -np.log10(ratio))),
            "different": float(np.mean(llr[~same] >= np.log10(ratio))),
        }
        for ratio in _RATIOS
    ]
    report["lengths"] = [
        {"from": low, "to": high, "pairs": len(band), "cllr": CLLR.of(band), **_both_ways(band)}
        for low, high, band in bands_of(answers, BANDS)
        if band.same_author.any() and not band.same_author.all()
    ]
    report["limits"] = _limits(report)
    return report


def _both_ways(answers: Answers) -> dict[str, dict[str, float]]:
    """Wrong and undecided answers about pairs of one author and of different authors."""
    return {
        "same": _errors(answers.select(answers.same_author), answers.llr[answers.same_author] < 0),
        "different": _errors(
            answers.select(~answers.same_author), answers.llr[~answers.same_author] > 0
        ),
    }


def _errors(answers: Answers, wrong: Booleans) -> dict[str, float]:
    """The share of wrong answers with its interval by drawing authors; where no answer is wrong,
    the upper end is that of the binomial distribution."""
    blocks = draw_weights(answers.authors, 0)
    with np.errstate(invalid="ignore"):  # a draw may have none of these pairs
        error = interval(np.concatenate([rows @ wrong / rows.sum(axis=1) for rows in blocks]))
    error["high"] = max(error["high"], 1 - 0.05 ** (1 / len(wrong)))
    undecided = float(answers.undecided.mean())
    return {"pairs": len(wrong), **error, "undecided": undecided}


def _limits(report: dict[str, Any]) -> list[str]:
    shortest, _, longest = report["tokens"]
    limits = [
        f"Nothing is said of texts with fewer than {shortest:,} or more than {longest:,} tokens, "
        "of other kinds of text or of other languages than these pairs are of."
    ]
    if report["pairs"] < _FEW_PAIRS:
        limits.append(f"Only {report['pairs']:,} pairs: the intervals are wide.")
    if not report["authors"]:
        limits.append("The pairs do not name authors: intervals take them to be independent.")
    elif report["authors"] < _FEW_AUTHORS:
        limits.append(f"Only {report['authors']} authors: others may differ from them.")
    if "hard_half" not in report:
        limits.append("The pairs do not say whether topics differ: errors may depend on it.")
    if report["cllr"] >= 1:
        limits.append("Cllr is 1 or more: the ratios mislead and must not be used for such pairs.")
    elif report["cllr"] - report["cllr_min"] > _LOSS:
        limits.append(
            "The ratios are not well calibrated for such pairs (Cllr is well above Cllr min): "
            "adapt the model to them with `adhominem model adapt`, on other authors."
        )
    return limits
