"""What the words of a pair contribute, against judging the pair again without them."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from small_networks import fit_network

import adhominem
from adhominem.errors import ModelError
from adhominem.instrument.evidence.calibration import covariates_of
from adhominem.instrument.explain.word_effects import CONTRIBUTIONS, METHODS, WordEffects
from adhominem.instrument.model_folder import store_faithfulness
from adhominem.instrument.neural import NeuralVerifier
from adhominem.laboratory.training import TrainingConfig
from adhominem.records import Explanation, Faithfulness, Pair, Word

SIZES = {"D_c": 4, "D_r": 6, "D_w": 12, "D_s": 8, "D_d": 8, "D_a": 8, "D_f": 6, "dropout": 0.0}
LEFT = "the room was small and quite clean. we never stay again at night. the staff was friendly."
RIGHT = "breakfast was good and nice but the street was never quiet. we always walk in the morning."


@pytest.fixture(scope="module")
def verifier(train_pairs: list[Pair], dev_pairs: list[Pair]) -> NeuralVerifier:
    return fit_network(
        train_pairs,
        dev_pairs,
        sizes={**SIZES, "train_words": True},
        training=TrainingConfig(epochs=2, batch_pairs=16, max_lines=4),
    )


def taken_apart(verifier: NeuralVerifier, pair: Pair) -> WordEffects:
    effects = verifier.word_effects(pair)
    assert effects is not None
    return effects


def words_of(explanation: Explanation) -> list[Word]:
    texts = (*explanation.left, *explanation.right)
    return [word for text in texts for word in text.words if word.start < word.end]


def test_occlusion_is_the_pair_without_the_word(verifier: NeuralVerifier) -> None:
    """The text itself is written without it; the line stays that of the whole pair."""
    effect = taken_apart(verifier, Pair.of_texts(LEFT, RIGHT)).effect()
    words = words_of(verifier.explain_texts(LEFT, RIGHT))
    assert len(words) == len(effect)
    assert verifier.calibration_ is not None
    whole = verifier.verify(LEFT, RIGHT)
    covariates = covariates_of(whole.left, whole.right)
    [similarity] = verifier.compare([Pair.of_texts(LEFT, RIGHT)]).similarity
    line = verifier.calibration_.line(similarity, covariates)
    n_left = whole.left.tokens
    for number, (word, found) in enumerate(zip(words, effect, strict=True)):
        if word.text == ".":
            continue  # without it, two sentences are one
        texts = [LEFT, RIGHT]
        side = int(number >= n_left)
        texts[side] = texts[side][: word.start] + texts[side][word.end :]
        without = verifier.compare([Pair.of_texts(*texts)]).similarity
        rest = verifier.calibration_.line(without, covariates)
        assert found == pytest.approx(line - rest, abs=1e-5)


def test_all_words_make_the_llr_of_the_decision(
    verifier: NeuralVerifier, dev_pairs: list[Pair]
) -> None:
    assert verifier.calibration_ is not None
    for pair in dev_pairs[:5]:
        effects = taken_apart(verifier, pair)
        decision = verifier.decide([pair])[0]
        line = verifier.calibration_.line(
            -decision.distance, covariates_of(decision.left, decision.right)
        )
        whole = effects.llr(np.ones((1, effects.n_words), dtype=bool))
        assert whole[0] == pytest.approx(float(line), abs=1e-5)


def test_contributions_sum_to_the_llr_of_the_decision(
    verifier: NeuralVerifier, dev_pairs: list[Pair]
) -> None:
    assert verifier.calibration_ is not None
    for pair in dev_pairs[:5]:
        decision = verifier.decide([pair])[0]
        line = verifier.calibration_.line(
            -decision.distance, covariates_of(decision.left, decision.right)
        )
        parts = taken_apart(verifier, pair).contributions()
        assert parts.sum() == pytest.approx(float(line), abs=1e-4)


@pytest.mark.parametrize("method", METHODS)
def test_left_and_right_can_be_swapped(
    verifier: NeuralVerifier, dev_pairs: list[Pair], method: str
) -> None:
    pair = dev_pairs[0]
    n_left = len(verifier.read_side(pair.left).tokens.tokens)
    one = taken_apart(verifier, pair).weigh(method)
    other = taken_apart(verifier, Pair(pair.right, pair.left)).weigh(method)
    np.testing.assert_allclose(np.roll(one, -n_left), other, atol=1e-6)
    np.testing.assert_array_equal(one, taken_apart(verifier, pair).weigh(method))


def test_attention_sums_to_one_with_its_markers(verifier: NeuralVerifier) -> None:
    pair = Pair.of_texts([LEFT, "", RIGHT], RIGHT)
    n_left = len(verifier.read_side(pair.left).tokens.tokens)
    for side in np.split(taken_apart(verifier, pair).attention(), [n_left]):
        assert 0 < side.sum() < 1
        assert (side > 0).all()


def test_an_explanation_has_the_contributions_at_their_words(verifier: NeuralVerifier) -> None:
    """Several texts on a side, one of them empty, one read in many stretches."""
    rng = random.Random(1)
    long = " ".join(" ".join(rng.sample(RIGHT.split(), 16)) for _ in range(6))
    turned = " ".join(reversed(LEFT.split()))
    pair = Pair.of_texts([LEFT, "", long], [RIGHT, turned])
    explanation = verifier.explain(pair)
    assert explanation.contributions == CONTRIBUTIONS
    expected = taken_apart(verifier, pair).weigh(CONTRIBUTIONS)
    words = words_of(explanation)
    np.testing.assert_array_equal([word.contribution for word in words], expected)
    for text in (*explanation.left, *explanation.right):
        for number, sentence in enumerate(text.sentences):
            own = [word for word in text.words if word.sentence == number]
            assert sentence.contribution == pytest.approx(sum(w.contribution or 0 for w in own))
            assert own[-1].contribution == 0  # the marker
        for word in text.words:
            if word.start < word.end:
                assert text.text[word.start : word.end] == word.text
    assert explanation == verifier.explain(pair)


@pytest.mark.parametrize("text", ["", " \n", "hotel", ".", "\ud800", "👍"])
def test_odd_texts(verifier: NeuralVerifier, text: str) -> None:
    for left, right in ((text, LEFT), (LEFT, text), (text, text)):
        explanation = verifier.explain_texts(left, right)
        values = [word.contribution for word in words_of(explanation)]
        if text.strip():
            assert np.isfinite(np.array(values, dtype=float)).all()
        else:
            assert set(values) <= {None}
            assert explanation.contributions is None


def test_very_long_texts_have_attention_alone(
    verifier: NeuralVerifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adhominem.instrument.neural.MOST_WORDS", 30)
    explanation = verifier.explain_texts(LEFT, RIGHT)
    assert explanation.contributions is None
    assert {word.contribution for word in words_of(explanation)} == {None}
    assert all(word.weight > 0 for word in words_of(explanation))


def test_the_only_word_of_a_side_carries_all(verifier: NeuralVerifier) -> None:
    effects = taken_apart(verifier, Pair.of_texts("hotel", LEFT))
    whole = effects.llr(np.ones((1, effects.n_words), dtype=bool))[0]
    assert effects.effect()[0] == pytest.approx(whole)


def test_a_randomised_network_explains_otherwise(
    verifier: NeuralVerifier, dev_pairs: list[Pair]
) -> None:
    blank = verifier.randomised(seed=5)
    one, other = (taken_apart(v, dev_pairs[0]).effect() for v in (verifier, blank))
    assert abs(np.corrcoef(one, other)[0, 1]) < 0.5


def test_a_network_without_attention_is_explained_by_occlusion(
    train_pairs: list[Pair], dev_pairs: list[Pair]
) -> None:
    hrsn = fit_network(
        train_pairs,
        dev_pairs,
        network="hrsn",
        sizes={"D_w": 12, "D_s": 8, "D_d": 8, "D_f": 6, "dropout": 0.0, "train_words": True},
        training=TrainingConfig(epochs=1, batch_pairs=16),
    )
    explanation = hrsn.explain_texts(LEFT, RIGHT)
    assert explanation.method == explanation.contributions == "occlusion"
    assert all(word.contribution == -word.weight for word in words_of(explanation))
    with pytest.raises(ModelError, match="no attention"):
        hrsn.word_effects(dev_pairs[0])


def test_a_model_quotes_its_faithfulness_and_stays_the_same_model(
    verifier: NeuralVerifier, tmp_path: Path
) -> None:
    verifier.save(tmp_path / "model", name="test")
    before = adhominem.load(tmp_path / "model")
    assert before.explain_texts(LEFT, RIGHT).faithfulness is None
    row = Faithfulness(CONTRIBUTIONS, 400, "delete", 2.1, 0.1, 1.8, 2.2, 0.9)
    store_faithfulness(tmp_path / "model", (replace(row, method="attention"), row))
    after = adhominem.load(tmp_path / "model")
    assert after.explain_texts(LEFT, RIGHT).faithfulness == row
    assert after.identity == before.identity
    after.save(tmp_path / "again", name="test")
    assert adhominem.load(tmp_path / "again").explain_texts(LEFT, RIGHT).faithfulness == row
