"""Cross-validation of one method: every author of a corpus is in the test fold of one turn.

In each turn one fold is for testing, the next for development, the others for training. The pairs
depend on the corpus, the seed and the fold alone, so all methods are tested on the same ones.

run/experiment.json            settings
run/inputs.json                hashes of the corpus and the vectors
run/fold-K/answers.parquet     the answer to every test pair of a turn; written when it is done
run/fold-K/                    for a network also the files of its run
run/answers.parquet            the answers of all turns
run/evaluation.json            measures, and the corpus and versions they belong to
"""

from __future__ import annotations

import importlib.metadata
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from adhominem.errors import ExperimentError
from adhominem.files import sha256, write_whole
from adhominem.instrument.verifier import Verifier
from adhominem.laboratory.corpus.labels import Labels
from adhominem.laboratory.corpus.store import MANIFEST, Corpus
from adhominem.laboratory.evaluation.answer_files import read_answers, write_answers
from adhominem.laboratory.evaluation.answers import Answers, join_answers, judge
from adhominem.laboratory.evaluation.evaluate import evaluate
from adhominem.laboratory.experiment.finish import trained_verifier
from adhominem.laboratory.experiment.run import prepare_stage, train_stage
from adhominem.laboratory.experiment.run_folder import RunFolder, claim_folder, claim_inputs
from adhominem.laboratory.experiment.settings import Experiment
from adhominem.laboratory.verifiers.base import new_method
from adhominem.records import Pair

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class _Turn:
    """One turn of a cross-validation: its fold is that of the experiment."""

    experiment: Experiment
    corpus: Corpus
    folder: Path
    device: str
    vectors: Sequence[Path]
    progress: Progress

    def texts(self, split: str) -> list[Pair]:
        """Return the pairs of a split, as many of each cell as the experiment asks for."""
        experiment = self.experiment
        assert experiment.fold is not None
        labels = self.corpus.labels.for_fold(experiment.fold)
        most = getattr(experiment.pairs, split)
        return draw_texts(self.corpus, labels, split, experiment, most)


def cross_validate(
    experiment: Experiment,
    corpus: Corpus,
    folder: Path,
    *,
    device: str = "cpu",
    vectors: Sequence[Path] = (),
    progress: Progress = lambda *_: None,
) -> dict[str, Any]:
    """Run all turns that are not done yet; return the evaluation of all."""
    run = RunFolder(folder)
    claim_folder(experiment, run)
    claim_inputs(run, corpus=[corpus.folder], vectors=vectors)
    parts = []
    for fold in range(corpus.manifest["settings"]["folds"]):
        path = folder / f"fold-{fold}" / "answers.parquet"
        if not path.exists():
            own = replace(experiment, fold=fold)
            turn = _Turn(own, corpus, path.parent, device, vectors, progress)
            write_answers(_answer(turn), path)
        parts.append(read_answers(path))
    answers = join_answers(parts)
    write_answers(answers, folder / "answers.parquet")
    errors = [evaluate(part)["error"] for part in parts]
    report = {
        "experiment": experiment.to_dict(),
        "versions": {
            name: importlib.metadata.version(name)
            for name in ("adhominem", "numpy", "scikit-learn", "torch")
        },
        "corpus": {
            "name": corpus.folder.resolve().name,
            "sha256": sha256(corpus.folder / MANIFEST),
        },
        "folds": {
            "error": errors,
            "mean": float(np.mean(errors)),
            "deviation": float(np.std(errors, ddof=1)) if len(errors) > 1 else 0.0,
        },
        **evaluate(answers),
    }
    write_whole(run.evaluation, json.dumps(report, indent=2) + "\n")
    return report


def draw_texts(
    corpus: Corpus, labels: Labels, split: str, experiment: Experiment, most: int
) -> list[Pair]:
    """Return at most so many pairs of each cell, with their texts; ids begin with the fold."""
    table = labels.draw(labels.indices(split), seed=experiment.seed, epoch=0).at_most(most)
    fold = int(labels.folds[labels.indices("test")[0]])
    return corpus.pairs(table, prefix=f"fold-{fold}-{split}")


def _answer(turn: _Turn) -> Answers:
    fold = turn.experiment.fold
    turn.progress(f"fitting {fold}", 0, 1)
    verifier = _trained(turn) if turn.experiment.method == "neural" else _fitted(turn)
    return judge(
        verifier,
        turn.texts("test"),
        progress=lambda done, total: turn.progress(f"testing {fold}", done, total),
    )


def _fitted(turn: _Turn) -> Verifier:
    """Return a compared method, fitted on the pairs of the turn."""
    method, settings = turn.experiment.method, turn.experiment.settings
    try:
        verifier = new_method(method, settings)
    except TypeError as error:
        raise ExperimentError(f"[settings] does not fit {method}: {error}") from None
    return verifier.fit(turn.texts("train"), turn.texts("dev"))


def _trained(turn: _Turn) -> Verifier:
    """Return a network, trained as a run in the folder of the turn."""
    from adhominem.laboratory.training.processes import World

    experiment, run, progress = turn.experiment, RunFolder(turn.folder), turn.progress
    claim_folder(experiment, run)
    prepare_stage(
        experiment,
        run,
        sources=[turn.corpus.folder],
        vectors=turn.vectors,
        workers=1,
        progress=progress,
    )
    title = f"fold {experiment.fold}, epoch"
    train_stage(
        experiment,
        run,
        device=turn.device,
        world=World(),
        on_step=lambda step: progress(f"{title} {step.epoch}", step.step, step.n_steps),
    )
    return trained_verifier(experiment, run).calibrate(turn.texts("dev"))
