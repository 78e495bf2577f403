"""Validation for casework: likelihood ratios on relevant pairs under the conditions of a case.

After Ishihara et al. (2024), Morrison et al. (2021) and the ENFSI guideline (2015).
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from adhominem.errors import InputError
from adhominem.laboratory.evaluation.answers import Answers
from adhominem.laboratory.evaluation.evaluate import BANDS, bands_of, evaluate
from adhominem.laboratory.evaluation.intervals import drawn_means, interval
from adhominem.laboratory.evaluation.measures import CLLR

_RATIOS = (2, 10, 100, 1000)
_FEW_PAIRS, _FEW_AUTHORS = 200, 50
_LOSS = 0.1  # largest calibration loss (Cllr - Cllr min) of well calibrated ratios


def in_conditions(
    answers: Answers, shortest: int = 0, longest: int | None = None, topics: str | None = None
) -> Answers:
    """Answers to pairs whose shorter side has at least `shortest` and fewer than `longest` tokens,
    on "same" or "different" topics if given."""
    chosen = (answers.tokens >= shortest) & (answers.tokens < (longest or np.inf))
    if topics is not None:
        if answers.same_topic is None:
            raise InputError("not every pair has same_topic: topics cannot be chosen")
        chosen &= answers.same_topic == (topics == "same")
    if len(set(answers.same_author[chosen])) < 2:
        raise InputError("these conditions leave no pairs of both kinds: choose wider ones")
    return answers.select(chosen)


def validate(answers: Answers) -> dict[str, Any]:
    """Every measure with intervals, both error rates, also by length, and limits in words."""
    report = evaluate(answers, intervals=True)
    report["authors"] = len({name for pair in answers.authors for name in pair if name})
    report["tokens"] = np.quantile(answers.tokens, [0, 0.5, 1]).astype(int).tolist()
    report["errors"] = _both_ways(answers)
    kinds, against = _kinds(answers), np.where(answers.same_author, -answers.llr, answers.llr)
    report["misleading"] = [
        {"ratio": r, **{kind: float(np.mean(against[own] >= np.log10(r))) for kind, own in kinds}}
        for r in _RATIOS
    ]
    report["lengths"] = [
        {"from": low, "to": high, "pairs": len(band), "cllr": CLLR.of(band), **_both_ways(band)}
        for low, high, band in bands_of(answers, BANDS)
        if len(set(band.same_author)) == 2
    ]
    report["limits"] = list(_limits(report))
    return report


def _kinds(answers: Answers) -> Any:
    return ("same", answers.same_author), ("different", ~answers.same_author)


def _both_ways(answers: Answers) -> dict[str, dict[str, float]]:
    """Shares of wrong and undecided answers on same-author and on different-author pairs. The upper
    end of the bootstrap interval is at least that of the binomial distribution for no error."""
    errors = {}
    for kind, rows in _kinds(answers):
        own = answers.select(rows)
        wrong = own.llr < 0 if kind == "same" else own.llr > 0
        error = interval(drawn_means(wrong.astype(np.float64), np.ones(len(own)), own.authors))
        error["high"] = max(error["high"], 1 - 0.05 ** (1 / len(own)))
        errors[kind] = {"pairs": len(own), **error, "undecided": float(own.undecided.mean())}
    return errors


def _limits(report: dict[str, Any]) -> Iterator[str]:
    shortest, _, longest = report["tokens"]
    yield (
        f"The results do not apply to texts with fewer than {shortest:,} or more than {longest:,} "
        "tokens, to other kinds of text or to other languages."
    )
    if report["pairs"] < _FEW_PAIRS:
        yield f"Only {report['pairs']:,} pairs: the intervals are wide."
    if not report["authors"]:
        yield "The pairs do not name authors: intervals assume that they are independent."
    elif report["authors"] < _FEW_AUTHORS:
        yield f"Only {report['authors']} authors: others may differ from them."
    if "hard_half" not in report:
        yield "The pairs do not state whether topics differ: errors may depend on that."
    if report["cllr"] >= 1:
        yield "Cllr is 1 or more: the ratios mislead and must not be used for such pairs."
    elif report["cllr"] - report["cllr_min"] > _LOSS:
        yield "Cllr is well above Cllr min: the ratios are not well calibrated for such pairs."
