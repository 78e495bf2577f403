"""One explanation in the form that its reader needs."""

from __future__ import annotations

from adhominem.records import Explanation

FORMS = ("html", "terminal", "text", "json")


def render(explanation: Explanation, *, form: str = "html") -> str:
    """The report: a page, coloured or plain text for a terminal, or JSON."""
    if form == "html":
        from adhominem.instrument.report.html import html_page

        return html_page(explanation)
    if form in ("terminal", "text"):
        from adhominem.instrument.report.terminal import terminal_text

        return terminal_text(explanation, colour=form == "terminal")
    if form == "json":
        from adhominem.instrument.report.as_json import json_text

        return json_text(explanation)
    raise ValueError(f"unknown form {form!r}; allowed are {', '.join(map(repr, FORMS))}")
