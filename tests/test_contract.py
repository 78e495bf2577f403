"""One suite of checks that every registered verifier passes."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from small_networks import fit_network

import adhominem
from adhominem.errors import InputError, NotFittedError
from adhominem.instrument.model_folder import VERIFIERS, verifier_class
from adhominem.instrument.verifier import Verifier
from adhominem.laboratory.calibration.by_genre import calibrate
from adhominem.laboratory.training import TrainingConfig
from adhominem.laboratory.verifiers import ComparedMethod
from adhominem.records import Document, Pair, Verdict

ODD_TEXTS = {
    "empty": "",
    "white space": " \n\t ",
    "one word": "hotel",
    "emoji": "👍🏽" * 30,
    "right to left": "שלום עולם " * 20,
    "surrogates": "\ud800 \udfff word " * 30,
    "control": "\x00\x1b[31m\x07 word" * 30,
    "markup": "<script>alert(1)</script> " * 20,
    "one long word": "a" * 5000,
    "no sentence marks": "the hotel was good " * 500,
}
# Settings that make a method quick; others run as they are.
SMALL: dict[str, dict[str, Any]] = {
    "aveer": {"grid": {"F1": [(1,)], "F2": [(4,)], "F3": [(50,)]}},
    "feature-difference": {"most": 100, "neighbours": 50},
    "imposters": {"pool": 40, "candidates": 20, "impostors": 5},
    "lambda-g": {"references": 5},
}
_SIZES = {"D_c": 4, "D_r": 6, "D_w": 12, "D_s": 8, "D_d": 8, "D_a": 8, "D_f": 6, "dropout": 0.0}
NETWORKS: dict[str, dict[str, Any]] = {
    "neural": {
        "sizes": {**_SIZES, "train_words": True},
        "training": TrainingConfig(epochs=2, batch_pairs=16),
    },
    "neural, hrsn": {
        "network": "hrsn",
        "sizes": {"D_w": 12, "D_s": 8, "D_d": 8, "D_f": 6, "dropout": 0.0, "train_words": True},
        "training": TrainingConfig(epochs=1, batch_pairs=16),
    },
}


def fit(name: str, train: list[Pair], dev: list[Pair]) -> Verifier:
    """A method by its name in the registry, or a network."""
    if name in NETWORKS:
        return fit_network(train, dev, **NETWORKS[name])
    method = verifier_class(name)(**SMALL.get(name, {}))
    assert isinstance(method, ComparedMethod)
    return method.fit(train, dev)


def test_every_method_is_registered_under_its_kind() -> None:
    for name in VERIFIERS:
        assert verifier_class(name).kind == name


@pytest.fixture(scope="module", params=list(dict.fromkeys([*VERIFIERS, *NETWORKS])))
def fitted(
    request: pytest.FixtureRequest, train_pairs: list[Pair], dev_pairs: list[Pair]
) -> Verifier:
    return fit(request.param, train_pairs, dev_pairs)


def test_scores_are_finite_probabilities(fitted: Verifier, dev_pairs: list[Pair]) -> None:
    scores = fitted.score(dev_pairs)
    assert scores.shape == (len(dev_pairs),)
    assert np.isfinite(scores).all()
    assert ((scores >= 0) & (scores <= 1)).all()
    assert len(set(scores)) > 1


def test_left_and_right_can_be_swapped(fitted: Verifier, dev_pairs: list[Pair]) -> None:
    swapped = [Pair(pair.right, pair.left) for pair in dev_pairs]
    np.testing.assert_allclose(fitted.score(dev_pairs), fitted.score(swapped), atol=1e-6)


def test_one_pair_alone_scores_as_among_many(fitted: Verifier, dev_pairs: list[Pair]) -> None:
    together = fitted.score(dev_pairs[:10])
    alone = [fitted.score([pair])[0] for pair in dev_pairs[:10]]
    np.testing.assert_allclose(together, alone, atol=1e-6)
    np.testing.assert_array_equal(together, fitted.score(dev_pairs[:10]))


def test_nothing_is_more_alike_than_a_text_and_itself(
    fitted: Verifier, dev_pairs: list[Pair]
) -> None:
    texts = [pair.left[0] for pair in dev_pairs[:10]]
    own = fitted.score([Pair((text,), (text,)) for text in texts])
    assert own.min() >= fitted.score(dev_pairs).max() - 1e-6


def test_score_verdict_and_llr_say_the_same(fitted: Verifier, dev_pairs: list[Pair]) -> None:
    for decision in fitted.decide(dev_pairs):
        assert decision.score == pytest.approx(1 / (1 + 10**-decision.llr))
        if decision.verdict is Verdict.UNDECIDED:
            assert decision.reasons
            assert decision.score == 0.5
        else:
            assert (decision.verdict is Verdict.SAME) == (decision.score > 0.5)


@pytest.mark.parametrize("name", list(ODD_TEXTS))
def test_odd_texts_are_answered(fitted: Verifier, name: str) -> None:
    normal = "the room was small and the staff was never friendly again at night. " * 4
    for left, right in ((ODD_TEXTS[name], normal), (normal, ODD_TEXTS[name])):
        decision = fitted.verify(left, right)
        assert math.isfinite(decision.score)
        if name in ("empty", "white space", "one word"):
            assert decision.verdict is Verdict.UNDECIDED
            assert "at least 20 are needed" in decision.reasons[0].message


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(left=st.text(max_size=300), right=st.text(max_size=300))
def test_any_strings_are_answered(fitted: Verifier, left: str, right: str) -> None:
    assert 0 <= fitted.verify(left, right).score <= 1


def test_several_texts_on_a_side(fitted: Verifier, dev_pairs: list[Pair]) -> None:
    one, other = dev_pairs[0].left[0].text, dev_pairs[0].right[0].text
    single = fitted.verify(one, other)
    [doubled] = fitted.decide([Pair.of_texts([one, one], other)])
    assert doubled.score == pytest.approx(single.score, abs=1e-6)
    assert doubled.left.tokens == 2 * single.left.tokens
    assert fitted.verify([one, one], other).left.tokens == single.left.tokens


def test_a_matrix_says_what_decide_says(fitted: Verifier, dev_pairs: list[Pair]) -> None:
    sides = [pair.left for pair in dev_pairs[:6]] + [dev_pairs[0].left * 2, (Document("short"),)]
    matrix = fitted.matrix(sides)
    places = [(i, j) for i in range(len(sides)) for j in range(i)]
    decisions = fitted.decide([Pair(sides[i], sides[j]) for i, j in places])
    for (i, j), decision in zip(places, decisions, strict=True):
        assert matrix.llr[i, j] == matrix.llr[j, i] == pytest.approx(decision.llr, abs=1e-6)
        assert matrix.verdict(i, j) is decision.verdict
        assert matrix.reliable[i, j] == (decision.reliable and not matrix.copied[i, j])
        assert (matrix.readings[i], matrix.readings[j]) == (decision.left, decision.right)
    [doubt] = matrix.doubts[-1]
    assert str(doubt) == "the text has 1 token, at least 20 are needed"


def test_explanations_point_into_the_texts(fitted: Verifier, dev_pairs: list[Pair]) -> None:
    pair = dev_pairs[0]
    explanation = fitted.explain(pair)
    decision = fitted.decide([pair])[0]
    assert explanation.decision.verdict == decision.verdict
    assert explanation.decision.llr == pytest.approx(decision.llr, abs=1e-5)
    assert explanation.decision.left.tokens == decision.left.tokens
    for side, documents in ((explanation.left, pair.left), (explanation.right, pair.right)):
        assert [text.text for text in side] == [document.text for document in documents]
        for text in side:
            assert text.words
            assert text.sentences
            assert all(0 <= w.start <= w.end <= len(text.text) for w in text.words)
            assert all(math.isfinite(w.weight) for w in text.words)


def test_unfitted_says_so(fitted: Verifier, dev_pairs: list[Pair]) -> None:
    fresh = type(fitted)()
    for ask in (lambda: fresh.score(dev_pairs), lambda: fresh.save("x", name="x")):
        with pytest.raises(NotFittedError, match="not fitted"):
            ask()


def test_training_and_development_authors_must_differ(
    fitted: Verifier, train_pairs: list[Pair]
) -> None:
    if isinstance(fitted, ComparedMethod):
        with pytest.raises(InputError, match="split by author"):
            type(fitted)().fit(train_pairs, train_pairs)


def test_labels_of_both_kinds_are_needed(fitted: Verifier, dev_pairs: list[Pair]) -> None:
    unlabelled = [Pair(pair.left, pair.right) for pair in dev_pairs]
    with pytest.raises(InputError, match="no same_author"):
        calibrate(fitted, unlabelled)
    if isinstance(fitted, ComparedMethod):
        with pytest.raises(InputError, match="no same_author"):
            type(fitted)().fit(unlabelled, unlabelled)
    same = [pair for pair in dev_pairs if pair.same_author]
    with pytest.raises(InputError, match="both kinds"):
        calibrate(fitted, same)


def test_saved_and_loaded_in_a_new_process(fitted: Verifier, tmp_path: Path) -> None:
    fitted.save(tmp_path / "model", name="test")
    one, other = (Document("we never stay " * 30), Document("the staff was good; " * 30))
    loaded = adhominem.load(tmp_path / "model")
    expected = loaded.score([Pair((one,), (other,))])[0]
    assert expected == pytest.approx(fitted.verify(one.text, other.text).score, abs=1e-3)
    script = (
        "import adhominem;"
        f"v = adhominem.load({str(tmp_path / 'model')!r});"
        f"print(repr(v.verify({one.text!r}, {other.text!r}).score))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert float(done.stdout) == pytest.approx(expected, abs=1e-9)
    files = {path.name: path.read_bytes() for path in (tmp_path / "model").iterdir()}
    fitted.save(tmp_path / "again", name="test")
    assert files == {path.name: path.read_bytes() for path in (tmp_path / "again").iterdir()}
