"""Tables of measurements: an evaluation, a comparison of methods as the paper's two tables, the
faithfulness of explanations, and the effect of edits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adhominem.instrument.report.html import environment
from adhominem.instrument.report.plain_text import markdown_table, visible
from adhominem.instrument.report.wording import signed
from adhominem.laboratory.evaluation.measures import AUC, BRIER, CLLR, ERROR, MEASURES, percent

Row = Mapping[str, Any]
Columns = Iterable[tuple[str, str | Callable[[Row], str]]]
INTERVAL = "{value:.2f} ({low:.2f} to {high:.2f})"


def column_table(columns: Columns, rows: Iterable[Row]) -> str:
    """A Markdown table. A column has a heading, and a format string or a function for its cells;
    percentages stand without their sign, which the heading has."""
    columns = list(columns)
    cells = [
        [
            cell.format_map(row).removesuffix("%") if isinstance(cell, str) else cell(row)
            for _, cell in columns
        ]
        for row in rows
    ]
    return markdown_table([heading for heading, _ in columns], cells)


_CELLS: Columns = (
    ("pairs (a: same author, c: same topic)", "{name}"),
    ("number", "{pairs}"),
    ("error %", lambda row: percent(row["error"])),
    ("at high reliability: share %", lambda row: percent(row["high_reliability"]["share"])),
    ("error %", lambda row: percent(row["high_reliability"]["error"])),
)


def evaluation_table(report: Row) -> str:
    """Error by cell, further measures and intervals, as Markdown for terminals and pages."""
    rows = [{"name": name} | part for name, part in [("all", report), *report["cells"].items()]]
    values = [f"{m.title} {m.show(report[m.name])}" for m in (AUC, CLLR, BRIER)]
    lines = [
        column_table(_CELLS, rows),
        "",
        f"{', '.join(values)}, {report['undecided']} undecided.",
    ]
    if "intervals" in report:
        shown = []
        for measure in (m for m in MEASURES if m.weighted):
            interval = report["intervals"][measure.name]
            low, high = measure.show(interval["low"]), measure.show(interval["high"])
            shown.append(f"{measure.title} {low} to {high}" + (" %" if measure.percent else ""))
        lines.append(f"95 % intervals, authors drawn anew: {', '.join(shown)}.")
    if "hard_half" in report:
        hard = report["hard_half"]
        lines.append(
            f"Hard half (same author on another topic, different authors on the same): "
            f"error {ERROR.show(hard['error'])} %, AUC {AUC.show(hard['auc'])}."
        )
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Table:
    """A titled table of text; the first column holds names, the others numbers."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def tables(comparison: Row) -> list[Table]:
    """Table I (error per cell), Table II (at high reliability), further measures, differences."""
    cells, methods = list(comparison["cells"]), comparison["methods"]
    folds = all("folds" in row for row in methods.values())
    further = MEASURES[1:]
    errors, sure, others = [], [], []
    for name, row in methods.items():
        parts = [*(row["cells"][cell] for cell in cells), row]
        spread = [f"± {percent(row['folds']['deviation'])}"] if folds else []
        interval = _interval(row["intervals"]["error"])
        errors.append((name, *(percent(part["error"]) for part in parts), interval, *spread))
        at_high = [part["high_reliability"] for part in parts]
        sure.append((name, *(f"{percent(p['error'])} ({percent(p['share'])})" for p in at_high)))
        shown = [m.show(1 - row[m.name] if m.complement else row[m.name]) for m in further]
        others.append((name, *shown, f"{row['undecided']:,}"))
    over_folds = ["over folds"] if folds else []
    made = [
        Table("Error %", ("method", *cells, "all", "95 % interval", *over_folds), tuple(errors)),
        Table(
            "At high reliability: error % (share of the pairs %)",
            ("method", *cells, "all"),
            tuple(sure),
        ),
        Table(
            "Further measures",
            ("method", *(measure.heading for measure in further), "undecided"),
            tuple(others),
        ),
    ]
    if comparison["difference_to_best"]:
        title = f"More errors than {next(iter(methods))}, in points"
        differences = [
            (name, percent(row["value"]), _interval(row), _p_value(row["p"]))
            for name, row in comparison["difference_to_best"].items()
        ]
        head = ("method", "difference", "95 % interval", "p")
        made.append(Table(title, head, tuple(differences)))
    return made


def _interval(row: Row) -> str:
    return f"{percent(row['low'])} to {percent(row['high'])}"


def _p_value(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def as_text(comparison: Row) -> str:
    """Tables with aligned columns, for a terminal."""
    return "\n\n".join(
        f"{table.title}\n{aligned([table.head, *table.rows])}" for table in tables(comparison)
    )


def as_markdown(comparison: Row) -> str:
    """Tables as Markdown, with bars in their cells escaped."""
    parts = []
    for table in tables(comparison):
        rows = [[cell.replace("|", r"\|") for cell in row] for row in table.rows]
        parts.append(f"**{table.title}**\n\n{markdown_table(table.head, rows)}")
    return "\n\n".join(parts)


def as_latex(comparison: Row) -> str:
    """Tables as LaTeX."""
    return "\n\n".join(_latex(table) for table in tables(comparison))


def as_html(comparison: Row) -> str:
    """Tables as one page."""
    template = environment("adhominem.laboratory.report").get_template("comparison.html.jinja")
    return template.render(tables=tables(comparison)) + "\n"


FORMS: dict[str, Callable[[Row], str]] = {
    "text": as_text,
    "markdown": as_markdown,
    "latex": as_latex,
    "html": as_html,
}


def aligned(rows: Iterable[Sequence[str]]) -> str:
    """A table whose first column, of names, is aligned to the left, the others to the right."""
    rows = [tuple(map(visible, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if i else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


_LATEX = r"""\begin{table}
\caption{%s}
\begin{tabular}{l%s}
\hline
%s
\hline
%s
\hline
\end{tabular}
\end{table}"""


def _latex(table: Table) -> str:
    head, *rows = (
        " & ".join(map(_escape_latex, row)) + r" \\" for row in (table.head, *table.rows)
    )
    numbers = "r" * (len(table.head) - 1)
    return _LATEX % (_escape_latex(table.title), numbers, head, "\n".join(rows))


def _escape_latex(text: str) -> str:
    signs = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    signs |= {sign: f"\\{sign}" for sign in "&%$#_{}"}
    return "".join(signs.get(char, char) for char in text)


_OF_RANKINGS = ("sufficiency", "sign_agreement")
_REMOVED: Columns = (
    ("words ranked by", "{ranking}"),
    ("taken away", "{removal}"),
    ("comprehensiveness", "{value:.2f}"),
    ("times random (95 %)", lambda row: INTERVAL.format_map(row["to_random"])),
    ("above the same frequency (95 %)", lambda row: INTERVAL.format_map(row["above_matched"])),
    ("sufficiency", lambda row: f"{kept['value']:.2f}" if (kept := row["sufficiency"]) else "-"),
    ("sign agreement %", lambda row: percent((row["sign_agreement"] or {}).get("value"))),
)
_SWAPPED: Columns = (
    ("verdict", "{verdict}"),
    ("sentences put in are of the", "{by}"),
    ("pairs", "{pairs:,}"),
    ("lost with the sentences named", "{named[value]:.2f}"),
    ("with random ones", "{random[value]:.2f}"),
    ("difference (95 %)", lambda row: INTERVAL.format_map(row["above_random"])),
)


def faithfulness_table(report: Row) -> str:
    """Three tables: words taken away by each ranking, sanity, and sentences swapped."""
    rows = [
        {"ranking": ranking, "removal": removal, **own}
        | {name: report[name].get(removal, {}).get(ranking) for name in _OF_RANKINGS}
        for removal, rankings in report["comprehensiveness"].items()
        for ranking, own in rankings.items()
    ]
    sanity = [[ranking, INTERVAL.format_map(value)] for ranking, value in report["sanity"].items()]
    tables = [
        column_table(_REMOVED, rows),
        markdown_table(["words ranked by", "correlation with a random network (95 %)"], sanity),
        column_table(_SWAPPED, report["swaps"]) if report["swaps"] else "",
    ]
    return "\n\n".join(tables).rstrip()


_FILES: Columns = (
    ("pairs of texts", "{name}"),
    ("number", "{pairs:,}"),
    ("error %", lambda row: percent(row["error"])),
    ("one author", lambda row: percent(row["error_by_truth"]["same_author"])),
    ("two authors", lambda row: percent(row["error_by_truth"]["different_authors"])),
    ("undecided %", lambda row: f"{100 * row['undecided'] / max(row['pairs'], 1):.1f}"),
)
_EDITS: Columns = (
    ("edit of the left text", "{kind}"),
    ("pairs edited", "{edited:,} of {pairs:,}"),
    ("edits in each", "{edits:.1f}"),
    ("error % before", "{error_before:.2%}"),
    ("after", "{error:.2%}"),
    ("verdicts moved %", "{moved:.2%}"),
    ("log10 LR, one author", lambda row: _change(row["same"])),
    ("two authors", lambda row: _change(row["different"])),
)


def robustness_text(report: Row) -> str:
    """A table of all files, and a table of edits for each."""
    parts = [column_table(_FILES, report["files"])]
    for one in report["files"]:
        parts += [f"{one['name']}, edited:", column_table(_EDITS, one["edits"])]
    return "\n\n".join([*parts, "The last two columns are mean changes over the edited pairs."])


def _change(value: float | None) -> str:
    return "-" if value is None else signed(value, 3)
