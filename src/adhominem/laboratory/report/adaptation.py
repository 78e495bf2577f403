"""Results of adapting a model to a new domain: table, model card and figure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from adhominem.instrument.report.plain_text import markdown_table
from adhominem.laboratory.evaluation.measures import AUC, CLLR, ERROR
from adhominem.laboratory.report.figures import COLOURS, MARKERS, drawing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STATES = {"before": "as it was", "recalibrated": "calibrated anew", "after": "adapted"}


def adaptation_text(report: Mapping[str, Any]) -> str:
    """The table with what it was measured on and how far the weights moved."""
    authors, share = report["authors"], report["share_of_the_way"]
    moved = f"The weights went {share:.0%} of the way from the old to the new."
    if share == 0:
        moved = "Training further did not help: the weights are the old ones."
    return (
        f"{authors['train']:,} authors to learn from, {authors['dev']:,} to decide how far to go; "
        f"measured on {report['after']['pairs']:,} pairs of {authors['test']:,} others\n\n"
        f"{adaptation_table(report)}\n\n{moved}"
    )


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
    """Model card of a model adapted from `old`."""
    return f"""# {name}

`{old}`, adapted to the corpus `{corpus}` by `adhominem model adapt`.

{adaptation_text(report)}

These figures hold for texts like those of the corpus; on others, those of `{old}` are nearer.
"""


def recalibration_card(name: str, old: str, corpus: str, report: Mapping[str, Any]) -> str:
    """Model card of a model that was calibrated anew and not trained further."""
    authors = report["authors"]
    return f"""# {name}

`{old}` with a calibration of its own for texts like those of the corpus `{corpus}`; the network is
the same. It was calibrated with {authors["dev"]:,} authors and measured on
{report["recalibrated"]["pairs"]:,} pairs of {authors["test"]:,} others.

{adaptation_table(report)}

These figures hold for texts like those of the corpus; on others, those of `{old}` are nearer.
"""


def adaptation_figure(reports: Mapping[str, Mapping[str, Any]]) -> Figure:
    """Error by number of authors, a panel for each kind of text; `reports` are those of
    experiments/adaptation.py."""
    with drawing(3.4 * len(reports), 2.8) as (figure, axes):
        axes.remove()
        panels = figure.subplots(1, len(reports), squeeze=False, sharey=True)[0]
        for panel, (name, report) in zip(panels, reports.items(), strict=True):
            authors = [int(number) for number in report["authors"]]
            looks = zip(STATES.items(), COLOURS, MARKERS, strict=False)
            for (state, label), colour, marker in looks:
                errors = [100 * row[state]["error"] for row in report["authors"].values()]
                panel.plot(authors, errors, color=colour, marker=marker, label=label)
            panel.set(xscale="log", xlabel=f"authors ({name})", ylim=(0, 55))
            panel.set_xticks(authors, [f"{number:,}" for number in authors])
            panel.minorticks_off()
        panels[0].set_ylabel("error %")
        panels[-1].legend(frameon=False)
        return figure
