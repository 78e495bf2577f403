"""One explanation, or one what-if result, in the form that its reader needs."""

from __future__ import annotations

import json

from adhominem.instrument.explain.whatif import WhatIf
from adhominem.records import Explanation

FORMS = ("html", "terminal", "text", "json")
WHAT_IF_FORMS = ("html", "text", "json")


def render(explanation: Explanation, *, form: str = "html") -> str:
    """The report: a page, coloured or plain text for a terminal, or JSON."""
    _check(form, FORMS)
    if form == "html":
        from adhominem.instrument.report.html import html_page

        return html_page(explanation)
    if form == "json":
        from adhominem.instrument.report.as_json import json_text

        return json_text(explanation)
    from adhominem.instrument.report.terminal import terminal_text

    return terminal_text(explanation, colour=form == "terminal")


def render_what_if(result: WhatIf, *, form: str = "text") -> str:
    """The verdict before and after edits: a page, text for a terminal, or JSON."""
    _check(form, WHAT_IF_FORMS)
    if form == "html":
        from adhominem.instrument.report.html import what_if_page

        return what_if_page(result)
    if form == "json":
        from adhominem.instrument.report.as_json import what_if_dict

        return json.dumps(what_if_dict(result), indent=2, allow_nan=False)
    from adhominem.instrument.report.whatif import what_if_text

    return what_if_text(result)


def _check(form: str, allowed: tuple[str, ...]) -> None:
    if form not in allowed:
        raise ValueError(f"unknown form {form!r}; allowed are {', '.join(map(repr, allowed))}")
