"""Findings as people read them: what, how often, how rare, and in which places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from adhominem.instrument.linguistics.findings import Finding, Location, SideHabits
from adhominem.instrument.report.concordance import Context, in_context
from adhominem.instrument.report.habit_report import (
    HabitReport,
    habit_words,
    share_words,
    use_words,
)

_MOST, _MOST_LINES = 12, 3  # findings of a table, places of a finding on each side
_LEAST = 0.4  # findings that tell less are no news


@dataclass(frozen=True, slots=True)
class Line:
    side: str
    context: Context


@dataclass(frozen=True, slots=True)
class FindingRow:
    words: str
    category: str
    use: str
    share: str
    lines: tuple[Line, ...]
    lines_left_out: int


@dataclass(frozen=True, slots=True)
class FindingTable:
    """`left_out` findings are less telling than those in `rows`."""

    rows: tuple[FindingRow, ...]
    left_out: int


def finding_table(
    findings: Sequence[Finding], report: HabitReport, *, around: int = 30
) -> FindingTable:
    """The findings worth telling, with a concordance."""
    shown = [finding for finding in findings if finding.telling >= _LEAST][:_MOST]
    return FindingTable(
        tuple(_row(finding, report, around) for finding in shown), len(findings) - len(shown)
    )


def _row(finding: Finding, report: HabitReport, around: int) -> FindingRow:
    lines = (
        *_lines("left", finding.left, report.left, around),
        *_lines("right", finding.right, report.right, around),
    )
    return FindingRow(
        words=habit_words(finding),
        category=finding.category,
        use=use_words(finding),
        share=share_words(finding),
        lines=lines,
        lines_left_out=len(finding.left) + len(finding.right) - len(lines),
    )


def _lines(name: str, places: Sequence[Location], side: SideHabits, around: int) -> Iterator[Line]:
    for place in places[:_MOST_LINES]:
        text = side.texts[place.document]
        yield Line(name, in_context(text, place.start, place.end, around=around))
