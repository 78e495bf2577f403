"""A validation report for its readers: a page, or text for the terminal."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from adhominem.instrument.report.cover import Cover
from adhominem.instrument.report.html import environment, page
from adhominem.laboratory.evaluation.answers import Answers
from adhominem.laboratory.report.figures import cross_entropy_figure, svg_element, tippett_figure


def validation_page(report: dict[str, Any], answers: Answers, cover: Cover) -> str:
    figures = {
        "Tippett plot": svg_element(tippett_figure({"this model": answers})),
        "Empirical cross-entropy": svg_element(cross_entropy_figure(answers)),
    }
    template = environment("adhominem.laboratory.report").get_template("validation.html.jinja")
    section = Markup(template.render(report=report, figures=figures, error_words=error_words))
    title = cover.title or "Validation of authorship verification"
    head = f"{title} · {report['pairs_file']['name']}"
    return page([section], title=title, kicker="Validation report", cover=cover, running_head=head)


def validation_text(report: dict[str, Any]) -> str:
    lines = [
        f"{report['pairs']:,} pairs, {report['authors']:,} authors",
        f"Cllr {report['cllr']:.3f}, Cllr min {report['cllr_min']:.3f}",
        f"Pairs of one author: {error_words(report['errors']['same'])}",
        f"Pairs of two authors: {error_words(report['errors']['different'])}",
    ]
    return "\n".join([*lines, *report["limits"]])


def error_words(row: dict[str, float]) -> str:
    words = f"{row['value']:.1%} wrong (95% interval {row['low']:.1%} to {row['high']:.1%})"
    return f"{words}, {row['undecided']:.1%} undecided, of {row['pairs']:,}"
