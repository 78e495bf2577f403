"""A comparison of methods as the paper's two tables: text, Markdown, LaTeX and HTML."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from adhominem.instrument.report.plain_text import visible


@dataclass(frozen=True, slots=True)
class Table:
    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def tables(comparison: Mapping[str, Any]) -> list[Table]:
    """Table I (error per cell), Table II (at high reliability), further measures, differences."""
    cells = list(comparison["cells"])
    methods = comparison["methods"]
    folds = all("folds" in row for row in methods.values())
    found = [
        Table(
            "Error %",
            ("method", *cells, "all", "95 % interval", *(["over folds"] if folds else [])),
            tuple(
                (
                    name,
                    *(_percent(row["cells"][cell]["error"]) for cell in cells),
                    _percent(row["error"]),
                    _interval(row["intervals"]["error"], _percent),
                    *([f"± {_percent(row['folds']['deviation'])}"] if folds else []),
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
            (
                *("method", "AUC", "EER %", "c@1", "F0.5u", "F1", "Brier", "PAN mean"),
                *("Cllr", "Cllr min", "ECE", "undecided"),
            ),
            tuple(
                (
                    name,
                    _three(row["auc"]),
                    _percent(row["eer"]),
                    *(_three(row[key]) for key in ("c_at_1", "f_05_u", "f_1")),
                    _three(1 - row["brier"]),
                    *(_three(row[key]) for key in ("pan_mean", "cllr", "cllr_min", "ece")),
                    f"{row['undecided']:,}",
                )
                for name, row in methods.items()
            ),
        ),
    ]
    if comparison["difference_to_best"]:
        best = next(iter(methods))
        found.append(
            Table(
                f"More errors than {best}, in points",
                ("method", "difference", "95 % interval", "p"),
                tuple(
                    (
                        name,
                        _percent(row["value"]),
                        _interval(row, _percent),
                        "< 0.001" if row["p"] < 0.001 else f"{row['p']:.3f}",
                    )
                    for name, row in comparison["difference_to_best"].items()
                ),
            )
        )
    return found


def as_text(comparison: Mapping[str, Any]) -> str:
    return "\n\n".join(f"{table.title}\n{_aligned(table)}" for table in tables(comparison))


def as_markdown(comparison: Mapping[str, Any]) -> str:
    return "\n\n".join(f"**{table.title}**\n\n{markdown(table)}" for table in tables(comparison))


def as_latex(comparison: Mapping[str, Any]) -> str:
    return "\n\n".join(_latex(table) for table in tables(comparison))


def as_html(comparison: Mapping[str, Any]) -> str:
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
    lines = [
        "| " + " | ".join(table.head) + " |",
        "|---" + "|--:" * (len(table.head) - 1) + "|",
        *("| " + " | ".join(cell.replace("|", r"\|") for cell in row) + " |" for row in table.rows),
    ]
    return "\n".join(lines)


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


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.2f}"


def _three(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _sure(part: Mapping[str, float | None]) -> str:
    return f"{_percent(part['error'])} ({_percent(part['share'])})"


def _interval(row: Mapping[str, float], form: Callable[[float | None], str]) -> str:
    return f"{form(row['low'])} to {form(row['high'])}"
