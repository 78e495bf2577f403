"""Answers in a notebook: a page in a frame of its own, so that its style stays inside."""

from __future__ import annotations

from markupsafe import Markup

from adhominem.instrument.evidence.attribution import Ranking
from adhominem.instrument.report import html
from adhominem.instrument.report.candidates import ranking_text
from adhominem.records import Decision, Explanation

_FRAME = Markup(
    '<iframe title="Authorship verification" srcdoc="{}" sandbox width="100%" height="{}" '
    'style="border: 0"></iframe>'
)


def record_html(record: object) -> str:
    """The card of a decision, the report of an explanation, or the list of a ranking."""
    match record:
        case Decision():
            return _FRAME.format(f"<style>{html.style_sheet()}</style>{html.result(record)}", 420)
        case Explanation():
            return _FRAME.format(html.html_page(record), 800)
        case Ranking():
            return Markup("<pre>{}</pre>").format(ranking_text(record))
    raise TypeError(f"a {type(record).__name__} has no page")
