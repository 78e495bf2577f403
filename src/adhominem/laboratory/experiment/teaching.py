"""Learning from finished runs: their features of every document, side by side, for one to meet.

The squared distance between such rows is the mean of the teachers' squared distances, each divided
by its temperature.
"""

from __future__ import annotations

import io
from collections.abc import Sequence

import numpy as np

from adhominem.errors import ExperimentError
from adhominem.files import sha256, write_whole
from adhominem.laboratory.experiment.prepare import load_prepared
from adhominem.laboratory.experiment.run import network_of
from adhominem.laboratory.experiment.run_folder import RunFolder
from adhominem.laboratory.experiment.settings import stored_experiment


def teach_stage(run: RunFolder, teachers: Sequence[RunFolder], *, device: str) -> None:
    """Teachers are runs over the same prepared corpora."""
    if run.taught.exists() or not teachers:
        return
    from adhominem.laboratory.network.encoder import encode_documents
    from adhominem.laboratory.training.checkpoint import load_best

    prepared = load_prepared(run.prepared)
    own = sha256(run.prepared / "vocabulary.json")
    features = []
    for teacher in teachers:
        if not teacher.checkpoint.is_file():
            raise ExperimentError(f"{teacher.path} is no trained run: a teacher must be one")
        if sha256(teacher.prepared / "vocabulary.json") != own:
            raise ExperimentError(
                f"{teacher.path} has another vocabulary than {run.path}: "
                "a teacher must have learnt from the same corpora"
            )
        experiment = stored_experiment(teacher.experiment)
        network = network_of(experiment, teacher, prepared.vocabulary)
        load_best(teacher.checkpoint, network)
        read = encode_documents(network.to(device), prepared.corpus).features
        features.append(read / np.sqrt(experiment.training.temperature * len(teachers)))
    joined = np.concatenate(features, axis=1)
    content = io.BytesIO()
    np.save(content, joined.astype(np.float16))
    write_whole(run.taught, content.getvalue())
