"""The calibration of a verifier fitted to another kind of text; what it has learned stays."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from adhominem.corpus.store import Corpus
from adhominem.evaluation.evaluate import evaluate
from adhominem.evaluation.experienced import experience_of
from adhominem.evaluation.on_pairs import judge
from adhominem.experiment.adapt import Progress, draw_pairs, pair_texts
from adhominem.verifier import Verifier
from adhominem.verifiers.neural import NeuralVerifier


def recalibrate(
    verifier: Verifier,
    corpus: Corpus,
    *,
    seed: int = 1,
    progress: Progress = lambda *_: None,
) -> tuple[Verifier, dict[str, Any]]:
    """A calibrated copy, and how both do on a fifth of the authors that is for the report; all
    others are for the calibration, as nothing else is learnt from them."""
    labels = corpus.labels.for_fold(0)
    labels.splits[labels.splits == 0] = 1
    dev, test = (
        pair_texts(corpus, draw_pairs(labels, split, seed=seed), split) for split in ("dev", "test")
    )
    progress("calibrating", 0, 3)
    calibrated = copy.deepcopy(verifier)
    if isinstance(calibrated, NeuralVerifier):
        calibrated.genres_ = None  # it is a model of one kind of text now
    calibrated.calibrate(dev)
    progress("measuring", 1, 3)
    after = judge(calibrated, test)
    calibrated.experience_ = tuple(experience_of(after, None))
    progress("measuring", 2, 3)
    report = {
        "settings": {"seed": seed},
        "authors": {
            split: len(np.unique(labels.authors[labels.places(split)])) for split in ("dev", "test")
        },
        "before": evaluate(judge(verifier, test)),
        "recalibrated": evaluate(after),
    }
    return calibrated, report
