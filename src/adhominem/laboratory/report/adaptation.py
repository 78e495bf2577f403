"""What an adaptation to a new domain brought, for the terminal and for the model card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

STATES = {"before": "as it was", "recalibrated": "calibrated anew", "after": "adapted"}


def adaptation_text(report: Mapping[str, Any]) -> str:
    authors = report["authors"]
    lines = [
        f"{authors['train']:,} authors to learn from, {authors['dev']:,} to decide how far to go; "
        f"measured on {report['after']['pairs']:,} pairs of {authors['test']:,} others",
        "",
        adaptation_table(report),
        "",
    ]
    share = report["share_of_the_way"]
    if share == 0:
        lines.append("Training further did not help: the weights are the old ones.")
    else:
        lines.append(f"The weights went {share:.0%} of the way from the old to the new.")
    return "\n".join(lines)


def adaptation_table(report: Mapping[str, Any]) -> str:
    lines = ["| | error % | AUC | Cllr |", "|---|--:|--:|--:|"]
    for key, title in STATES.items():
        if key not in report:
            continue
        row = report[key]
        auc, cllr = ("-" if row[name] is None else f"{row[name]:.3f}" for name in ("auc", "cllr"))
        lines.append(f"| {title} | {100 * row['error']:.2f} | {auc} | {cllr} |")
    return "\n".join(lines)


def adaptation_card(name: str, old: str, corpus: str, report: Mapping[str, Any]) -> str:
    return f"""# {name}

`{old}`, adapted to the corpus `{corpus}` by `adhominem adapt`.

{adaptation_text(report)}

These figures hold for texts like those of the corpus; on others, those of `{old}` are nearer.
"""


def recalibration_card(name: str, old: str, corpus: str, report: Mapping[str, Any]) -> str:
    authors = report["authors"]
    return f"""# {name}

`{old}` with a calibration of its own for texts like those of the corpus `{corpus}`; the network is
the same. It was calibrated with {authors["dev"]:,} authors and measured on
{report["recalibrated"]["pairs"]:,} pairs of {authors["test"]:,} others.

{adaptation_table(report)}

These figures hold for texts like those of the corpus; on others, those of `{old}` are nearer.
"""
