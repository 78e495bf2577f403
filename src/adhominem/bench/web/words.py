"""The sentences about a decision, made as the report makes them, so that both say the same."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from adhominem.instrument.report import wording
from adhominem.instrument.report.habit_report import HabitReport, finding_table
from adhominem.instrument.report.scales import distance_scale, verbal_scale
from adhominem.records import Decision, Explanation


def words_about(
    decision: Decision, explanation: Explanation | None = None, habits: HabitReport | None = None
) -> dict[str, Any]:
    scale = distance_scale(decision)
    is_explained = explanation is not None and explanation.contributions is not None
    return {
        "verdict": wording.verdict_words(decision.verdict),
        "score": wording.score_words(decision.score),
        "llr": wording.signed(decision.llr),
        "support": wording.support_words(decision.llr),
        "ratio": wording.ratio_words(decision.llr),
        "reliability": wording.reliability_words(decision),
        "track_record": wording.track_record_words(decision),
        "faithfulness": wording.faithfulness_words(explanation)
        if explanation is not None and is_explained
        else None,
        "readings": {
            "left": wording.reading_words(decision.left),
            "right": wording.reading_words(decision.right),
        },
        "scale": [asdict(step) for step in verbal_scale(decision.llr)],
        "distance_scale": None if scale is None else asdict(scale),
        "habits": None if habits is None else _habit_words(habits),
    }


def _habit_words(habits: HabitReport) -> dict[str, Any]:
    return {
        "reference": habits.reference_words,
        "shared": asdict(finding_table(habits.findings.shared, habits)),
        "distinctive": asdict(finding_table(habits.findings.distinctive, habits)),
        "categories": [
            {"name": row.category.name, "description": row.category.summary} for row in habits.rows
        ],
        "absent": list(habits.absent),
    }
