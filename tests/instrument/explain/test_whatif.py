"""Edits and what they do, by a verifier that is simple enough to know the answer."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from toy_verifiers import ToyVerifier, n_words

from adhominem.errors import InputError
from adhominem.instrument.explain.whatif import attack, what_if
from adhominem.instrument.linguistics.rewrites import find_edits, replacements
from adhominem.laboratory.evaluation.robustness import measure_robustness
from adhominem.records import Decision, Pair, Reading, Verdict

FILLER = "One was so. Then two came. Nobody knew three. Four went home. It was five. So six it is. "
LEFT = "We came & saw & left, it was definately good!! Bread & butter. " + FILLER
RIGHT = "Tea & toast & jam & more, all of it good. " + "It was so, we said to them at noon. "


class CountsAmpersands(ToyVerifier):
    """One author where both sides have & and w/ about as often: each that one has more costs
    0.4."""

    kind = "ampersands"

    def decide(self, pairs: Sequence[Pair], *, distinct: bool = False) -> list[Decision]:
        del distinct
        return [self._one(pair) for pair in pairs]

    def _one(self, pair: Pair) -> Decision:
        counts = [
            sum(d.text.count("&") + d.text.count("w/") for d in side)
            for side in (pair.left, pair.right)
        ]
        llr = 1 - 0.4 * abs(counts[0] - counts[1])
        verdict = Verdict.SAME if llr > 0 else Verdict.DIFFERENT
        tokens = [n_words(side) for side in (pair.left, pair.right)]
        reasons = ("too short",) if min(tokens) < 5 else ()
        return Decision(
            Verdict.UNDECIDED if reasons else verdict,
            0.5 if reasons else 1 / (1 + 10**-llr),
            llr,
            False,
            reasons,
            Reading(tokens[0], 0),
            Reading(tokens[1], 0),
        )


VERIFIER = CountsAmpersands()


def test_replacements_before_and_after() -> None:
    found = what_if(VERIFIER, LEFT, RIGHT, replacements(LEFT, {"definately": "definitely"}), "left")
    assert not found.has_moved
    assert found.before.decision.llr == found.after.decision.llr
    assert found.after.left[0].text == LEFT.replace("definately", "definitely")
    assert found.after.right == found.before.right
    [effect] = found.effects
    assert (effect.edit.old, effect.edit.new) == ("definately", "definitely")
    both = what_if(VERIFIER, LEFT, RIGHT, replacements(RIGHT, {"&": "and"}), "right")
    assert both.has_moved
    assert [effect.before.words for effect in both.effects] == pytest.approx([-0.4] * 3)


@pytest.mark.parametrize("side", ["left", "right"])
def test_attack_finds_the_fewest_edits_and_no_needless_ones(side: str) -> None:
    found = attack(VERIFIER, LEFT, RIGHT, side=side, budget=10)
    assert found.has_moved
    assert [effect.edit.kind for effect in found.effects] == ["sign"] * 3
    assert found.n_tried is not None and found.n_tried <= 40


def test_a_single_needless_edit_of_a_habit_is_taken_back() -> None:
    text = "We came & saw & left & slept & ate. " + FILLER
    found = attack(VERIFIER, text, RIGHT + "salt & pepper", side="left", budget=10)
    assert found.has_moved
    assert [effect.edit.old for effect in found.effects] == ["&"] * 3


def test_different_authors_are_made_alike() -> None:
    plain = "It was so, we said to all of them at noon, and they did not answer us. "
    found = attack(VERIFIER, LEFT, plain, side="left", budget=10)
    assert found.before.decision.verdict is Verdict.DIFFERENT
    assert found.after.decision.verdict is Verdict.SAME
    assert [effect.edit.new for effect in found.effects] == ["and"]


def test_very_long_texts_are_tried_with_fewer_edits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adhominem.instrument.explain.whatif._MAX_CHARACTERS", 2 * len(LEFT))
    found = attack(VERIFIER, LEFT, RIGHT, side="left", budget=10)
    assert [effect.edit.start for effect in found.effects] == [8, 14]
    assert not found.has_moved


def test_budget_is_kept() -> None:
    text = "We came w/ tea & toast. " + FILLER
    for budget in (1, 2):
        found = attack(VERIFIER, text, "It was tea & toast, w/ jam.", side="left", budget=budget)
        assert not found.has_moved
        assert len(found.effects) == budget
        assert found.after.decision.llr == pytest.approx(1 - 0.4 * budget)


def test_a_whole_habit_is_one_move() -> None:
    """Within a budget of one habit, two uses of & are undone, and the third is left alone."""
    found = attack(VERIFIER, LEFT, RIGHT + "salt & pepper", side="left", budget=1)
    assert found.has_moved
    assert [effect.edit.old for effect in found.effects] == ["&", "&"]


def test_nothing_helps_where_nothing_can_be_edited() -> None:
    plain = "It was so, we said to all of them at noon, and they did not answer. "
    found = attack(VERIFIER, plain, plain, side="left", budget=5)
    assert (found.effects, found.has_moved) == ((), False)


def test_an_open_verdict_cannot_be_moved() -> None:
    with pytest.raises(InputError, match="no verdict to change: too short"):
        attack(VERIFIER, "Short & sweet", RIGHT, side="left", budget=5)


def test_robustness_of_each_kind() -> None:
    pairs = [
        Pair.of_texts(LEFT, RIGHT),
        Pair.of_texts("It was so, we know, all of us here, and so do they. ", RIGHT),
    ]
    labelled = [
        Pair(pair.left, pair.right, same_author=same)
        for pair, same in zip(pairs, (True, False), strict=True)
    ]
    rows = {row["kind"]: row for row in measure_robustness(VERIFIER, labelled)["edits"]}
    assert set(rows) == {
        *("spelling", "sign", "case", "punctuation", "contraction", "abbreviation", "all")
    }
    sign = rows["sign"]
    assert (sign["pairs"], sign["edited"], sign["edits"]) == (2, 1, 3)
    assert (sign["error_before"], sign["error"], sign["moved"]) == (0.0, 0.5, 1.0)
    assert sign["same"] == pytest.approx(-1.2)
    assert sign["different"] is None
    assert (rows["spelling"]["edited"], rows["spelling"]["error"]) == (1, 0.0)
    assert (rows["contraction"]["edited"], rows["contraction"]["same"]) == (0, None)
    assert rows["all"]["edits"] == len(find_edits(LEFT))
