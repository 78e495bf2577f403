"""What edits do to a model, as tables for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from adhominem.instrument.report.plain_text import markdown_table
from adhominem.instrument.report.wording import signed


def robustness_text(report: Mapping[str, Any]) -> str:
    """Plain Markdown, which reads well on a terminal too."""
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
    return [one["name"], f"{one['pairs']:,}", *map(_percent, errors), undecided]


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
            _percent(row["error_before"]),
            _percent(row["error"]),
            _percent(row["moved"]),
            *map(_change, (row["same"], row["different"])),
        ]
        for row in rows
    ]
    return markdown_table(head, cells)


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.2f}"


def _change(value: float | None) -> str:
    return "-" if value is None else signed(value, 3)
