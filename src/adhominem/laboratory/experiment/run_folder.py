"""The folder of a run, and the experiment and inputs that it belongs to.

run/experiment.json   settings
run/inputs.json       hashes of the corpora and vectors that were given
run/built/            corpora built from documents, if documents were given
run/prepared/         corpora as integers, development and test pairs as texts
run/vectors/          word vectors for the vocabulary
run/taught.npy        features of every document by the teachers, if there are any
run/checkpoint.safetensors
run/history.json      one record per epoch
run/model/            the trained, calibrated model with its card
run/evaluation.json   measures on the test authors of each genre
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from adhominem.errors import ExperimentError
from adhominem.files import sha256, write_whole
from adhominem.laboratory.experiment.settings import Experiment, stored_experiment


class RunFolder:
    """The paths of all files of a run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.experiment = path / "experiment.json"
        self.inputs = path / "inputs.json"
        self.built = path / "built"
        self.prepared = path / "prepared"
        self.vectors = path / "vectors"
        self.taught = path / "taught.npy"
        self.checkpoint = path / "checkpoint.safetensors"
        self.history = path / "history.json"
        self.model = path / "model"
        self.evaluation = path / "evaluation.json"


def claim_folder(experiment: Experiment, run: RunFolder) -> None:
    """Record the experiment in a new run folder; refuse a folder of another experiment."""
    settings = json.dumps(experiment.to_dict(), indent=2)
    if not run.experiment.exists():
        write_whole(run.experiment, f"{settings}\n")
    elif stored_experiment(run.experiment).to_dict() != json.loads(settings):
        raise ExperimentError(
            f"{run.path} holds a run with other settings: give another -o or --force"
        )


def claim_inputs(run: RunFolder, **inputs: Sequence[Path]) -> None:
    """Record the hashes of the inputs; refuse inputs other than those the run was begun with. An
    input that is not given this time is not checked."""
    given = {name: [_hash(path) for path in paths] for name, paths in inputs.items() if paths}
    known: dict[str, list[str]] = {}
    if run.inputs.exists():
        known = json.loads(run.inputs.read_text())
    for name, hashes in given.items():
        if known.get(name, hashes) != hashes:
            raise ExperimentError(
                f"{run.path} was begun with another {name}: give that again, or another -o"
            )
    if known | given != known:
        write_whole(run.inputs, json.dumps(known | given, indent=2) + "\n")


def _hash(path: Path) -> str:
    """Return the hash of an input; for a corpus that of its manifest, which has all others."""
    return sha256(path / "manifest.json" if path.is_dir() else path)
