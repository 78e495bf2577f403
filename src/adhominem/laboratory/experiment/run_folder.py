"""The folder of a run: what is in it, and to which experiment and inputs it belongs.

run/experiment.json   settings
run/inputs.json       hashes of the corpus and the vectors that were given
run/built/            corpora made of documents, where these were given and not a corpus
run/prepared/         corpora as integers, development and test pairs as texts
run/vectors/          word vectors for the vocabulary
run/taught.npy        features of every document by the teachers, where there are any
run/checkpoint.safetensors
run/history.json      one record per epoch
run/model/            the trained, calibrated model with its card
run/evaluation.json   how it does on the test authors of each genre
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adhominem.errors import ExperimentError
from adhominem.files import sha256, write_whole
from adhominem.laboratory.experiment.settings import Experiment


@dataclass(frozen=True, slots=True)
class RunFolder:
    path: Path

    @property
    def experiment(self) -> Path:
        return self.path / "experiment.json"

    @property
    def built(self) -> Path:
        return self.path / "built"

    @property
    def inputs(self) -> Path:
        return self.path / "inputs.json"

    @property
    def prepared(self) -> Path:
        return self.path / "prepared"

    @property
    def vectors(self) -> Path:
        return self.path / "vectors"

    @property
    def taught(self) -> Path:
        return self.path / "taught.npy"

    @property
    def checkpoint(self) -> Path:
        return self.path / "checkpoint.safetensors"

    @property
    def history(self) -> Path:
        return self.path / "history.json"

    @property
    def model(self) -> Path:
        return self.path / "model"

    @property
    def evaluation(self) -> Path:
        return self.path / "evaluation.json"


def claim_folder(experiment: Experiment, run: RunFolder) -> None:
    """A run folder belongs to one experiment: going on with other settings is refused."""
    settings = json.loads(json.dumps(experiment.to_dict()))
    if run.experiment.exists():
        if _with_new_keys(json.loads(run.experiment.read_text())) != settings:
            raise ExperimentError(
                f"{run.path} holds a run with other settings: give another -o or --force"
            )
        return
    write_whole(run.experiment, json.dumps(settings, indent=2) + "\n")


def claim_inputs(run: RunFolder, **inputs: Sequence[Path]) -> None:
    """A run goes on with what it began with: another corpus or other vectors are refused. An input
    that is not named this time is not looked at."""
    given = {
        name: [sha256(_fingerprint(path)) for path in paths]
        for name, paths in inputs.items()
        if paths
    }
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


def _fingerprint(path: Path) -> Path:
    """The file that stands for an input: a corpus has the hashes of all its files in one."""
    return path / "manifest.json" if path.is_dir() else path


def _with_new_keys(settings: dict[str, Any]) -> dict[str, Any]:
    """What an earlier version wrote, with the usual values of keys that it did not know."""
    usual: dict[str, Any] = json.loads(json.dumps(Experiment(name="").to_dict()))
    merged = {**usual, **settings}
    for section in ("pairs", "corpus", "text", "training"):
        merged[section] = {**usual[section], **merged[section]}
    return merged
