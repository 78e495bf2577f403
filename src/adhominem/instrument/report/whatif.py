"""A verdict before and after edits, in words and rows, and as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from adhominem.instrument.explain.whatif import Effect, WhatIf
from adhominem.instrument.report import wording
from adhominem.instrument.report.concordance import Context, in_context
from adhominem.instrument.report.layers import ATTENTION
from adhominem.instrument.report.plain_text import visible
from adhominem.records import Decision


@dataclass(frozen=True, slots=True)
class EditRow:
    """An edit in context, and the weights of its words and sentence before and after."""

    kind: str
    context: Context
    new: str
    words: tuple[str, str]
    sentence: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Fact:
    """A property of the answer before and after the edits."""

    name: str
    before: str
    after: str


def headline(result: WhatIf) -> str:
    """The result in a sentence."""
    n_edits = len(result.effects)
    edits = "1 edit" if n_edits == 1 else f"{n_edits} edits"
    if result.has_moved:
        return f"The verdict moves with {edits} of the {result.side} text"
    if result.budget is None:
        return f"The verdict stays after {edits} of the {result.side} text"
    if not n_edits:
        return f"No edit of the {result.side} text weakens the verdict"
    return f"No set of at most {result.budget} edits of the {result.side} text was found to move it"


def facts(result: WhatIf) -> tuple[Fact, ...]:
    before, after = (_facts(side.decision) for side in (result.before, result.after))
    return tuple(Fact(name, before[name], after[name]) for name in before)


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


def edit_rows(result: WhatIf) -> Iterator[EditRow]:
    text = getattr(result.before, result.side)[result.index].text
    for effect in result.effects:
        yield EditRow(
            kind=effect.edit.kind,
            context=in_context(text, effect.edit.start, effect.edit.end, around=25),
            new=effect.edit.new,
            words=_before_and_after(effect, "words", result.before.method),
            sentence=_before_and_after(effect, "sentence", result.before.method),
        )


def _before_and_after(effect: Effect, name: str, method: str) -> tuple[str, str]:
    weights = (getattr(effect.before, name), getattr(effect.after, name))
    before, after = (wording.weight_words(weight, sign=method != ATTENTION) for weight in weights)
    return before, after


def what_if_text(result: WhatIf) -> str:
    return "\n".join(_lines(result))


def _lines(result: WhatIf) -> Iterator[str]:
    yield headline(result)
    yield ""
    for fact in facts(result):
        change = "" if fact.before == fact.after else f"  ->  {fact.after}"
        yield f"{fact.name:12} {fact.before}{change}"
    if result.n_tried is not None:
        yield f"{'tried':12} {result.n_tried:,} rewritten texts"
    for row in edit_rows(result):
        before, own, after = map(visible, (row.context.before, row.context.own, row.context.after))
        yield ""
        yield f"{before}[{own}]{after}"
        yield f"  {row.kind}: {own} -> {visible(row.new)}"
        yield (
            f"  weight of the words {row.words[0]} -> {row.words[1]}, "
            f"of the sentence {row.sentence[0]} -> {row.sentence[1]}"
        )
