"""What adapting a model brings, by the number of authors that it had."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from adhominem.laboratory.report.adaptation import STATES
from adhominem.laboratory.report.charts import drawing
from adhominem.laboratory.report.figures import COLOURS, MARKERS

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def adaptation_figure(reports: Mapping[str, Mapping[str, Any]]) -> Figure:
    """A panel for each kind of text, with the reports of experiments/adaptation.py."""
    with drawing(3.4 * len(reports), 2.8) as (figure, axes):
        axes.remove()
        panels = figure.subplots(1, len(reports), squeeze=False, sharey=True)[0]
        for panel, (name, report) in zip(panels, reports.items(), strict=True):
            authors = [int(number) for number in report["authors"]]
            for (state, label), colour, marker in zip(
                STATES.items(), COLOURS, MARKERS, strict=False
            ):
                errors = [100 * row[state]["error"] for row in report["authors"].values()]
                panel.plot(authors, errors, color=colour, marker=marker, label=label)
            panel.set_xscale("log")
            panel.set_xticks(authors, [f"{number:,}" for number in authors])
            panel.minorticks_off()
            panel.set_xlabel(f"authors ({name})")
            panel.set_ylim(0, 55)
        panels[0].set_ylabel("error %")
        panels[-1].legend(frameon=False)
        return figure
