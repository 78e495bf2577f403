"""Answers as plain values, and as frames for a notebook, in which their style stays."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from adhominem.instrument.evidence.attribution import Ranking
from adhominem.instrument.report import as_json, html
from adhominem.instrument.report.candidates import ranking_text
from adhominem.records import Decision, Explanation

_DICTS: dict[type, Any] = {
    Decision: as_json.decision_dict,
    Explanation: as_json.explanation_dict,
    Ranking: as_json.ranking_dict,
}
_FRAME = '<iframe srcdoc="{}" sandbox width="100%" height="{}" style="border: 0"></iframe>'


def to_dict(answer: object) -> dict[str, Any]:
    content: dict[str, Any] = _DICTS[type(answer)](answer)
    return content


def to_html(answer: object) -> str:
    """The report of an explanation, the card of a decision, the list of a ranking."""
    if isinstance(answer, Explanation):
        return Markup(_FRAME).format(html.html_page(answer), 800)
    if isinstance(answer, Ranking):
        return Markup("<pre>{}</pre>").format(ranking_text(answer))
    assert isinstance(answer, Decision)
    return Markup(_FRAME).format(f"<style>{html.style_sheet()}</style>{html.result(answer)}", 420)
