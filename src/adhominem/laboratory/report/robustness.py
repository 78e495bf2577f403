"""The effect of edits on a model's answers as Markdown tables, for terminals and pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from adhominem.instrument.report.plain_text import markdown_table
from adhominem.instrument.report.wording import signed
from adhominem.laboratory.evaluation.measures import percent


def robustness_text(report: Mapping[str, Any]) -> str:
    """A table of all files, and a table of edits for each."""
    head = ["pairs of texts", "number", "error %", "one author", "two authors", "undecided %"]
    files = report["files"]
    parts = [markdown_table(head, [_file(one) for one in files])]
    for one in files:
        parts += [f"{one['name']}, edited:", _edits(one["edits"])]
    return "\n\n".join([*parts, "The last two columns are mean changes over the edited pairs."])


def _file(one: Mapping[str, Any]) -> list[str]:
    by_truth = one["error_by_truth"]
    errors = (one["error"], by_truth["same_author"], by_truth["different_authors"])
    undecided = f"{100 * one['undecided'] / max(one['pairs'], 1):.1f}"
    return [one["name"], f"{one['pairs']:,}", *map(percent, errors), undecided]


def _edits(rows: Sequence[Mapping[str, Any]]) -> str:
    head = [
        *("edit of the left text", "pairs edited", "edits in each", "error % before", "after"),
        *("verdicts moved %", "log10 LR, one author", "two authors"),
    ]
    cells = [
        [
            row["kind"],
            f"{row['edited']:,} of {row['pairs']:,}",
            f"{row['edits']:.1f}",
            percent(row["error_before"]),
            percent(row["error"]),
            percent(row["moved"]),
            *map(_change, (row["same"], row["different"])),
        ]
        for row in rows
    ]
    return markdown_table(head, cells)


def _change(value: float | None) -> str:
    return "-" if value is None else signed(value, 3)
