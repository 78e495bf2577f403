"""Adaptation of a model to a domain with few known authors: fine-tuning, or calibration only.

For fine-tuning, three fifths of the authors are for training, one for development and one for the
report. The network is trained with a small learning rate; then the new weights are interpolated
with the old ones, with the share that has the lowest development error, which may be 0. The
calibration is fitted to the new domain.
"""

import copy
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from adhominem.errors import InputError, NotFittedError
from adhominem.instrument.neural import NeuralVerifier
from adhominem.instrument.text.encode import encode
from adhominem.instrument.verifier import Verifier
from adhominem.laboratory.calibration.by_genre import calibrate
from adhominem.laboratory.corpus import Progress
from adhominem.laboratory.corpus.labels import Labels
from adhominem.laboratory.corpus.pairs import PairTable
from adhominem.laboratory.corpus.store import Corpus
from adhominem.laboratory.evaluation.answers import judge
from adhominem.laboratory.evaluation.evaluate import evaluate, track_records
from adhominem.laboratory.experiment.prepare import Prepared
from adhominem.laboratory.network import arrays_of, network_of_arrays, weights_set
from adhominem.laboratory.network.encoder import distances_by_genre, lowest_error
from adhominem.laboratory.training import TrainingConfig, loop
from adhominem.laboratory.training.data import TrainingData
from adhominem.records import Pair

SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)  # of the new weights in the interpolation
_MOST_PAIRS = 1000  # per cell, for calibration and report


@dataclass(frozen=True, slots=True)
class AdaptSettings:
    """Settings of fine-tuning."""

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
    """Return a fine-tuned copy, and a report of both on authors that neither was trained on."""
    if not verifier.arrays_ or verifier.vocabulary_ is None:
        raise NotFittedError("this verifier is not fitted: load or fit one before adapting it")
    labels = corpus.labels.for_fold(0)
    limits = {"max_words": verifier.max_words, "max_characters": verifier.max_characters}
    encoded = encode(corpus.tokenised(), verifier.vocabulary_, **limits)
    prepared = Prepared(encoded, verifier.vocabulary_, labels, (corpus.folder.name,))
    drawn, dev, test = _draw_pairs(corpus, labels, seed=settings.seed)
    adapted = copy.deepcopy(verifier)
    share, errors = _fine_tune(adapted, prepared, drawn, settings, progress)
    progress("measuring", 0, 1)
    return adapted, {
        "settings": asdict(settings),
        "authors": _count_authors(labels, "train", "dev", "test"),
        "share_of_the_way": share,
        "dev_error": errors,
        "before": evaluate(judge(verifier, test)),
        "recalibrated": evaluate(judge(calibrate(copy.deepcopy(verifier), dev), test)),
        "after": _calibrate_and_measure(adapted, dev, test),
    }


def recalibrate(
    verifier: Verifier, corpus: Corpus, *, seed: int = 1, progress: Progress = lambda *_: None
) -> tuple[Verifier, dict[str, Any]]:
    """Return a copy calibrated on four fifths of the authors and a report of both on the others."""
    labels = corpus.labels.for_fold(0).without_training()
    _, dev, test = _draw_pairs(corpus, labels, seed=seed)
    progress("calibrating", 0, 2)
    calibrated = copy.deepcopy(verifier)
    after = _calibrate_and_measure(calibrated, dev, test)
    progress("measuring", 1, 2)
    return calibrated, {
        "settings": {"seed": seed},
        "authors": _count_authors(labels, "dev", "test"),
        "before": evaluate(judge(verifier, test)),
        "recalibrated": after,
    }


def _draw_pairs(
    corpus: Corpus, labels: Labels, *, seed: int
) -> tuple[PairTable, list[Pair], list[Pair]]:
    """Return the development pairs as a table and with texts, and the test pairs with texts."""
    drawn = (labels.draw_several(split, seed=seed) for split in ("dev", "test"))
    dev, test = (table.at_most(_MOST_PAIRS) for table in drawn)
    return dev, corpus.pairs(dev, prefix="dev"), corpus.pairs(test, prefix="test")


def _calibrate_and_measure(verifier: Verifier, dev: list[Pair], test: list[Pair]) -> dict[str, Any]:
    """Calibrate a verifier for a single genre, set its track record, and return its measures."""
    if isinstance(verifier, NeuralVerifier):
        verifier.genres_ = None
    calibrate(verifier, dev)
    answers = judge(verifier, test)
    verifier.track_record_ = tuple(track_records(answers, None))
    return evaluate(answers)


def _count_authors(labels: Labels, *splits: str) -> dict[str, int]:
    return {split: len(np.unique(labels.authors[labels.indices(split)])) for split in splits}


def _fine_tune(
    verifier: NeuralVerifier,
    prepared: Prepared,
    dev: PairTable,
    settings: AdaptSettings,
    progress: Progress,
) -> tuple[float, dict[str, float]]:
    """Train the network and set the interpolated weights; return the share of the new weights, and
    the development error at each share."""
    network = network_of_arrays(verifier.network, verifier.sizes, verifier.arrays_)
    n_authors = _count_authors(prepared.labels, "train")["train"]
    if n_authors < 2:
        raise InputError(f"{n_authors} training authors: at least two are needed to adapt")
    config = replace(
        TrainingConfig(**verifier.state().settings["training"]),
        epochs=settings.epochs,
        patience=settings.patience,
        learning_rate=settings.learning_rate,
        restart_steps=10**9,  # no restarts
        batch_pairs=max(2, min(settings.batch_pairs, n_authors)),
        average=0.0,
    )
    old = {name: p.detach().clone() for name, p in loop.trained_parameters(network).items()}
    draw = prepared.training_draws(config, seed=settings.seed)
    data, state = TrainingData(prepared.corpus, draw, {"": dev}), loop.TrainingState()
    optimiser = loop.make_optimiser(network, config)
    for step in loop.train(network, optimiser, data, config, state, seed=settings.seed):
        progress(f"epoch {step.epoch}", step.step, step.n_steps)
    errors, most = {}, config.max_lines
    mixed = {share: {n: old[n].lerp(state.best[n], share) for n in old} for share in SHARES}
    for share, weights in mixed.items():
        with weights_set(network, weights):
            distances = distances_by_genre(network, data.corpus, data.dev, max_lines=most)
            errors[str(share)] = lowest_error(distances[""], dev.same_author)
    best = min(SHARES, key=lambda share: (errors[str(share)], share))
    network.load_state_dict({**network.state_dict(), **mixed[best]})
    verifier.set_arrays(arrays_of(network))
    return best, errors
