"""The faithfulness of explanations as Markdown tables, for terminals and pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adhominem.instrument.report.plain_text import markdown_table
from adhominem.laboratory.report.evaluation_tables import interval_cell


def faithfulness_table(report: Mapping[str, Any]) -> str:
    """Three tables: rankings of words, agreement of signs, and sanity."""
    removals = report["removals"]
    taken, left = report["comprehensiveness"], report["sufficiency"]
    head = ["words ranked by"]
    for removal in removals:
        head += [f"comprehensiveness, {removal}", "times random (95 %)"]
    head += [f"sufficiency, {removal}" for removal in removals]
    head += [f"accounted %, {removal}" for removal in removals]
    rows = []
    for ranking in taken[removals[0]]:
        row = [ranking]
        for removal in removals:
            own = taken[removal][ranking]
            row += [f"{own['value']:.2f}", interval_cell(own["to_random"])]
        row += [f"{left[removal][ranking]['value']:.2f}" for removal in removals]
        row += [
            f"{report['accounted'][removal][ranking]['value']:.0%}"[:-1] for removal in removals
        ]
        rows.append(row)
    signs = ["method"]
    for removal in removals:
        signs += [f"sign agreement %, {removal}", f"of the strongest tenth %, {removal}"]
    agreement = [
        [
            method,
            *(
                f"{report[name][removal][method]['value']:.0%}"[:-1]
                for removal in removals
                for name in ("sign_agreement", "group_agreement")
            ),
        ]
        for method in report["sign_agreement"][removals[0]]
    ]
    sanity = [[ranking, interval_cell(value)] for ranking, value in report["sanity"].items()]
    return "\n\n".join(
        [
            markdown_table(head, rows),
            markdown_table(signs, agreement),
            markdown_table(["words ranked by", "correlation with a random network (95 %)"], sanity),
        ]
    )
