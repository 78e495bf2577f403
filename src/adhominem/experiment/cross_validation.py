"""A row of a table: one method, tested on every author of a corpus in turns.

In each turn one fold is for testing, the next for development, the others for training. The pairs
depend on the corpus, the seed and the fold alone, so all methods are tested on the same ones.

run/experiment.json            settings
run/inputs.json                hashes of the corpus and the vectors
run/fold-K/answers.parquet     the answer to every test pair of a turn; a turn that has it is done
run/fold-K/                    for a network also what `adhominem train` leaves there
run/answers.parquet            all turns together
run/evaluation.json            figures, with what they were measured on
"""

from __future__ import annotations

import importlib.metadata
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from adhominem.corpus.labels import Labels
from adhominem.corpus.store import MANIFEST, Corpus
from adhominem.errors import ExperimentError
from adhominem.evaluation.answer_files import read_answers, write_answers
from adhominem.evaluation.answers import join_answers
from adhominem.evaluation.evaluate import evaluate
from adhominem.evaluation.on_pairs import judge
from adhominem.experiment.run import (
    RunFolder,
    claim_folder,
    claim_inputs,
    prepare_stage,
    train_stage,
    trained_verifier,
)
from adhominem.experiment.settings import Experiment
from adhominem.files import sha256, write_whole
from adhominem.records import Pair
from adhominem.registry import verifier_class
from adhominem.verifier import Verifier

Progress = Callable[[str, int, int], None]


def cross_validate(
    experiment: Experiment,
    corpus: Corpus,
    folder: Path,
    *,
    device: str = "cpu",
    vectors: Sequence[Path] = (),
    progress: Progress = lambda *_: None,
) -> dict[str, Any]:
    """All turns, going on after the last one that is done; returns the evaluation."""
    run = RunFolder(folder)
    claim_folder(experiment, run)
    claim_inputs(run, corpus=[corpus.folder], vectors=vectors)
    n_folds = corpus.manifest["settings"]["folds"]
    paths = [folder / f"fold-{fold}" / "answers.parquet" for fold in range(n_folds)]
    for fold, path in enumerate(paths):
        if not path.exists():
            labels = corpus.labels.for_fold(fold)
            turn = replace(experiment, fold=fold)
            verifier = _fitted(turn, corpus, labels, path.parent, device, vectors, progress)
            pairs = draw_texts(corpus, labels, "test", experiment, experiment.pairs.test)
            write_answers(
                judge(
                    verifier,
                    pairs,
                    progress=lambda done, total, k=fold: progress(f"testing {k}", done, total),  # type: ignore[misc]
                ),
                path,
            )
    parts = [read_answers(path) for path in paths]
    answers = join_answers(parts)
    write_answers(answers, folder / "answers.parquet")
    errors = [evaluate(part)["error"] for part in parts]
    report = {
        "experiment": experiment.as_dict(),
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
    """At most so many pairs of each cell, as texts; their ids begin with the fold."""
    table = labels.draw(labels.places(split), seed=experiment.seed, epoch=0).at_most(most)
    documents = corpus.documents(np.concatenate([table.left, table.right]))
    fold = int(labels.folds[labels.places("test")[0]])
    return table.pairs(documents, prefix=f"fold-{fold}-{split}")


def _fitted(
    turn: Experiment,
    corpus: Corpus,
    labels: Labels,
    folder: Path,
    device: str,
    vectors: Sequence[Path],
    progress: Progress,
) -> Verifier:
    progress(f"fitting {turn.fold}", 0, 1)
    if turn.method == "neural":
        return _trained(turn, corpus, labels, folder, device, vectors, progress)
    train = draw_texts(corpus, labels, "train", turn, turn.pairs.train)
    dev = draw_texts(corpus, labels, "dev", turn, turn.pairs.dev)
    try:
        verifier = verifier_class(turn.method)(**turn.settings)
    except TypeError as error:
        raise ExperimentError(f"[settings] does not fit {turn.method}: {error}") from None
    return verifier.fit(train, dev)


def _trained(
    turn: Experiment,
    corpus: Corpus,
    labels: Labels,
    folder: Path,
    device: str,
    vectors: Sequence[Path],
    progress: Progress,
) -> Verifier:
    from adhominem.training.processes import World

    run = RunFolder(folder)
    claim_folder(turn, run)
    prepare_stage(turn, run, source=corpus.folder, vectors=vectors, workers=1, progress=progress)
    train_stage(
        turn,
        run,
        device=device,
        world=World(),
        on_step=lambda step: progress(
            f"fold {turn.fold}, epoch {step.epoch}", step.step, step.n_steps
        ),
    )
    verifier = trained_verifier(turn, run)
    dev = draw_texts(corpus, labels, "dev", turn, turn.pairs.dev)
    return verifier.calibrate(dev)
