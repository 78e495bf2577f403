"""Decisions, explanations, habits, rankings and edits as plain dictionaries, and as JSON.

A number that JSON cannot represent (infinite or not a number) becomes null.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Any

from adhominem.instrument.evidence.attribution import Ranking
from adhominem.instrument.explain.whatif import WhatIf
from adhominem.instrument.linguistics.findings import Finding, Location, SideHabits
from adhominem.instrument.linguistics.text_tokens import Hit
from adhominem.instrument.report.audit import audit_trail
from adhominem.instrument.report.habit_report import (
    HabitContributions,
    HabitReport,
    habit_report,
)
from adhominem.records import Decision, Explanation, Sentence, TextExplanation, Word

_MAX_LOCATIONS = 20  # of a finding on each side


def json_text(explanation: Explanation) -> str:
    """An explanation as JSON in ASCII, so that even a lone surrogate can be written and read."""
    return json.dumps(explanation_dict(explanation), indent=2, allow_nan=False) + "\n"


def decision_dict(decision: Decision) -> dict[str, Any]:
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
        "track_record": decision.track_record and asdict(decision.track_record),
        "model": decision.model and asdict(decision.model),
    }


def explanation_dict(explanation: Explanation, *, habits: bool = True) -> dict[str, Any]:
    """An explanation; its habits are None unless they are asked for."""
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


def _text_dict(text: TextExplanation) -> dict[str, Any]:
    return {
        "text": text.text,
        "words": [_record_dict(word) for word in text.words],
        "sentences": [_record_dict(sentence) for sentence in text.sentences],
    }


def _record_dict(record: Word | Sentence | Hit | Finding) -> dict[str, Any]:
    values = {field.name: getattr(record, field.name) for field in fields(record)}
    return {name: _number(v) if isinstance(v, float) else v for name, v in values.items()}


def _number(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def habits_dict(report: HabitReport) -> dict[str, Any]:
    """All hits, all categories that occur and all findings, each with its first locations."""
    return {
        "reference": {
            "genre": report.reference.genre,
            "texts": report.reference.n_texts,
            "tokens": report.reference.n_tokens,
        },
        "left": _hits(report.left, report.left_contributions),
        "right": _hits(report.right, report.right_contributions),
        "categories": [
            {
                "name": row.category.name,
                "group": row.category.group,
                "experimental": row.category.experimental,
                "left": asdict(row.left),
                "right": asdict(row.right),
                "reference_per_thousand": row.usual,
            }
            for row in report.rows
        ],
        "shared": [_finding(finding) for finding in report.findings.shared],
        "distinctive": [_finding(finding) for finding in report.findings.distinctive],
    }


def _hits(
    side: SideHabits, contributions: Sequence[HabitContributions | None]
) -> list[list[dict[str, Any]]]:
    """The hits of each document, each with the sum of the contributions of its words."""
    return [
        [
            {**_record_dict(hit), "contribution": None if sums is None else sums.hits[i]}
            for i, hit in enumerate(habits.hits)
        ]
        for habits, sums in zip(side.habits, contributions, strict=True)
    ]


def _finding(finding: Finding) -> dict[str, Any]:
    locations = {"left": _locations(finding.left), "right": _locations(finding.right)}
    return _record_dict(finding) | locations


def _locations(locations: Sequence[Location]) -> dict[str, Any]:
    first = [asdict(location) for location in locations[:_MAX_LOCATIONS]]
    return {"count": len(locations), "first": first}


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


def what_if_dict(result: WhatIf) -> dict[str, Any]:
    return {
        "side": result.side,
        "moved": result.has_moved,
        "budget": result.budget,
        "tried": result.n_tried,
        "edits": [
            {**asdict(effect.edit), "before": asdict(effect.before), "after": asdict(effect.after)}
            for effect in result.effects
        ],
        "before": decision_dict(result.before.decision),
        "after": decision_dict(result.after.decision),
        "text": getattr(result.after, result.side)[result.index].text,
    }
