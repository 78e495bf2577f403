"""Tables of measurements: an evaluation, a comparison of methods as the paper's two tables, the
faithfulness of explanations, the effect of edits, adaptation to a domain, and validation."""

from typing import NamedTuple

from markupsafe import Markup

from adhominem.instrument.report.cover import Cover
from adhominem.instrument.report.html import page
from adhominem.laboratory.evaluation.answers import Answers
from adhominem.laboratory.evaluation.measures import AUC, CLLR, ERROR, MEASURES, percent
from adhominem.laboratory.report import Row, render
from adhominem.laboratory.report.figures import cross_entropy_figure, svg_element, tippett_figure

STATES = {"before": "as it was", "recalibrated": "calibrated anew", "after": "adapted"}


def evaluation_table(report: Row) -> str:
    """Error by cell, further measures and intervals, as Markdown for terminals and pages."""
    rows = [("all", report), *report["cells"].items()]
    return render("evaluation.md", report=report, rows=rows)


def faithfulness_table(report: Row) -> str:
    """Three tables: rankings of words, agreement of signs, and sanity."""
    return render("faithfulness.md", report=report)


def robustness_text(report: Row) -> str:
    """A table of all files, and a table of edits for each."""
    return render("robustness.md", files=report["files"])


def adaptation_text(report: Row) -> str:
    """Error, AUC and Cllr on a new domain before and after, what they were measured on, and how far
    the weights moved if they were trained further."""
    return render("adaptation.md", report=report, states=STATES, shown=(ERROR, AUC, CLLR))


def adaptation_card(name: str, old: str, corpus: str, report: Row) -> str:
    """Model card of a model adapted from `old`, or calibrated anew."""
    values = {"name": name, "old": old, "corpus": corpus, "text": adaptation_text(report)}
    return render("adaptation_card.md", report=report, **values) + "\n"


def validation_text(report: Row) -> str:
    """A validation report for the terminal."""
    return render("validation.text", report=report)


def validation_page(report: Row, answers: Answers, cover: Cover) -> str:
    """A validation report as a page."""
    figures = {
        "Tippett plot": svg_element(tippett_figure({"this model": answers})),
        "Empirical cross-entropy": svg_element(cross_entropy_figure(answers)),
    }
    section = Markup(render("validation.html", report=report, figures=figures))
    title = cover.title or "Validation of authorship verification"
    head = f"{title} · {report['pairs_file']['name']}"
    return page([section], title=title, kicker="Validation report", cover=cover, running_head=head)


def comparison_tables(comparison: Row, form: str) -> str:
    """The tables of a comparison as "text", "markdown", "latex" or "html"."""
    return render(f"comparison.{form}", tables=tables(comparison))


class Table(NamedTuple):
    """A titled table of text; the first column holds names, the others numbers."""

    title: str
    head: list[str]
    rows: list[list[str]]


def tables(comparison: Row) -> list[Table]:
    """Table I (error per cell), Table II (at high reliability), further measures, differences."""
    cells, methods = list(comparison["cells"]), comparison["methods"]
    spread = ["over folds"] if all("folds" in row for row in methods.values()) else []
    further = MEASURES[1:]
    made = [
        Table("Error %", ["method", *cells, "all", "95 % interval", *spread], []),
        Table("At high reliability: error % (share of the pairs %)", ["method", *cells, "all"], []),
        Table(
            "Further measures",
            ["method", *(measure.heading for measure in further), "undecided"],
            [],
        ),
    ]
    for name, row in methods.items():
        parts = [*(row["cells"][cell] for cell in cells), row]
        at_high = [part["high_reliability"] for part in parts]
        values = [1 - row[m.name] if m.complement else row[m.name] for m in further]
        rows = (
            [percent(part["error"]) for part in parts]
            + [_interval(row["intervals"]["error"])]
            + [f"± {percent(row['folds']['deviation'])}" for _ in spread],
            [f"{percent(part['error'])} ({percent(part['share'])})" for part in at_high],
            [m.show(value) for m, value in zip(further, values, strict=True)]
            + [f"{row['undecided']:,}"],
        )
        for table, own in zip(made, rows, strict=True):
            table.rows.append([name, *own])
    if differences := comparison["difference_to_best"]:
        title = f"More errors than {next(iter(methods))}, in points"
        rows_of = [
            [name, percent(row["value"]), _interval(row), _p_value(row["p"])]
            for name, row in differences.items()
        ]
        made.append(Table(title, ["method", "difference", "95 % interval", "p"], rows_of))
    return made


def _interval(row: Row) -> str:
    return f"{percent(row['low'])} to {percent(row['high'])}"


def _p_value(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
