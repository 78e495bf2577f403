"""A model for another domain, of which few authors are known: trained further, or only calibrated.

To adapt, three fifths of the authors are learnt from, one fifth decides how far to go, and one
fifth is for the report. The network is trained further in small steps. The new weights are then
interpolated with the old ones, up to the point with the lowest development error, which may be the
old weights. The calibration is fitted to the new domain.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from torch import Tensor

from adhominem.errors import InputError, NotFittedError
from adhominem.instrument.neural import NeuralVerifier
from adhominem.instrument.text.encode import encode
from adhominem.instrument.verifier import Verifier
from adhominem.laboratory.calibration.by_genre import calibrate
from adhominem.laboratory.corpus.labels import Labels
from adhominem.laboratory.corpus.pairs import PairTable, join_distinct
from adhominem.laboratory.corpus.store import Corpus
from adhominem.laboratory.evaluation.answers import judge
from adhominem.laboratory.evaluation.evaluate import evaluate, track_records
from adhominem.laboratory.experiment.prepare import Prepared
from adhominem.laboratory.network.arrays import arrays_of, network_of_arrays
from adhominem.laboratory.training.average import weights_set
from adhominem.laboratory.training.config import TrainingConfig
from adhominem.laboratory.training.loop import (
    TrainingData,
    TrainingState,
    make_optimiser,
    train,
    trained_parameters,
)
from adhominem.laboratory.training.measuring import lowest_error, pair_distances

Progress = Callable[[str, int, int], None]
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)  # of the new weights in the interpolation
_MOST_PAIRS = 1000  # of a cell, for calibration and report
_EPOCHS = 10  # of which pairs are drawn


@dataclass(frozen=True, slots=True)
class AdaptSettings:
    """Settings of the further training: small steps, and few of them."""

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
    """Return an adapted copy, and a report of both on authors that neither was trained on."""
    if not verifier.arrays_ or verifier.vocabulary_ is None:
        raise NotFittedError("this verifier is not fitted: load or fit one before adapting it")
    labels = corpus.labels.for_fold(0)
    encoded = encode(
        corpus.tokenised(),
        verifier.vocabulary_,
        max_words=verifier.max_words,
        max_characters=verifier.max_characters,
    )
    prepared = Prepared(encoded, verifier.vocabulary_, labels, (corpus.folder.name,))
    dev, test = (_draw_pairs(labels, split, seed=settings.seed) for split in ("dev", "test"))
    dev_texts = corpus.pairs(dev, prefix="dev")
    test_texts = corpus.pairs(test, prefix="test")
    adapted = copy.deepcopy(verifier)
    share, errors = _train_further(adapted, prepared, dev, settings, progress)
    adapted.genres_ = None  # it is a model of one genre now
    calibrate(adapted, dev_texts)
    progress("measuring", 0, 1)
    after = judge(adapted, test_texts)
    adapted.track_record_ = tuple(track_records(after, None))
    report = {
        "settings": asdict(settings),
        "authors": _count_authors(labels, "train", "dev", "test"),
        "share_of_the_way": share,
        "dev_error": errors,
        "before": evaluate(judge(verifier, test_texts)),
        "recalibrated": evaluate(judge(calibrate(copy.deepcopy(verifier), dev_texts), test_texts)),
        "after": evaluate(after),
    }
    return adapted, report


def recalibrate(
    verifier: Verifier,
    corpus: Corpus,
    *,
    seed: int = 1,
    progress: Progress = lambda *_: None,
) -> tuple[Verifier, dict[str, Any]]:
    """Return a copy calibrated on four fifths of the authors, and a report of both on the rest."""
    labels = corpus.labels.for_fold(0).without_training()
    dev, test = (
        corpus.pairs(_draw_pairs(labels, split, seed=seed), prefix=split)
        for split in ("dev", "test")
    )
    progress("calibrating", 0, 3)
    calibrated = copy.deepcopy(verifier)
    if isinstance(calibrated, NeuralVerifier):
        calibrated.genres_ = None  # it is a model of one genre now
    calibrate(calibrated, dev)
    progress("measuring", 1, 3)
    after = judge(calibrated, test)
    calibrated.track_record_ = tuple(track_records(after, None))
    progress("measuring", 2, 3)
    report = {
        "settings": {"seed": seed},
        "authors": _count_authors(labels, "dev", "test"),
        "before": evaluate(judge(verifier, test)),
        "recalibrated": evaluate(after),
    }
    return calibrated, report


def _draw_pairs(labels: Labels, split: str, *, seed: int) -> PairTable:
    """Return the pairs of several epochs, each once: few authors give few pairs in one epoch."""
    documents = labels.indices(split)
    tables = [labels.draw(documents, seed=seed, epoch=epoch) for epoch in range(_EPOCHS)]
    return join_distinct(tables).at_most(_MOST_PAIRS)


def _count_authors(labels: Labels, *splits: str) -> dict[str, int]:
    return {split: len(np.unique(labels.authors[labels.indices(split)])) for split in splits}


def _train_further(
    verifier: NeuralVerifier,
    prepared: Prepared,
    dev: PairTable,
    settings: AdaptSettings,
    progress: Progress,
) -> tuple[float, dict[str, float]]:
    """Train the verifier's network and set its weights; return the share of the new weights in
    them, and the development error at each share."""
    network = network_of_arrays(verifier.network, verifier.sizes, verifier.arrays_)
    trained = TrainingConfig(**verifier.state().settings["training"])
    config = _config(trained, settings, prepared.labels)
    old = {name: p.detach().clone() for name, p in trained_parameters(network).items()}
    data = TrainingData(
        prepared.corpus,
        draw=lambda epoch: prepared.draw_training(config, seed=settings.seed, epoch=epoch),
        dev={"": dev},
    )
    state = TrainingState()
    optimiser = make_optimiser(network, config)
    for step in train(network, optimiser, data, config, state, seed=settings.seed):
        progress(f"epoch {step.epoch}", step.step, step.n_steps)
    errors = {}
    for share in SHARES:
        with weights_set(network, _interpolate(old, state.best, share)):
            distances = pair_distances(network, prepared.corpus, dev, max_lines=config.max_lines)
            errors[str(share)] = lowest_error(distances, dev.same_author)
    best = min(SHARES, key=lambda share: (errors[str(share)], share))
    network.load_state_dict({**network.state_dict(), **_interpolate(old, state.best, best)})
    verifier.set_arrays(arrays_of(network))
    return best, errors


def _config(trained: TrainingConfig, settings: AdaptSettings, labels: Labels) -> TrainingConfig:
    """Return the settings of the first training with smaller steps, and batches of no more pairs
    than there are authors."""
    n_authors = _count_authors(labels, "train")["train"]
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


def _interpolate(old: dict[str, Tensor], new: dict[str, Tensor], share: float) -> dict[str, Tensor]:
    return {name: old[name].lerp(new[name], share) for name in old}
