"""The calibration of a verifier fitted to another kind of text; what it has learned stays."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from adhominem.instrument.neural import NeuralVerifier
from adhominem.instrument.verifier import Verifier
from adhominem.laboratory.calibration.by_genre import calibrate
from adhominem.laboratory.corpus.store import Corpus
from adhominem.laboratory.evaluation.answers import judge
from adhominem.laboratory.evaluation.evaluate import evaluate
from adhominem.laboratory.evaluation.track_records import track_records
from adhominem.laboratory.experiment.adapt import Progress, draw_pairs, pair_texts


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
    calibrate(calibrated, dev)
    progress("measuring", 1, 3)
    after = judge(calibrated, test)
    calibrated.track_record_ = tuple(track_records(after, None))
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
