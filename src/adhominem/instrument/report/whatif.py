"""A verdict before and after edits, in words and rows."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from adhominem.instrument.explain.whatif import WhatIf
from adhominem.instrument.report import wording
from adhominem.instrument.report.layout import Context, in_context
from adhominem.records import Decision


@dataclass(frozen=True, slots=True)
class EditRow:
    """An edit in context, and the weights of its words and sentence before and after."""

    kind: str
    context: Context
    new: str
    words: tuple[str, str]
    sentence: tuple[str, str]


def headline(result: WhatIf) -> str:
    """The result in a sentence."""
    n_edits = len(result.effects)
    edits = "1 edit" if n_edits == 1 else f"{n_edits} edits"
    text = f"the {wording.SIDES[result.side]} text"
    if result.has_moved:
        return f"The verdict moves with {edits} of {text}"
    if result.budget is None:
        return f"The verdict stays after {edits} of {text}"
    if not n_edits:
        return f"No edit of {text} weakens the verdict"
    return f"Undoing at most {result.budget} habits of {text} was not found to move the verdict"


def search_words(result: WhatIf) -> str:
    if result.budget is None:
        return ""
    tried = f"Found by trying {result.n_tried:,} rewritten texts"
    return f"{tried}, undoing at most {result.budget} habits by edits that keep the meaning."


def facts(decision: Decision) -> dict[str, str]:
    """The properties of an answer that are compared before and after."""
    return {
        "verdict": wording.verdict_words(decision),
        "log10 LR": wording.signed(decision.llr),
        "evidence": wording.support_words(decision.llr),
        "score": wording.score_words(decision.score),
        "distance": "-" if decision.distance is None else f"{decision.distance:.3f}",
        "reliability": "high" if decision.reliable else "low",
    }


def edit_rows(result: WhatIf) -> Iterator[EditRow]:
    text = getattr(result.before, result.side)[result.index].text
    weight = partial(wording.weight_words, sign=result.before.method != "attention")
    for effect in result.effects:
        edit, before, after = effect.edit, effect.before, effect.after
        context = in_context(text, edit.start, edit.end, around=25)
        words = weight(before.words), weight(after.words)
        sentence = weight(before.sentence), weight(after.sentence)
        yield EditRow(edit.kind, context, edit.new, words, sentence)
