"""Results of adapting a model to a new domain: table and model card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adhominem.instrument.report.plain_text import markdown_table
from adhominem.laboratory.evaluation.measures import AUC, CLLR, ERROR

STATES = {"before": "as it was", "recalibrated": "calibrated anew", "after": "adapted"}


def adaptation_text(report: Mapping[str, Any]) -> str:
    """The table with what it was measured on, and how far the weights moved if they were trained
    further."""
    authors, share = report["authors"], report.get("share_of_the_way")
    measured = f"{report['recalibrated']['pairs']:,} pairs of {authors['test']:,} others"
    if share is None:
        used = f"Calibrated with {authors['dev']:,} authors"
        moved = "The network is the same."
    else:
        used = f"{authors['train']:,} authors to learn from, {authors['dev']:,} to stop in time"
        moved = f"The weights went {share:.0%} of the way from the old to the new."
    if share == 0:
        moved = "Training further did not help: the weights are the old ones."
    return f"{used}; measured on {measured}\n\n{adaptation_table(report)}\n\n{moved}"


def adaptation_table(report: Mapping[str, Any]) -> str:
    """Error, AUC and Cllr on the new domain before and after, as Markdown."""
    measures = (ERROR, AUC, CLLR)
    rows = [
        [title, *(measure.show(report[state][measure.name]) for measure in measures)]
        for state, title in STATES.items()
        if state in report
    ]
    return markdown_table(["", *(measure.heading for measure in measures)], rows)


def adaptation_card(name: str, old: str, corpus: str, report: Mapping[str, Any]) -> str:
    """Model card of a model adapted from `old`, or calibrated anew."""
    how = "adapted to" if "after" in report else "with a calibration of its own for texts like"
    return f"""# {name}

`{old}`, {how} the corpus `{corpus}`.

{adaptation_text(report)}

These figures hold for texts like those of the corpus; on others, those of `{old}` are nearer.
"""
