"""An evaluation as a table, and a comparison of methods as the paper's two tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from adhominem.instrument.report.plain_text import markdown_table, visible
from adhominem.laboratory.evaluation.measures import (
    AUC,
    BRIER,
    CLLR,
    ERROR,
    MEASURES,
    Measure,
    percent,
)


def evaluation_table(report: Mapping[str, Any]) -> str:
    """Error by cell, further measures and intervals, as Markdown for terminals and pages."""
    head = [
        *("pairs (a: same author, c: same topic)", "number", "error %"),
        *("at high reliability: share %", "error %"),
    ]
    rows = [
        [
            name,
            str(part["pairs"]),
            ERROR.show(part["error"]),
            percent(part["high_reliability"]["share"]),
            percent(part["high_reliability"]["error"]),
        ]
        for name, part in [("all", report), *report["cells"].items()]
    ]
    values = [f"{m.title} {m.show(report[m.name])}" for m in (AUC, CLLR, BRIER)]
    lines = [
        markdown_table(head, rows),
        "",
        f"{', '.join(values)}, {report['undecided']} undecided.",
    ]
    if "intervals" in report:
        shown = [_bounds(m, report["intervals"][m.name]) for m in MEASURES if m.weighted]
        lines.append(f"95 % intervals, authors drawn anew: {', '.join(shown)}.")
    if "hard_half" in report:
        hard = report["hard_half"]
        lines.append(
            f"Hard half (same author on another topic, different authors on the same): "
            f"error {ERROR.show(hard['error'])} %, AUC {AUC.show(hard['auc'])}."
        )
    return "\n".join(lines)


def _bounds(measure: Measure, interval: Mapping[str, float | None]) -> str:
    low, high = measure.show(interval["low"]), measure.show(interval["high"])
    return f"{measure.title} {low} to {high}" + (" %" if measure.percent else "")


@dataclass(frozen=True, slots=True)
class Table:
    """A titled table of text; the first column holds names, the others numbers."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def tables(comparison: Mapping[str, Any]) -> list[Table]:
    """Table I (error per cell), Table II (at high reliability), further measures, differences."""
    cells, methods = list(comparison["cells"]), comparison["methods"]
    folds = all("folds" in row for row in methods.values())
    further = MEASURES[1:]
    made = [
        Table(
            "Error %",
            ("method", *cells, "all", "95 % interval", *(["over folds"] if folds else [])),
            tuple(
                (
                    name,
                    *(ERROR.show(row["cells"][cell]["error"]) for cell in cells),
                    ERROR.show(row["error"]),
                    _interval(row["intervals"]["error"]),
                    *([f"± {percent(row['folds']['deviation'])}"] if folds else []),
                )
                for name, row in methods.items()
            ),
        ),
        Table(
            "At high reliability: error % (share of the pairs %)",
            ("method", *cells, "all"),
            tuple(
                (
                    name,
                    *(_sure(row["cells"][cell]["high_reliability"]) for cell in cells),
                    _sure(row["high_reliability"]),
                )
                for name, row in methods.items()
            ),
        ),
        Table(
            "Further measures",
            ("method", *(measure.heading for measure in further), "undecided"),
            tuple(
                (name, *(_value(m, row[m.name]) for m in further), f"{row['undecided']:,}")
                for name, row in methods.items()
            ),
        ),
    ]
    if comparison["difference_to_best"]:
        best = next(iter(methods))
        made.append(
            Table(
                f"More errors than {best}, in points",
                ("method", "difference", "95 % interval", "p"),
                tuple(
                    (
                        name,
                        percent(row["value"]),
                        _interval(row),
                        "< 0.001" if row["p"] < 0.001 else f"{row['p']:.3f}",
                    )
                    for name, row in comparison["difference_to_best"].items()
                ),
            )
        )
    return made


def interval_cell(interval: Mapping[str, float]) -> str:
    """A value with its bounds, as a cell of a table."""
    return f"{interval['value']:.2f} ({interval['low']:.2f} to {interval['high']:.2f})"


def _value(measure: Measure, value: float | None) -> str:
    shown = 1 - value if measure.complement and value is not None else value
    return measure.show(shown)


def _sure(part: Mapping[str, float | None]) -> str:
    return f"{percent(part['error'])} ({percent(part['share'])})"


def _interval(row: Mapping[str, float | None]) -> str:
    return f"{percent(row['low'])} to {percent(row['high'])}"


def as_text(comparison: Mapping[str, Any]) -> str:
    """Tables with aligned columns, for a terminal."""
    return "\n\n".join(f"{table.title}\n{_aligned(table)}" for table in tables(comparison))


def as_markdown(comparison: Mapping[str, Any]) -> str:
    """Tables as Markdown."""
    return "\n\n".join(f"**{table.title}**\n\n{markdown(table)}" for table in tables(comparison))


def as_latex(comparison: Mapping[str, Any]) -> str:
    """Tables as LaTeX."""
    return "\n\n".join(_latex(table) for table in tables(comparison))


def as_html(comparison: Mapping[str, Any]) -> str:
    """Tables as one page."""
    parts = []
    for table in tables(comparison):
        head = "".join(f"<th>{escape(cell)}</th>" for cell in table.head)
        rows = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
            for row in table.rows
        )
        parts.append(
            f"<h2>{escape(table.title)}</h2><table><thead><tr>{head}</tr></thead>"
            f"<tbody>{rows}</tbody></table>"
        )
    return _PAGE.format(body="\n".join(parts))


FORMS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "text": as_text,
    "markdown": as_markdown,
    "latex": as_latex,
    "html": as_html,
}

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Comparison</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>
body {{ font: 1rem/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; }}
table {{ border-collapse: collapse; margin-bottom: 2rem; font-variant-numeric: tabular-nums; }}
th, td {{ padding: .3rem .9rem .3rem 0; border-bottom: 1px solid #ddd; text-align: right; }}
th:first-child, td:first-child {{ text-align: left; }}
</style></head><body>
{body}
</body></html>
"""


def markdown(table: Table) -> str:
    """The table as Markdown, with bars in its cells escaped."""
    rows = [[cell.replace("|", r"\|") for cell in row] for row in table.rows]
    return markdown_table(table.head, rows)


def _aligned(table: Table) -> str:
    rows = [tuple(map(visible, row)) for row in (table.head, *table.rows)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(table.head))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _latex(table: Table) -> str:
    def line(cells: Sequence[str]) -> str:
        return " & ".join(_escape_latex(cell) for cell in cells) + r" \\"

    return "\n".join(
        [
            r"\begin{table}",
            rf"\caption{{{_escape_latex(table.title)}}}",
            rf"\begin{{tabular}}{{l{'r' * (len(table.head) - 1)}}}",
            r"\hline",
            line(table.head),
            r"\hline",
            *(line(row) for row in table.rows),
            r"\hline",
            r"\end{tabular}",
            r"\end{table}",
        ]
    )


def _escape_latex(text: str) -> str:
    signs = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    signs |= {sign: f"\\{sign}" for sign in "&%$#_{}"}
    return "".join(signs.get(char, char) for char in text)
