"""Words and table rows about a verdict before and after edits."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from adhominem.instrument.explain.whatif import WhatIf
from adhominem.instrument.report import wording
from adhominem.instrument.report.layout import in_context
from adhominem.records import Decision


def headline(result: WhatIf) -> str:
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
    habits = f"undoing at most {result.budget} habits by edits that keep the meaning"
    return f"Found by trying {result.n_tried:,} rewritten texts, {habits}."


def facts(decision: Decision) -> dict[str, str]:
    """The properties of a decision that are compared before and after."""
    return {
        "verdict": wording.verdict_words(decision),
        "log10 LR": wording.signed(decision.llr),
        "evidence": wording.support_words(decision.llr),
        "score": wording.score_words(decision.score),
        "distance": "-" if decision.distance is None else f"{decision.distance:.3f}",
        "reliability": "high" if decision.reliable else "low",
    }


def edit_rows(result: WhatIf) -> Iterator[dict[str, Any]]:
    """Each edit in context, with the weights of its words and sentence before and after."""
    text = getattr(result.before, result.side)[result.index].text
    weight = partial(wording.weight_words, sign=result.before.method != "attention")
    for effect in result.effects:
        yield {
            "kind": effect.edit.kind,
            "context": in_context(text, effect.edit.start, effect.edit.end, around=25),
            "new": effect.edit.new,
            "words": (weight(effect.before.words), weight(effect.after.words)),
            "sentence": (weight(effect.before.sentence), weight(effect.after.sentence)),
        }
