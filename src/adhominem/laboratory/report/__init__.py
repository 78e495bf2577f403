"""Reports: evaluation, comparison of methods (the paper's two tables), faithfulness, robustness to
edits, adaptation and validation.

Each report has a template in this folder, for Markdown, text, LaTeX or HTML.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from jinja2 import Environment
from markupsafe import Markup

from adhominem.instrument.report.cover import Cover
from adhominem.instrument.report.html import environment, page
from adhominem.instrument.report.plain_text import markdown_code, visible
from adhominem.instrument.report.wording import signed
from adhominem.laboratory.evaluation.answers import Answers
from adhominem.laboratory.evaluation.measures import MEASURES, percent
from adhominem.laboratory.report.figures import cross_entropy_figure, svg_element, tippett_figure

Row = Mapping[str, Any]
STATES = {"before": "as it was", "recalibrated": "calibrated anew", "after": "adapted"}


def render(name: str, /, **values: object) -> str:
    """Renders a template; only HTML is escaped."""
    return _templates().get_template(f"{name}.jinja").render(values).strip("\n")


@cache
def _templates() -> Environment:
    made = environment("adhominem.laboratory.report")
    made = made.overlay(autoescape=lambda name: name is not None and ".html." in name)
    made.globals.update(measures={measure.name: measure for measure in MEASURES}, states=STATES)
    filters = (aligned, columns, error_words, interval, percent, signed, visible)
    made.filters.update({f.__name__: f for f in filters}, code=markdown_code, latex=escape_latex)
    return made


def aligned(rows: Iterable[Sequence[str]]) -> str:
    """A text table with the first column left-aligned and the others right-aligned."""
    rows = [tuple(map(visible, row)) for row in rows]
    first, *others = (max(map(len, column)) for column in zip(*rows, strict=True))
    pattern = "  ".join([f"{{:<{first}}}", *(f"{{:>{width}}}" for width in others)])
    return "\n".join(pattern.format(*row).rstrip() for row in rows)


def columns(rows: Sequence[tuple[str, str]]) -> str:
    """Names and values in two left-aligned columns."""
    width = max((len(name) for name, _ in rows), default=0)
    return "\n".join(f"{name:{width}}  {value}" for name, value in rows)


def error_words(row: Mapping[str, float]) -> str:
    words = f"{row['value']:.1%} wrong (95% interval {row['low']:.1%} to {row['high']:.1%})"
    return f"{words}, {row['undecided']:.1%} undecided, of {row['pairs']:,}"


def interval(row: Mapping[str, float]) -> str:
    """A value with its interval."""
    return "{value:.2f} ({low:.2f} to {high:.2f})".format_map(row)


def escape_latex(text: str) -> str:
    signs = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    signs |= {sign: f"\\{sign}" for sign in "&%$#_{}"}
    return "".join(signs.get(char, char) for char in text)


def report_as(name: str) -> Callable[[Row], str]:
    """A function that renders a report with this template."""
    return lambda report: render(name, report=report)


evaluation_table = report_as("evaluation.md")
faithfulness_table = report_as("faithfulness.md")
robustness_text = report_as("robustness.md")
adaptation_text = report_as("adaptation.md")
validation_text = report_as("validation.text")


def adaptation_card(name: str, old: str, corpus: str, report: Row) -> str:
    """Card of a model that was adapted from the model `old`, or recalibrated."""
    values = {"name": name, "old": old, "corpus": corpus, "text": adaptation_text(report)}
    return render("adaptation_card.md", report=report, **values) + "\n"


def validation_page(report: Row, answers: Answers, cover: Cover) -> str:
    """A validation report as an HTML page."""
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
    """The paper's tables I (error by cell) and II (high reliability), measures, differences."""
    cells, methods = list(comparison["cells"]), comparison["methods"]
    spread = ["over folds"] if all("folds" in row for row in methods.values()) else []
    further = MEASURES[1:]
    heads = {
        "Error %": [*cells, "all", "95 % interval", *spread],
        "At high reliability: error % (share of the pairs %)": [*cells, "all"],
        "Further measures": [*(measure.heading for measure in further), "undecided"],
    }
    made = [Table(title, ["method", *head], []) for title, head in heads.items()]
    errors, reliable, measured = (table.rows for table in made)
    for name, row in methods.items():
        parts = [*(row["cells"][cell] for cell in cells), row]
        high = [part["high_reliability"] for part in parts]
        values = [(m, row[m.name]) for m in further]
        shown = [m.show(1 - v if m.complement and v is not None else v) for m, v in values]
        over_folds = [f"± {percent(row['folds']['deviation'])}" for _ in spread]
        whole = [*(percent(part["error"]) for part in parts), _interval(row["intervals"]["error"])]
        errors.append([name, *whole, *over_folds])
        sure = [f"{percent(part['error'])} ({percent(part['share'])})" for part in high]
        reliable.append([name, *sure])
        measured.append([name, *shown, f"{row['undecided']:,}"])
    if differences := comparison["difference_to_best"]:
        title = f"More errors than {next(iter(methods))}, in points"
        made.append(Table(title, ["method", "difference", "95 % interval", "p"], []))
        for name, row in differences.items():
            p_value = "< 0.001" if row["p"] < 0.001 else f"{row['p']:.3f}"
            made[-1].rows.append([name, percent(row["value"]), _interval(row), p_value])
    return made


def _interval(row: Row) -> str:
    return f"{percent(row['low'])} to {percent(row['high'])}"
