"""Decisions, explanations, audit trails, habits, rankings and edits as plain dictionaries for JSON.
Numbers that are not finite become null."""

import json
import math
import platform
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from importlib.metadata import version
from typing import Any

from adhominem import __version__
from adhominem.instrument.evidence.attribution import Ranking
from adhominem.instrument.explain.whatif import WhatIf
from adhominem.instrument.linguistics.findings import Finding, SideHabits
from adhominem.instrument.linguistics.reference import reference_sha256
from adhominem.instrument.report.cover import Cover, compared_texts
from adhominem.instrument.report.habit_report import HabitContributions, HabitReport, habit_report
from adhominem.instrument.report.wording import kind_words
from adhominem.records import Decision, Explanation

_MAX_LOCATIONS = 20  # of a finding on each side


def json_text(content: dict[str, Any]) -> str:
    """JSON in ASCII, so that even a lone surrogate can be written and read."""
    return json.dumps(content, indent=2, allow_nan=False)


def _plain(value: object) -> Any:
    """Convert records to dictionaries and tuples to lists."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if is_dataclass(value):
        return fields_of(value, *(field.name for field in fields(value)))
    return value


def fields_of(record: object, *names: str) -> dict[str, Any]:
    """These fields of a record, as plain values."""
    return {name: _plain(getattr(record, name)) for name in names}


def decision_dict(decision: Decision) -> dict[str, Any]:
    return {
        "verdict": decision.verdict.value,
        **fields_of(decision, "score", "llr", "distance", "tau_s", "tau_d", "reliable"),
        "reasons": [reason.message for reason in decision.reasons],
        "reason_codes": [reason.code for reason in decision.reasons],
        "notes": [note.message for note in decision.notes],
        "note_codes": [note.code for note in decision.notes],
        **fields_of(decision, "left", "right", "track_record", "model", "bounds", "terms"),
    }


def explanation_dict(
    explanation: Explanation, cover: Cover = Cover(), *, habits: bool = True
) -> dict[str, Any]:
    return {
        "decision": decision_dict(explanation.decision),
        **fields_of(explanation, "method", "contributions", "faithfulness", "left", "right"),
        "habits": habits_dict(habit_report(explanation)) if habits else None,
        "audit": audit_trail(explanation, cover),
        **({} if cover == Cover() else {"cover": _plain(cover)}),
    }


def audit_trail(explanation: Explanation, cover: Cover = Cover()) -> dict[str, str]:
    """Everything that is needed to repeat a result: texts, model, settings and versions."""
    trail: dict[str, str] = {}
    for text in compared_texts(explanation, cover):
        label = text["label"]
        trail |= {f"{label}, name": text["name"]} if text["name"] else {}
        trail[f"{label}, sha256"] = text["sha256"]
        trail[f"{label}, characters"] = f"{text['characters']}"
    trail["kind of text"] = kind_words(explanation)
    decision, model = explanation.decision, explanation.decision.model
    trail["model"] = f"{model.name}, version {model.version}" if model else "not stated"
    trail |= {"model, sha256": model.sha256} if model else {}
    trail["weights of words"] = explanation.method
    if decision.tau_s is not None and decision.tau_d is not None:
        trail["thresholds of the distance"] = f"{decision.tau_s:.4f}, {decision.tau_d:.4f}"
    return trail | {
        "score, to repeat": f"{decision.score!r}",
        "reference rates, sha256": reference_sha256(),
        "adhominem": __version__,
        "libraries": ", ".join(f"{name} {version(name)}" for name in ("numpy", "spacy")),
        "Python": platform.python_version(),
    }


def habits_dict(report: HabitReport) -> dict[str, Any]:
    """All hits, all categories that occur, and all findings with their first locations."""
    own = report.reference
    return {
        "reference": {"genre": own.genre, "texts": own.n_texts, "tokens": own.n_tokens},
        "left": _hits(report.left, report.left_contributions),
        "right": _hits(report.right, report.right_contributions),
        "categories": [
            {
                **fields_of(row.category, "name", "group", "experimental"),
                **fields_of(row, "left", "right"),
                "reference_per_thousand": row.usual,
            }
            for row in report.rows
        ],
        "shared": [_finding(finding) for finding in report.findings.shared],
        "distinctive": [_finding(finding) for finding in report.findings.distinctive],
        "sequences": [_finding(finding) for finding in report.sequences],
    }


def _hits(side: SideHabits, sums: Sequence[HabitContributions | None]) -> list[Any]:
    """The hits of each document, each with the sum of the contributions of its words."""
    documents = []
    for habits, own in zip(side.habits, sums, strict=True):
        parts = [None] * len(habits.hits) if own is None else own.hits
        hits = zip(habits.hits, parts, strict=True)
        documents.append([{**_plain(hit), "contribution": part} for hit, part in hits])
    return documents


def _finding(finding: Finding) -> dict[str, Any]:
    content: dict[str, Any] = _plain(finding)
    for side in ("left", "right"):
        locations = content[side]
        content[side] = {"count": len(locations), "first": locations[:_MAX_LOCATIONS]}
    return content


def ranking_dict(ranking: Ranking) -> dict[str, Any]:
    return {
        **fields_of(ranking, "answer", "none", "others", "n_others", "prior"),
        "candidates": [
            {**fields_of(row, "name", "probability"), **decision_dict(row.decision)}
            for row in ranking.candidates
        ],
    }


def what_if_dict(result: WhatIf) -> dict[str, Any]:
    effects = result.effects
    return {
        "side": result.side,
        "moved": result.has_moved,
        "budget": result.budget,
        "tried": result.n_tried,
        "edits": [{**_plain(one.edit), **fields_of(one, "before", "after")} for one in effects],
        "before": decision_dict(result.before.decision),
        "after": decision_dict(result.after.decision),
        "text": getattr(result.after, result.side)[result.index].text,
    }
