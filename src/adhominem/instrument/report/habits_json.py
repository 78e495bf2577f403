"""The habits of both sides as plain dictionaries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from adhominem.instrument.linguistics.findings import Finding, Location, SideHabits
from adhominem.instrument.report.habit_parts import Parts
from adhominem.instrument.report.habit_report import HabitReport

_MOST_PLACES = 20


def habits_dict(report: HabitReport) -> dict[str, Any]:
    """All hits, all categories that were met and all findings, each with its first places."""
    return {
        "reference": {
            "genre": report.reference.genre,
            "texts": report.reference.n_texts,
            "tokens": report.reference.n_tokens,
        },
        "left": _hits(report.left, report.left_parts),
        "right": _hits(report.right, report.right_parts),
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
        "shared": [_finding(one) for one in report.evidence.shared],
        "distinctive": [_finding(one) for one in report.evidence.distinctive],
    }


def _hits(side: SideHabits, parts: Sequence[Parts | None]) -> list[list[dict[str, Any]]]:
    """A list for each document; a hit has the sum of the contributions of its words."""
    return [
        [
            {
                "start": hit.start,
                "end": hit.end,
                "category": hit.category,
                "surface": hit.surface,
                "intended": hit.intended,
                "contribution": None if part is None else part.hits[number],
            }
            for number, hit in enumerate(habits.hits)
        ]
        for habits, part in zip(side.habits, parts, strict=True)
    ]


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "category": finding.category,
        "form": finding.form,
        "intended": finding.intended,
        "left": _places(finding.left),
        "right": _places(finding.right),
        "standard": finding.standard,
        "share": finding.share,
        "is_listed": finding.is_listed,
        "telling": finding.telling,
    }


def _places(places: Sequence[Location]) -> dict[str, Any]:
    return {"count": len(places), "first": [asdict(place) for place in places[:_MOST_PLACES]]}
