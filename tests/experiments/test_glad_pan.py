"""Turns of the comparison with PAN's figures share no texts, and the machine is GLAD's."""

from __future__ import annotations

import numpy as np
import pytest
from glad_pan import METHOD, figures, group_problems, judge_turns

from adhominem.laboratory.verifiers import Texts
from adhominem.laboratory.verifiers.glad import Glad
from adhominem.records import Document, Pair


def problem(known: str, unknown: str, *, same: bool = True) -> Pair:
    return Pair((Document(known),), (Document(unknown),), same_author=same)


def test_problems_that_share_texts_are_one_group() -> None:
    problems = [problem("a", "b"), problem("c", "d"), problem("e", "b"), problem("e", "f")]
    groups = group_problems(problems).tolist()
    assert groups[0] == groups[2] == groups[3] != groups[1]


def test_the_machine_answers_as_the_method_does() -> None:
    rng = np.random.default_rng(1)
    words = ["well,", "I", "think", "that", "this", "is", "it;", "and", "so", "on.", "But", "no!"]
    texts = [" ".join(rng.choice(words, 40)) for _ in range(48)]
    problems = [
        problem(texts[2 * i], texts[2 * i + 1], same=i % 2 == 0) for i in range(len(texts) // 2)
    ]
    same = np.array([p.same_author for p in problems], dtype=bool)
    train, test = np.arange(12), np.arange(12, 24)
    features = METHOD._measure_sides(Texts(problems))[0]
    values = judge_turns(features, same, [(train, test), (test, train)])
    method = Glad()
    method._fit([problems[i] for i in train])
    ours = method.compare([problems[i] for i in test]).similarity
    np.testing.assert_allclose(ours, np.minimum(values[test], method.ceiling_[0]), atol=1e-9)


def test_the_score_is_auc_times_right_answers() -> None:
    same = np.array([True, True, False, False])
    values = np.array([[2.0, -0.5, -1.0, -2.0]])
    found = figures(values, same, np.arange(4))
    assert found["auc"]["value"] == 1.0
    assert found["c_at_1"]["value"] == found["score"]["value"] == pytest.approx(0.75)
    assert figures(values, same, np.zeros(4, int))["score"] == {"value": 0.75}
