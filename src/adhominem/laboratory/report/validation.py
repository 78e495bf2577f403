"""A validation report for its readers: a page, or text for the terminal."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from adhominem.instrument.report.cover import Cover
from adhominem.instrument.report.html import environment, page
from adhominem.laboratory.evaluation.answers import Answers
from adhominem.laboratory.evaluation.validation import SOURCES
from adhominem.laboratory.report.figures import cross_entropy_figure, tippett_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def validation_page(report: dict[str, Any], answers: Answers, cover: Cover) -> str:
    figures = {
        "Tippett plot": tippett_figure({"this model": answers}),
        "Empirical cross-entropy": cross_entropy_figure(answers),
    }
    section = (
        environment("adhominem.laboratory.report")
        .get_template("validation.html.jinja")
        .render(
            report=report,
            sources=SOURCES,
            figures={name: _svg(figure) for name, figure in figures.items()},
            error_words=error_words,
        )
    )
    title = cover.title or "Validation of authorship verification"
    head = f"{title} · {report['pairs_file']['name']}"
    return page([Markup(section)], title=title, kicker=title, cover=cover, running_head=head)


def validation_text(report: dict[str, Any]) -> str:
    shortest, median, longest = report["tokens"]
    lines = [
        f"{report['pairs']:,} pairs, {report['authors']:,} authors; tokens of the shorter side: "
        f"{shortest:,} to {longest:,}, median {median:,}",
        f"Cllr {report['cllr']:.3f}, Cllr min {report['cllr_min']:.3f}",
    ]
    for kind, told in (("same", "one author"), ("different", "two authors")):
        lines.append(f"Pairs of {told}: {error_words(report['errors'][kind])}")
    return "\n".join([*lines, "", *report["limits"]])


def error_words(row: dict[str, float]) -> str:
    words = f"{row['value']:.1%} wrong (95% interval {row['low']:.1%} to {row['high']:.1%})"
    return f"{words}, {row['undecided']:.1%} undecided, of {row['pairs']:,}"


def _svg(figure: Figure) -> Markup:
    """A figure as an element of a page."""
    import matplotlib

    buffer = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": "adhominem"}):
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    return Markup("<svg" + buffer.getvalue().partition("<svg")[2])
