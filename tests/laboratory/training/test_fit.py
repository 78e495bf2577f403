"""Training from labelled pairs in memory to calibrated scores."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from small_networks import fit_network

from adhominem.instrument.neural import NeuralVerifier
from adhominem.laboratory.corpus.pairs import PairSampler, make_pairs
from adhominem.laboratory.training import TrainingConfig
from adhominem.records import Document, Pair

SIZES = {"D_c": 4, "D_r": 4, "D_w": 8, "D_s": 6, "D_d": 6, "D_a": 6, "D_f": 5, "train_words": True}
TRAINING = TrainingConfig(epochs=6, batch_pairs=8, learning_rate=0.02, patience=3)


def fit(train: list[Pair], dev: list[Pair], *, seed: int = 1, **changes: Any) -> NeuralVerifier:
    settings: dict[str, Any] = {"sizes": SIZES, "training": TRAINING}
    return fit_network(train, dev, seed=seed, **(settings | changes))


def drawn_pairs(reviews: Sequence[Document]) -> list[Pair]:
    _, authors = np.unique([str(r.author) for r in reviews], return_inverse=True)
    return make_pairs(PairSampler(authors, None, seed=1).draw(0).side_pairs(), reviews)


@pytest.fixture(scope="module")
def train_pairs(reviews: list[Document]) -> list[Pair]:
    return drawn_pairs(reviews[: 4 * 32])


@pytest.fixture(scope="module")
def dev_pairs(reviews: list[Document]) -> list[Pair]:
    return drawn_pairs(reviews[4 * 32 :])


@pytest.fixture(scope="module")
def fitted(train_pairs: list[Pair], dev_pairs: list[Pair]) -> NeuralVerifier:
    return fit(train_pairs, dev_pairs)


def test_fitted_verifier_is_calibrated_and_scores(
    fitted: NeuralVerifier, dev_pairs: list[Pair], train_pairs: list[Pair]
) -> None:
    assert fitted.arrays_
    assert fitted.calibration_ is not None and fitted.calibration_.slope > 0
    scores = fitted.score(dev_pairs)
    assert scores.shape == (len(dev_pairs),)
    assert ((scores >= 0) & (scores <= 1)).all()
    same = np.array([pair.same_author for pair in train_pairs])
    learned = fitted.compare(train_pairs).similarity  # of few development pairs: scores are bounded
    assert learned[same].mean() > learned[~same].mean() + 0.1


def test_same_seed_same_scores_to_the_bit(
    fitted: NeuralVerifier, train_pairs: list[Pair], dev_pairs: list[Pair]
) -> None:
    again = fit(train_pairs, dev_pairs)
    other = fit(train_pairs, dev_pairs, seed=2)
    assert fitted.score(dev_pairs).tobytes() == again.score(dev_pairs).tobytes()
    assert fitted.score(dev_pairs).tobytes() != other.score(dev_pairs).tobytes()
    for name, ours in fitted.arrays_.items():
        np.testing.assert_array_equal(ours, again.arrays_[name])


def test_global_generators_are_left_alone(train_pairs: list[Pair], dev_pairs: list[Pair]) -> None:
    before = torch.get_rng_state(), np.random.get_state(), random.getstate()
    fit(train_pairs, dev_pairs, training=replace(TRAINING, epochs=1))
    assert torch.equal(before[0], torch.get_rng_state())
    np.testing.assert_equal(before[1], np.random.get_state())
    assert before[2] == random.getstate()


def test_vocabulary_is_that_of_the_training_pairs(
    fitted: NeuralVerifier, train_pairs: list[Pair], dev_pairs: list[Pair]
) -> None:
    changed = [
        replace(pair, left=(Document("Xylophon " * 30 + pair.left[0].text, author="new"),))
        for pair in dev_pairs
    ]
    other = fit(train_pairs, changed, training=replace(TRAINING, epochs=1))
    assert other.vocabulary_ == fitted.vocabulary_


def test_hrsn_is_fitted_by_the_same_call(train_pairs: list[Pair], dev_pairs: list[Pair]) -> None:
    sizes, training = {"D_w": 8}, replace(TRAINING, epochs=1)
    verifier = fit(train_pairs, dev_pairs, network="hrsn", sizes=sizes, training=training)
    scores = verifier.score(dev_pairs)
    assert ((scores >= 0) & (scores <= 1)).all()
