"""The report as one self-contained page: no script, nothing from outside, everything escaped."""

from __future__ import annotations

import re
from functools import cache

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

from adhominem import __version__
from adhominem.instrument.report import palette, wording
from adhominem.instrument.report.audit import audit_trail
from adhominem.instrument.report.evidence_rows import finding_table
from adhominem.instrument.report.habit_report import carried_words, habit_report, reference_words
from adhominem.instrument.report.heatmap import side
from adhominem.instrument.report.scale import ATTENTION, TERMS, check_method, distance_scale
from adhominem.instrument.report.verbal_scale import verbal_scale
from adhominem.records import Explanation

_UNSHOWABLE = re.compile("[\x00\ud800-\udfff]")  # HTML has no NUL, UTF-8 no lone surrogate


def html_page(explanation: Explanation) -> str:
    check_method(explanation)
    decision, method = explanation.decision, explanation.method
    habits = habit_report(explanation)
    sides = (
        side("Left text", explanation.left, decision.left, method, habits.left, habits.numbers),
        side("Right text", explanation.right, decision.right, method, habits.right, habits.numbers),
    )
    page = (
        environment()
        .get_template("template.html.jinja")
        .render(
            attention=method == ATTENTION,
            terms=method == TERMS,
            signed=method == ATTENTION and any(side.scales.signed is not None for side in sides),
            contributions=explanation.contributions,
            faithfulness=wording.faithfulness_words(explanation),
            decision=decision,
            scale=distance_scale(decision),
            verbal_scale=verbal_scale(decision.llr),
            verdict=wording.verdict_words(decision.verdict),
            score=wording.score_words(decision.score),
            llr=wording.signed(decision.llr),
            support=wording.support_words(decision.llr),
            ratio=wording.ratio_words(decision.llr),
            reliability=wording.reliability_words(decision),
            track_record=wording.experience_words(decision),
            sides=sides,
            reference=reference_words(habits.reference),
            shared=finding_table(habits.evidence.shared, habits),
            distinctive=finding_table(habits.evidence.distinctive, habits),
            categories=habits.rows,
            habit_contributions=habits.has_contributions,
            carried=carried_words,
            experimental=any(row.category.experimental for row in habits.rows),
            absent=habits.absent,
            audit=audit_trail(explanation),
            version=__version__,
        )
    )
    return showable(page)


def showable(page: str) -> str:
    """Without what no page can hold."""
    return _UNSHOWABLE.sub("\N{REPLACEMENT CHARACTER}", page)


@cache
def environment(package: str = "adhominem.instrument.report") -> Environment:
    """Templates of a package, which may use those of the report."""
    packages = dict.fromkeys((package, "adhominem.instrument.report"))
    made = Environment(
        loader=ChoiceLoader([PackageLoader(name, ".") for name in packages]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(light=palette.LIGHT, dark=palette.DARK)
    made.filters["weight"] = lambda weight: wording.weight_words(weight, sign=False)
    return made
