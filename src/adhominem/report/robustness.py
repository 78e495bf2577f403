"""What edits do to a model, as a table for people."""

from __future__ import annotations

from collections.abc import Sequence

from adhominem.evaluation.robustness import Robustness
from adhominem.report.wording import signed


def robustness_table(rows: Sequence[Robustness]) -> str:
    """Plain Markdown, which reads well on a terminal too."""
    lines = [
        "| edit of the left text | pairs edited | edits in each | error % before | after "
        "| verdicts moved % | log10 LR, one author | two authors |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        lines.append(
            f"| {row.kind} | {row.edited} of {row.pairs} | {row.edits:.1f} "
            f"| {100 * row.error_before:.2f} | {100 * row.error:.2f} | {100 * row.moved:.2f} "
            f"| {_change(row.same)} | {_change(row.different)} |"
        )
    lines += ["", "The last two columns are mean changes over the edited pairs."]
    return "\n".join(lines)


def _change(value: float | None) -> str:
    return "-" if value is None else signed(value, 3)
