"""`SiameseVerifier.fit` from labelled pairs in memory to calibrated scores."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from adhominem.errors import InputError
from adhominem.instrument.text.settings import TextSettings
from adhominem.laboratory.corpus.pairs import PairSampler, make_pairs
from adhominem.laboratory.training import TrainingConfig
from adhominem.laboratory.verifiers.siamese import SiameseVerifier
from adhominem.records import Document, Pair

SIZES = {"D_c": 4, "D_r": 4, "D_w": 8, "D_s": 6, "D_d": 6, "D_a": 6, "D_f": 5, "train_words": True}
TRAINING = TrainingConfig(epochs=6, batch_pairs=8, learning_rate=0.02, patience=3)


def new_verifier(seed: int = 1, **changes: Any) -> SiameseVerifier:
    settings: dict[str, Any] = {
        "sizes": SIZES,
        "training": TRAINING,
        "text": TextSettings(min_word_count=2, min_character_count=2),
    }
    return SiameseVerifier(seed=seed, **(settings | changes))


def drawn_pairs(reviews: Sequence[Document]) -> list[Pair]:
    _, authors = np.unique([str(r.author) for r in reviews], return_inverse=True)
    return make_pairs(PairSampler(authors, None, seed=1).draw(0).sides(), reviews)


@pytest.fixture(scope="module")
def train_pairs(reviews: list[Document]) -> list[Pair]:
    return drawn_pairs(reviews[: 4 * 32])


@pytest.fixture(scope="module")
def dev_pairs(reviews: list[Document]) -> list[Pair]:
    return drawn_pairs(reviews[4 * 32 :])


@pytest.fixture(scope="module")
def fitted(train_pairs: list[Pair], dev_pairs: list[Pair]) -> SiameseVerifier:
    return new_verifier().fit(train_pairs, dev_pairs)


def test_fitted_verifier_is_calibrated_and_scores(
    fitted: SiameseVerifier, dev_pairs: list[Pair], train_pairs: list[Pair]
) -> None:
    assert fitted.arrays_
    assert fitted.calibration_ is not None and fitted.calibration_.slope > 0
    scores = fitted.score(dev_pairs)
    assert scores.shape == (len(dev_pairs),)
    assert ((scores >= 0) & (scores <= 1)).all()
    same = np.array([pair.same_author for pair in train_pairs])
    learned = fitted._similarity(train_pairs)  # few development pairs: their scores are bounded
    assert learned[same].mean() > learned[~same].mean() + 0.1


def test_fit_returns_the_verifier(fitted: SiameseVerifier) -> None:
    assert isinstance(fitted, SiameseVerifier)
    assert fitted.verify("one two three", "four five six").reasons


def test_same_seed_same_scores_to_the_bit(
    fitted: SiameseVerifier, train_pairs: list[Pair], dev_pairs: list[Pair]
) -> None:
    again = new_verifier().fit(train_pairs, dev_pairs)
    other = new_verifier(seed=2).fit(train_pairs, dev_pairs)
    assert fitted.score(dev_pairs).tobytes() == again.score(dev_pairs).tobytes()
    assert fitted.score(dev_pairs).tobytes() != other.score(dev_pairs).tobytes()
    for name, ours in fitted.arrays_.items():
        np.testing.assert_array_equal(ours, again.arrays_[name])


def test_global_generators_are_left_alone(train_pairs: list[Pair], dev_pairs: list[Pair]) -> None:
    before = torch.get_rng_state(), np.random.get_state(), random.getstate()
    new_verifier(training=replace(TRAINING, epochs=1)).fit(train_pairs, dev_pairs)
    assert torch.equal(before[0], torch.get_rng_state())
    np.testing.assert_equal(before[1], np.random.get_state())
    assert before[2] == random.getstate()


def test_vocabulary_is_that_of_the_training_pairs(
    fitted: SiameseVerifier, train_pairs: list[Pair], dev_pairs: list[Pair]
) -> None:
    changed = [
        replace(pair, left=(Document("Xylophon " * 30 + pair.left[0].text, author="new"),))
        for pair in dev_pairs
    ]
    other = new_verifier(training=replace(TRAINING, epochs=1)).fit(train_pairs, changed)
    assert other.vocabulary_ == fitted.vocabulary_


@pytest.mark.parametrize("empty", ["", " \n", "\u200b", "\ufeff\x00"])
def test_pairs_with_a_side_without_words_are_left_out(
    train_pairs: list[Pair], dev_pairs: list[Pair], empty: str
) -> None:
    """Also where the side is more than blanks, and yet no token."""
    one_epoch = replace(TRAINING, epochs=1)
    plain = new_verifier(training=one_epoch).fit(train_pairs, dev_pairs)
    nothing = Pair(left=(Document(empty),), right=train_pairs[0].right, same_author=True)
    silent = Pair(left=dev_pairs[0].left, right=(Document(empty),), same_author=False)
    more = new_verifier(training=one_epoch).fit([*train_pairs, nothing], [*dev_pairs, silent])
    assert more.score(dev_pairs).tobytes() == plain.score(dev_pairs).tobytes()
    assert more.score([nothing])[0] == 0.5


@pytest.mark.parametrize("which", ["training", "development"])
def test_pairs_without_any_words_give_one_line(
    train_pairs: list[Pair], dev_pairs: list[Pair], which: str
) -> None:
    silent = [Pair.of_texts(" ", "\u200b")] * 3
    silent = [replace(pair, same_author=i > 0) for i, pair in enumerate(silent)]
    pairs = (silent, dev_pairs) if which == "training" else (train_pairs, silent)
    with pytest.raises(InputError, match=f"no {which} pair has words") as caught:
        new_verifier().fit(*pairs)
    assert "\n" not in str(caught.value)


def test_side_of_several_documents_is_trained_on(
    train_pairs: list[Pair], dev_pairs: list[Pair]
) -> None:
    several = [replace(pair, left=pair.left * 2) for pair in train_pairs]
    verifier = new_verifier(training=replace(TRAINING, epochs=1)).fit(several, dev_pairs)
    assert np.isfinite(verifier.score(several)).all()


def test_hrsn_is_fitted_by_the_same_call(train_pairs: list[Pair], dev_pairs: list[Pair]) -> None:
    verifier = new_verifier(
        network="hrsn", sizes={"D_w": 8}, training=replace(TRAINING, epochs=1)
    ).fit(train_pairs, dev_pairs)
    scores = verifier.score(dev_pairs)
    assert ((scores >= 0) & (scores <= 1)).all()
