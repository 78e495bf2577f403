"""Networks that are trained in seconds, on labelled pairs in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from adhominem.instrument.neural import NeuralVerifier
from adhominem.instrument.text.encode import encode
from adhominem.instrument.text.settings import TextSettings
from adhominem.instrument.text.tokenise import tokenise
from adhominem.instrument.text.vocabulary import Vocabulary
from adhominem.laboratory.calibration.by_genre import calibrate
from adhominem.laboratory.corpus.pairs import PairTable
from adhominem.laboratory.experiment import Experiment
from adhominem.laboratory.experiment.finish import verifier_of
from adhominem.laboratory.network import build_network
from adhominem.laboratory.training import TrainingConfig, loop
from adhominem.laboratory.training.data import TrainingData
from adhominem.records import Pair

TEXT = TextSettings(min_word_count=2, min_character_count=2)


def fit_network(
    train: Sequence[Pair],
    dev: Sequence[Pair],
    *,
    sizes: dict[str, Any],
    training: TrainingConfig,
    network: str = "adhominem",
    seed: int = 1,
) -> NeuralVerifier:
    """A network trained on the same pairs in every epoch, one text a side, and calibrated."""
    numbers: dict[str, int] = {}
    learnt = _table(train, numbers)
    n_learnt = len(numbers)
    measured = _table(dev, numbers)
    tokenised = tokenise(numbers)
    vocabulary = Vocabulary.fit(
        tokenised.select(np.arange(n_learnt)).counts(),
        min_word_count=TEXT.min_word_count,
        min_character_count=TEXT.min_character_count,
    )

    def draw(epoch: int) -> PairTable:
        return learnt.select(np.random.default_rng([seed, epoch]).permutation(len(learnt)))

    sizes = {**sizes, "n_words": vocabulary.n_words, "n_characters": vocabulary.n_characters}
    fresh = build_network(network, sizes, seed=seed)
    state = loop.TrainingState()
    data = TrainingData(encode(tokenised, vocabulary), draw, {"": measured})
    optimiser = loop.make_optimiser(fresh, training)
    for _ in loop.train(fresh, optimiser, data, training, state, seed=seed):
        pass
    fresh.load_state_dict({**fresh.state_dict(), **state.best})
    experiment = Experiment("small", seed=seed, text=TEXT, training=training)
    return calibrate(verifier_of(fresh.eval(), vocabulary, experiment), dev)


def _table(pairs: Sequence[Pair], numbers: dict[str, int]) -> PairTable:
    """The pairs as numbers of texts; new texts get the next numbers."""
    texts = [pair.left[0].text for pair in pairs] + [pair.right[0].text for pair in pairs]
    left, right = np.split(np.array([numbers.setdefault(t, len(numbers)) for t in texts]), 2)
    return PairTable(left, right, np.array([bool(pair.same_author) for pair in pairs]), None)
