"""One explanation, or one what-if result, in the form that its reader needs."""

from __future__ import annotations

from adhominem.instrument.explain.whatif import WhatIf
from adhominem.instrument.report.cover import Cover
from adhominem.records import Explanation

FORMS = ("html", "terminal", "text", "json")
WHAT_IF_FORMS = ("html", "text", "json")


def render(explanation: Explanation, *, form: str = "html", cover: Cover = Cover()) -> str:
    """The report: a page, coloured or plain text for a terminal, or JSON. The cover is for a page
    and for JSON.

    >>> explanation = adhominem.load().explain_texts("Too short.", "To be judged.")
    >>> render(explanation, form="html")[:15]
    '<!doctype html>'
    """
    from adhominem.instrument.report import as_json, html, terminal

    _check(form, FORMS)
    if form == "html":
        return html.html_page(explanation, cover)
    if form == "json":
        return as_json.json_text(as_json.explanation_dict(explanation, cover)) + "\n"
    return terminal.terminal_text(explanation, colour=form == "terminal")


def render_what_if(result: WhatIf, *, form: str = "text") -> str:
    """The verdict before and after edits: a page, text for a terminal, or JSON."""
    from adhominem.instrument.report import as_json, html, whatif

    _check(form, WHAT_IF_FORMS)
    if form == "html":
        return html.what_if_page(result)
    if form == "json":
        return as_json.json_text(as_json.what_if_dict(result))
    return whatif.what_if_text(result)


def _check(form: str, allowed: tuple[str, ...]) -> None:
    if form not in allowed:
        raise ValueError(f"unknown form {form!r}; allowed are {', '.join(map(repr, allowed))}")
