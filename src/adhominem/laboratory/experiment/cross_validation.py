"""Cross-validation of one method: every author of a corpus is in the test fold once.

For each test fold, the next fold is for development and the others are for training. Pairs depend
on the corpus, the seed and the fold only, so all methods are tested on the same pairs.

The run folder has answers.parquet and evaluation.json (measures, corpus and versions) of all folds
and fold-K/answers.parquet of each finished fold; for a network also the files of its run.
"""

import importlib.metadata
import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from adhominem.errors import ExperimentError
from adhominem.files import sha256, write_whole
from adhominem.instrument.verifier import Verifier
from adhominem.laboratory.calibration.by_genre import calibrate
from adhominem.laboratory.corpus import Progress
from adhominem.laboratory.corpus.store import MANIFEST, Corpus
from adhominem.laboratory.evaluation.answer_files import read_answers, write_answers
from adhominem.laboratory.evaluation.answers import Answers, judge
from adhominem.laboratory.evaluation.evaluate import by_fold, evaluate
from adhominem.laboratory.experiment import Experiment
from adhominem.laboratory.experiment import run as runs
from adhominem.laboratory.experiment.finish import trained_verifier
from adhominem.laboratory.training import World
from adhominem.laboratory.training.loop import TrainingStep
from adhominem.laboratory.verifiers import new_method
from adhominem.records import Pair

_PACKAGES = ("adhominem", "numpy", "scikit-learn", "torch")


def cross_validate(
    experiment: Experiment,
    corpus: Corpus,
    folder: Path,
    *,
    device: str = "cpu",
    vectors: Sequence[Path] = (),
    progress: Progress = lambda *_: None,
) -> dict[str, Any]:
    """Run all folds that are not done yet; return the evaluation of all folds."""
    run = runs.RunFolder(folder)
    runs.claim_folder(experiment, run)
    runs.claim_inputs(run, corpus=[corpus.folder], vectors=vectors)
    parts = []
    for fold in range(corpus.manifest["settings"]["folds"]):
        path = folder / f"fold-{fold}" / "answers.parquet"
        if not path.exists():
            own = replace(experiment, fold=fold)
            write_answers(_answer(own, corpus, path.parent, device, vectors, progress), path)
        parts.append(read_answers(path))
    answers = Answers.join(parts)
    write_answers(answers, folder / "answers.parquet")
    origin = corpus.folder.resolve()
    report = {
        "experiment": experiment.to_dict(),
        "versions": {name: importlib.metadata.version(name) for name in _PACKAGES},
        "corpus": {"name": origin.name, "sha256": sha256(origin / MANIFEST)},
        "folds": by_fold(answers),
        **evaluate(answers),
    }
    write_whole(run.evaluation, json.dumps(report, indent=2) + "\n")
    return report


def draw_texts(corpus: Corpus, experiment: Experiment, split: str) -> list[Pair]:
    """Return the pairs of a split of one fold; only training pairs may be drawn repeatedly."""
    labels, pairs = corpus.labels.for_fold(experiment.fold or 0), experiment.pairs
    most, draws = int(getattr(pairs, split)), pairs.draws if split == "train" else 1
    table = labels.draw_several(split, seed=experiment.seed, enough=most, draws=draws)
    return corpus.pairs(table.at_most(most), prefix=f"fold-{experiment.fold}-{split}")


def _answer(
    experiment: Experiment,
    corpus: Corpus,
    folder: Path,
    device: str,
    vectors: Sequence[Path],
    progress: Progress,
) -> Answers:
    """Fit a verifier for the fold of the experiment and return its answers to the test pairs; a
    network is trained as a run in `folder`."""
    fold, texts = experiment.fold, partial(draw_texts, corpus, experiment)
    progress(f"fitting {fold}", 0, 1)
    verifier: Verifier
    if experiment.method == "neural":

        def on_step(step: TrainingStep) -> None:
            progress(f"fold {fold}, epoch {step.epoch}", step.step, step.n_steps)

        run, sources = runs.RunFolder(folder), [corpus.folder]
        runs.claim_folder(experiment, run)
        given = {"sources": sources, "vectors": vectors}
        runs.prepare_stage(experiment, run, **given, workers=1, progress=progress)
        runs.train_stage(experiment, run, device=device, world=World(), on_step=on_step)
        verifier = calibrate(trained_verifier(experiment, run), texts("dev"))
    else:
        try:
            method = new_method(experiment.method, experiment.settings)
        except TypeError as error:
            raise ExperimentError(f"[settings] does not fit {experiment.method}: {error}") from None
        verifier = method.fit(texts("train"), texts("dev"))
    return judge(verifier, texts("test"), progress=partial(progress, f"testing {fold}"))
