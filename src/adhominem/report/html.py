"""The report as one self-contained page: no script, nothing from outside, everything escaped."""

from __future__ import annotations

import re
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from adhominem.records import Explanation
from adhominem.report import palette, wording
from adhominem.report.heatmap import side
from adhominem.report.scale import ATTENTION, TERMS, check_method, distance_scale

_UNSHOWABLE = re.compile("[\x00\ud800-\udfff]")  # HTML has no NUL, UTF-8 no lone surrogate


def html_page(explanation: Explanation) -> str:
    check_method(explanation)
    decision, method = explanation.decision, explanation.method
    page = (
        environment()
        .get_template("template.html.jinja")
        .render(
            attention=method == ATTENTION,
            terms=method == TERMS,
            decision=decision,
            scale=distance_scale(decision),
            verdict=wording.verdict_words(decision.verdict),
            score=wording.score_words(decision.score),
            llr=wording.signed(decision.llr),
            support=wording.support_words(decision.llr),
            ratio=wording.ratio_words(decision.llr),
            reliability=wording.reliability_words(decision),
            sides=(
                side("Left text", explanation.left, decision.left, method),
                side("Right text", explanation.right, decision.right, method),
            ),
        )
    )
    return showable(page)


def showable(page: str) -> str:
    """Without what no page can hold."""
    return _UNSHOWABLE.sub("\N{REPLACEMENT CHARACTER}", page)


@cache
def environment() -> Environment:
    made = Environment(
        loader=PackageLoader("adhominem.report", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(light=palette.LIGHT, dark=palette.DARK)
    made.filters["weight"] = lambda weight: wording.weight_words(weight, sign=False)
    return made
