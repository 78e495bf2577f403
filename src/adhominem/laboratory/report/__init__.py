"""Reports of measurements. Each is a template beside this file: Markdown, text, LaTeX or a page."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from jinja2 import Environment

from adhominem.instrument.report.html import environment
from adhominem.instrument.report.plain_text import markdown_code, visible
from adhominem.instrument.report.wording import signed
from adhominem.laboratory.evaluation.measures import MEASURES, percent

Row = Mapping[str, Any]


def render(name: str, /, **values: object) -> str:
    """The report with this name; a page is escaped, and other forms are not."""
    return _templates().get_template(f"{name}.jinja").render(values).strip("\n")


@cache
def _templates() -> Environment:
    made = environment("adhominem.laboratory.report")
    made = made.overlay(autoescape=lambda name: name is not None and ".html." in name)
    made.globals.update(measures={measure.name: measure for measure in MEASURES})
    made.filters.update(
        aligned=aligned,
        code=markdown_code,
        columns=columns,
        error_words=error_words,
        interval=interval,
        latex=escape_latex,
        percent=percent,
        signed=signed,
        visible=visible,
    )
    return made


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


def columns(rows: Sequence[tuple[str, str]]) -> str:
    """Names and values in two columns, both aligned to the left."""
    width = max((len(name) for name, _ in rows), default=0)
    return "\n".join(f"{name:{width}}  {value}" for name, value in rows)


def error_words(row: Mapping[str, float]) -> str:
    words = f"{row['value']:.1%} wrong (95% interval {row['low']:.1%} to {row['high']:.1%})"
    return f"{words}, {row['undecided']:.1%} undecided, of {row['pairs']:,}"


def interval(row: Mapping[str, float]) -> str:
    """A value with the ends of its interval."""
    return "{value:.2f} ({low:.2f} to {high:.2f})".format_map(row)


def escape_latex(text: str) -> str:
    signs = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    signs |= {sign: f"\\{sign}" for sign in "&%$#_{}"}
    return "".join(signs.get(char, char) for char in text)
