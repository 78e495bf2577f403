"""The habits of both sides as text for a terminal; everything made visible."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from adhominem.instrument.report.audit import audit_trail
from adhominem.instrument.report.evidence_rows import FindingRow, FindingTable, finding_table
from adhominem.instrument.report.habit_report import (
    HabitReport,
    carried_words,
    habit_report,
    reference_words,
)
from adhominem.instrument.report.visible import visible
from adhominem.records import Explanation

_AROUND = 24


def habit_blocks(explanation: Explanation) -> Iterator[RenderableType]:
    """Shared and distinctive habits with a concordance, and the table of categories."""
    report = habit_report(explanation)
    for title, findings in (
        ("Shared habits", report.evidence.shared),
        ("Distinctive habits", report.evidence.distinctive),
    ):
        yield from _findings(title, finding_table(findings, report, around=_AROUND))
    lead = "  hits, and in 1,000 tokens"
    if report.has_contributions:
        lead += "; what their words carry of log10 LR (above 0 for one author)"
    yield Text("\nCategories", style="bold").append(lead, "not bold")
    yield _categories(report)
    if any(row.category.experimental for row in report.rows):
        yield Text("* experimental: often wrong, and not used as evidence")
    yield Text(f"reference: {visible(reference_words(report.reference))}")


def audit_block(explanation: Explanation) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column()
    table.add_column(overflow="fold")
    table.add_row(Text("\nAudit trail", style="bold"), "")
    for name, value in audit_trail(explanation).items():
        table.add_row(Text(name), Text(visible(value)))
    return table


def _findings(title: str, table: FindingTable) -> Iterator[RenderableType]:
    yield Text(f"\n{title}", style="bold")
    for row in table.rows:
        yield Text(visible(row.words), style="bold").append(f"  {row.use}; {row.share}", "not bold")
        yield _concordance(row)
    if not table.rows:
        yield Text("none worth telling")


def _concordance(row: FindingRow) -> Table:
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(justify="right", overflow="fold")
    table.add_column(overflow="fold")
    table.add_column(overflow="fold")
    for line in row.lines:
        context = line.context
        table.add_row(
            f"  {line.side}",
            Text(visible(context.before)),
            Text(visible(context.own), style="bold"),
            Text(visible(context.after)),
        )
    if row.lines_left_out:
        table.add_row("", f"and {row.lines_left_out:,} more", "", "")
    return table


def _categories(report: HabitReport) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(overflow="fold")
    sides = ["left", "right"]
    if report.has_contributions:
        sides = ["left", "carry", "right", "carry"]
    for _ in (*sides, "reference"):
        table.add_column(justify="right")
    table.add_row("", *sides, "reference")
    for row in report.rows:
        cells = []
        for side in (row.left, row.right):
            cells.append(f"{side.count}  {side.per_thousand:6.1f}")
            if report.has_contributions:
                cells.append(carried_words(side))
        name = row.category.name + (" *" if row.category.experimental else "")
        table.add_row(name, *cells, f"{row.usual:.1f}")
    return table
