"""Decisions and explanations as plain dictionaries, and as JSON.

A number that JSON cannot say (infinite or not a number) becomes null.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import Any

from adhominem.instrument.evidence.attribution import Ranking
from adhominem.instrument.report.audit import audit_trail
from adhominem.instrument.report.habit_report import habit_report
from adhominem.instrument.report.habits_json import habits_dict
from adhominem.records import Decision, Explanation, TextExplanation


def decision_dict(decision: Decision) -> dict[str, Any]:
    model = decision.model
    return {
        "verdict": decision.verdict.value,
        "score": _number(decision.score),
        "llr": _number(decision.llr),
        "distance": _number(decision.distance),
        "tau_s": _number(decision.tau_s),
        "tau_d": _number(decision.tau_d),
        "reliable": decision.reliable,
        "reasons": [reason.message for reason in decision.reasons],
        "reason_codes": [reason.code for reason in decision.reasons],
        "left": asdict(decision.left),
        "right": asdict(decision.right),
        "track_record": None if decision.track_record is None else asdict(decision.track_record),
        "model": None
        if model is None
        else {"name": model.name, "version": model.version, "sha256": model.sha256},
    }


def explanation_dict(explanation: Explanation, *, habits: bool = True) -> dict[str, Any]:
    """Habits are None where they are not asked for."""
    return {
        "decision": decision_dict(explanation.decision),
        "method": explanation.method,
        "contributions": explanation.contributions,
        "faithfulness": explanation.faithfulness and asdict(explanation.faithfulness),
        "left": [_text_dict(text) for text in explanation.left],
        "right": [_text_dict(text) for text in explanation.right],
        "habits": habits_dict(habit_report(explanation)) if habits else None,
        "audit": audit_trail(explanation),
    }


def json_text(explanation: Explanation) -> str:
    """In ASCII, so that even a lone surrogate can be written and read back."""
    return json.dumps(explanation_dict(explanation), indent=2, allow_nan=False) + "\n"


def _text_dict(text: TextExplanation) -> dict[str, Any]:
    return {
        "text": text.text,
        "words": [
            {
                "text": word.text,
                "start": word.start,
                "end": word.end,
                "weight": _number(word.weight),
                "sentence": word.sentence,
                "contribution": _number(word.contribution),
            }
            for word in text.words
        ],
        "sentences": [
            {
                "start": sentence.start,
                "end": sentence.end,
                "weight": _number(sentence.weight),
                "contribution": _number(sentence.contribution),
            }
            for sentence in text.sentences
        ],
    }


def _number(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def ranking_dict(ranking: Ranking) -> dict[str, Any]:
    return {
        "answer": ranking.answer,
        "none": ranking.none,
        "others": ranking.others,
        "n_others": ranking.n_others,
        "prior": ranking.prior,
        "candidates": [
            {
                "name": candidate.name,
                "probability": candidate.probability,
                **decision_dict(candidate.decision),
            }
            for candidate in ranking.candidates
        ],
    }
