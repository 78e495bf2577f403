"""A trained network to a new domain with few authors, without forgetting the old one.

Three fifths of the authors are learnt from, one fifth decides how far to go, one fifth is for the
report. The network is trained further in small steps; then the way from the old weights to the new
ones is gone only as far as the development authors gain from it, which may be not at all. The
calibration is fitted to the new domain.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from torch import Tensor

from adhominem.corpus.labels import Labels
from adhominem.corpus.pairs import PairTable, join_distinct
from adhominem.corpus.store import Corpus
from adhominem.errors import InputError, NotFittedError
from adhominem.evaluation.evaluate import evaluate
from adhominem.evaluation.experienced import experience_of
from adhominem.evaluation.on_pairs import judge
from adhominem.experiment.prepare import Prepared
from adhominem.records import Pair
from adhominem.text.encode import encode
from adhominem.training.average import weights_set
from adhominem.training.config import TrainingConfig
from adhominem.training.data import TrainingData
from adhominem.training.loop import (
    TrainingState,
    make_optimiser,
    train,
    trained_parameters,
)
from adhominem.training.measuring import lowest_error, pair_distances
from adhominem.verifiers.neural import NeuralVerifier

Progress = Callable[[str, int, int], None]
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)  # of the way from the old weights to the new ones
_MOST_PAIRS = 1000  # of a cell, for calibration and report
_EPOCHS = 10


@dataclass(frozen=True, slots=True)
class AdaptSettings:
    """Small steps, and few of them: the old domain is not to be forgotten."""

    epochs: int = 15
    patience: int = 4
    learning_rate: float = 3e-4
    batch_pairs: int = 32
    seed: int = 1


def adapt(
    verifier: NeuralVerifier,
    corpus: Corpus,
    settings: AdaptSettings = AdaptSettings(),
    *,
    progress: Progress = lambda *_: None,
) -> tuple[NeuralVerifier, dict[str, Any]]:
    """An adapted copy, and how both do on authors that neither has seen."""
    if verifier.network_ is None or verifier.vocabulary_ is None:
        raise NotFittedError("this verifier is not fitted: load or fit one before adapting it")
    labels = corpus.labels.for_fold(0)
    encoded = encode(
        corpus.tokenised(),
        verifier.vocabulary_,
        max_words=verifier.max_words,
        max_characters=verifier.max_characters,
    )
    prepared = Prepared(encoded, verifier.vocabulary_, labels, (corpus.folder.name,))
    dev = draw_pairs(labels, "dev", seed=settings.seed)
    dev_texts = pair_texts(corpus, dev, "dev")
    test = draw_pairs(labels, "test", seed=settings.seed)
    test_texts = pair_texts(corpus, test, "test")
    adapted = copy.deepcopy(verifier)
    share, errors = _train_further(adapted, prepared, dev, settings, progress)
    adapted.genres_ = None  # it is a model of one kind of text now
    adapted.calibrate(dev_texts)
    progress("measuring", 0, 1)
    after = judge(adapted, test_texts)
    adapted.experience_ = tuple(experience_of(after, None))
    report = {
        "settings": asdict(settings),
        "authors": {
            split: len(np.unique(labels.authors[labels.places(split)]))
            for split in ("train", "dev", "test")
        },
        "share_of_the_way": share,
        "dev_error": errors,
        "before": evaluate(judge(verifier, test_texts)),
        "recalibrated": evaluate(judge(copy.deepcopy(verifier).calibrate(dev_texts), test_texts)),
        "after": evaluate(after),
    }
    return adapted, report


def _train_further(
    verifier: NeuralVerifier,
    prepared: Prepared,
    dev: PairTable,
    settings: AdaptSettings,
    progress: Progress,
) -> tuple[float, dict[str, float]]:
    """Sets the weights of the verifier's network; returns how far it went, and the development
    error at each point of the way."""
    network = verifier.network_
    assert network is not None
    config = _config(verifier.training, settings, prepared.labels)
    old = {name: p.detach().clone() for name, p in trained_parameters(network).items()}
    data = TrainingData(
        prepared.corpus,
        draw=prepared.training_draws(config, seed=settings.seed),
        dev={"": dev},
    )
    state = TrainingState()
    optimiser = make_optimiser(network, config)
    for step in train(network, optimiser, data, config, state, seed=settings.seed):
        progress(f"epoch {step.epoch}", step.step, step.n_steps)
    errors = {}
    for share in SHARES:
        with weights_set(network, _between(old, state.best, share)):
            distances = pair_distances(network, prepared.corpus, dev, max_lines=config.max_lines)
            errors[str(share)] = lowest_error(distances, dev.same_author)
    best = min(SHARES, key=lambda share: (errors[str(share)], share))
    network.load_state_dict({**network.state_dict(), **_between(old, state.best, best)})
    network.eval()
    return best, errors


def _config(trained: TrainingConfig, settings: AdaptSettings, labels: Labels) -> TrainingConfig:
    """As it was trained, with smaller steps; a batch holds no more pairs than there are authors."""
    n_authors = len(np.unique(labels.authors[labels.places("train")]))
    if n_authors < 2:
        raise InputError(f"{n_authors} training authors: at least two are needed to adapt")
    return replace(
        trained,
        epochs=settings.epochs,
        patience=settings.patience,
        learning_rate=settings.learning_rate,
        restart_steps=10**9,  # no restarts
        batch_pairs=max(2, min(settings.batch_pairs, n_authors)),
        average=0.0,
    )


def _between(old: dict[str, Tensor], new: dict[str, Tensor], share: float) -> dict[str, Tensor]:
    return {name: old[name].lerp(new[name], share) for name in old}


def draw_pairs(labels: Labels, split: str, *, seed: int) -> PairTable:
    """Several epochs of pairs, each once: few authors make few pairs in one."""
    places = labels.places(split)
    tables = [labels.draw(places, seed=seed, epoch=epoch) for epoch in range(_EPOCHS)]
    return join_distinct(tables).at_most(_MOST_PAIRS)


def pair_texts(corpus: Corpus, table: PairTable, prefix: str) -> Sequence[Pair]:
    documents = corpus.documents(np.concatenate([table.left, table.right]))
    return table.pairs(documents, prefix=prefix)
