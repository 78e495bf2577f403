"""The two examples of section IV-F, told again with invented reviews and the shipped model.

The texts of the paper's figures are not published with it, so the distances are our own; what is
tested is the wording, the category of what is edited and that both answers are told.
"""

from __future__ import annotations

import pytest

import adhominem
from adhominem.instrument.explain.whatif import attack, what_if
from adhominem.instrument.linguistics.habits import find_habits
from adhominem.instrument.linguistics.rewrites import find_edits, replacements, rewrite
from adhominem.instrument.report.render import render_what_if
from adhominem.instrument.verifier import Verifier
from adhominem.records import Verdict

# Differential: as in the paper, the third sentence has "cuz" and "w/".
CORRECTED = (
    "I never thought I would write a review for a garden hose (yes, really!) but here we are. The "
    "old one split after a single summer, and the shop would not take it back. I bought this one "
    "cuz it came w/ a proper brass nozzle, and so far it has not leaked once. My neighbour (the "
    "man with the perfect lawn) asked me twice where I got it. It is heavy, it kinks if you pull "
    "it round a corner, and the green is uglier than on the picture. Still, it does what a hose "
    "should do, and for that price I will not complain. Buy the long one, you will need it."
)
OTHER = (
    "Four stars, since nobody is perfect (not even the postman). The lamp came in a box that was "
    "three times too large, and the instructions were written by somebody who has never seen a "
    "lamp. I put it together in ten minutes without them. The light is warm, the switch is where "
    "you would look for it, and my cat (a difficult customer) sleeps under it every night. What I "
    "do not like is the cable: too short, too white and too stiff. You will need an extension. "
    "Would I buy it again? Probably, but I would wait for a sale, and so should you."
)
# Adversarial: a short review whose author writes & for and.
AMPERSANDS = (
    "Love these knives & the block they come in. Sharp, light & easy to clean. I use the small one "
    "for fruit & the big one for everything else. My sister wanted a set & now she has one. Washed "
    "them by hand & they still look new."
)
AMPERSANDS_TOO = (
    "Great little radio & a good price. The sound is clear & loud enough for the kitchen. I took "
    "it camping & it got wet & still works. Batteries last for weeks & are easy to find. Get it & "
    "you will be happy."
)


@pytest.fixture(scope="module")
def shipped() -> Verifier:
    return adhominem.load()


def categories(text: str) -> dict[str, tuple[str, str | None]]:
    return {hit.surface: (hit.category, hit.intended) for hit in find_habits(text).hits}


def test_differential_example(shipped: Verifier) -> None:
    found = categories(CORRECTED)
    assert found["cuz"] == ("alternative spelling", "because")
    assert found["w/"] == ("unusual abbreviation", "with")
    edits = replacements(CORRECTED, {"cuz": "because", "w/": "with"})
    after = rewrite(CORRECTED, edits).text
    assert "because it came with a proper brass nozzle" in after
    assert not {"cuz", "w/"} & set(categories(after))
    answer = what_if(shipped, CORRECTED, OTHER, edits, "left")
    before, later = answer.before.decision, answer.after.decision
    assert before.distance is not None and later.distance is not None
    assert before.distance != later.distance
    assert before.verdict is later.verdict  # two words of a hundred and thirty do not decide
    for effect in answer.effects:
        assert effect.after.words < effect.before.words  # as in the paper's figure
    told = render_what_if(answer, form="text")
    assert f"{before.distance:.3f}  ->  {later.distance:.3f}" in told
    assert "replacement: cuz -> because" in told


def test_adversarial_example(shipped: Verifier) -> None:
    assert categories(AMPERSANDS)["&"] == ("special character", None)
    edits = [edit for edit in find_edits(AMPERSANDS) if edit.old == "&"]
    assert {(edit.kind, edit.new) for edit in edits} == {("sign", "and")}
    after = rewrite(AMPERSANDS, edits).text
    assert "&" not in categories(after)
    answer = what_if(shipped, AMPERSANDS, AMPERSANDS_TOO, edits, "left")
    before, later = answer.before.decision, answer.after.decision
    # Without the habit that they share they look less alike: a misclassification, as in the paper.
    assert (before.verdict, later.verdict) == (Verdict.SAME, Verdict.DIFFERENT)
    assert before.distance is not None and later.distance is not None
    assert later.distance > before.distance
    assert all(effect.after.words < effect.before.words for effect in answer.effects)


def test_the_machine_finds_such_an_example_by_itself(shipped: Verifier) -> None:
    answer = attack(shipped, AMPERSANDS, AMPERSANDS_TOO, side="left", budget=6)
    assert 0 < len(answer.effects) <= 6
    assert answer.before.decision.verdict is Verdict.SAME
    assert answer.after.decision.verdict is Verdict.DIFFERENT
    assert "sign" in {effect.edit.kind for effect in answer.effects}
