"""A verdict before and after edits: as a page, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from adhominem import __version__
from adhominem.instrument.explain.whatif import Effect, WhatIf
from adhominem.instrument.linguistics.categories import CATEGORIES
from adhominem.instrument.linguistics.findings import SideHabits
from adhominem.instrument.linguistics.habits import find_habits
from adhominem.instrument.report import wording
from adhominem.instrument.report.as_json import decision_dict
from adhominem.instrument.report.audit import audit_trail
from adhominem.instrument.report.concordance import Context, in_context
from adhominem.instrument.report.heatmap import Side, side
from adhominem.instrument.report.html import environment, showable
from adhominem.instrument.report.scale import ATTENTION, check_method
from adhominem.instrument.report.visible import visible
from adhominem.records import Decision, Explanation

FORMS = ("html", "text", "json")
_NUMBERS = {category.name: number for number, category in enumerate(CATEGORIES, 1)}


@dataclass(frozen=True, slots=True)
class EditRow:
    kind: str
    context: Context
    new: str
    words: tuple[str, str]
    sentence: tuple[str, str]


def render_what_if(found: WhatIf, *, form: str = "text") -> str:
    if form == "html":
        return _page(found)
    if form == "json":
        return json.dumps(what_if_dict(found), indent=2, allow_nan=False)
    if form == "text":
        return "\n".join(_lines(found))
    raise ValueError(f"unknown form {form!r}; allowed are {', '.join(map(repr, FORMS))}")


def what_if_dict(found: WhatIf) -> dict[str, Any]:
    return {
        "side": found.side,
        "moved": found.has_moved,
        "budget": found.budget,
        "tried": found.n_tried,
        "edits": [
            {**asdict(one.edit), "before": asdict(one.before), "after": asdict(one.after)}
            for one in found.effects
        ],
        "before": decision_dict(found.before.decision),
        "after": decision_dict(found.after.decision),
        "text": getattr(found.after, found.side)[found.index].text,
    }


def headline(found: WhatIf) -> str:
    """What came of it, in a sentence."""
    n_edits = len(found.effects)
    edits = "1 edit" if n_edits == 1 else f"{n_edits} edits"
    if found.has_moved:
        return f"The verdict moves with {edits} of the {found.side} text"
    if found.budget is None:
        return f"The verdict stays after {edits} of the {found.side} text"
    if not n_edits:
        return f"No edit of the {found.side} text weakens the verdict"
    return f"No set of at most {found.budget} edits of the {found.side} text was found to move it"


def facts(found: WhatIf) -> tuple[tuple[str, str, str], ...]:
    """Name, before and after."""
    before, after = (_facts(one.decision) for one in (found.before, found.after))
    return tuple((name, before[name], after[name]) for name in before)


def _facts(decision: Decision) -> dict[str, str]:
    distance = decision.distance
    return {
        "verdict": wording.verdict_words(decision.verdict),
        "log10 LR": wording.signed(decision.llr),
        "evidence": wording.support_words(decision.llr),
        "score": wording.score_words(decision.score),
        "distance": "-" if distance is None else f"{distance:.3f}",
        "reliability": "high" if decision.reliable else "low",
    }


def _rows(found: WhatIf) -> Iterator[EditRow]:
    text = getattr(found.before, found.side)[found.index].text
    for one in found.effects:
        yield EditRow(
            kind=one.edit.kind,
            context=in_context(text, one.edit.start, one.edit.end, around=25),
            new=one.edit.new,
            words=_pair(one, "words", found.before.method),
            sentence=_pair(one, "sentence", found.before.method),
        )


def _pair(one: Effect, name: str, method: str) -> tuple[str, str]:
    weights = (getattr(one.before, name), getattr(one.after, name))
    before, after = (wording.weight_words(weight, sign=method != ATTENTION) for weight in weights)
    return before, after


def _lines(found: WhatIf) -> Iterator[str]:
    yield headline(found)
    yield ""
    for name, before, after in facts(found):
        yield f"{name:12} {before}" + ("" if before == after else f"  ->  {after}")
    if found.n_tried is not None:
        yield f"{'tried':12} {found.n_tried:,} rewritten texts"
    for row in _rows(found):
        old = f"{visible(row.context.before)}[{visible(row.context.own)}]"
        yield ""
        yield f"{old}{visible(row.context.after)}"
        yield f"  {row.kind}: {visible(row.context.own)} -> {visible(row.new)}"
        yield (
            f"  weight of the words {row.words[0]} -> {row.words[1]}, "
            f"of the sentence {row.sentence[0]} -> {row.sentence[1]}"
        )


def _page(found: WhatIf) -> str:
    check_method(found.before)
    sides = (_side("Before", found.before, found), _side("After", found.after, found))
    page = (
        environment()
        .get_template("whatif.html.jinja")
        .render(
            headline=headline(found),
            attention=found.before.method == ATTENTION,
            facts=facts(found),
            rows=tuple(_rows(found)),
            searched=found.budget is not None,
            budget=found.budget,
            tried=found.n_tried,
            signed=any(side.scales.signed is not None for side in sides),
            sides=sides,
            audit=audit_trail(found.before),
            version=__version__,
        )
    )
    return showable(page)


def _side(name: str, explanation: Explanation, found: WhatIf) -> Side:
    texts = getattr(explanation, found.side)
    reading = getattr(explanation.decision, found.side)
    habits = SideHabits(
        tuple(text.text for text in texts), tuple(find_habits(text.text) for text in texts)
    )
    return side(name, texts, reading, explanation.method, habits, _NUMBERS)
