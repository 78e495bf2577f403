"""Cross-validation of one method: every author of a corpus is in the test fold of one turn.

In each turn one fold is for testing, the next for development, the others for training. The pairs
depend on the corpus, the seed and the fold alone, so all methods are tested on the same ones.

The run folder has answers.parquet and evaluation.json (measures, corpus and versions) of all turns,
and fold-K/answers.parquet of each that is done; for a network also the files of its run.
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
from adhominem.laboratory.verifiers import new_method
from adhominem.records import Pair


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
    run = runs.RunFolder(folder)
    runs.claim_folder(experiment, run)
    runs.claim_inputs(run, corpus=[corpus.folder], vectors=vectors)
    parts = []
    for fold in range(corpus.manifest["settings"]["folds"]):
        path = folder / f"fold-{fold}" / "answers.parquet"
        if not path.exists():
            turn = replace(experiment, fold=fold)
            write_answers(_answer(turn, corpus, path.parent, device, vectors, progress), path)
        parts.append(read_answers(path))
    answers = Answers.join(parts)
    write_answers(answers, folder / "answers.parquet")
    origin = corpus.folder.resolve()
    report = {
        "experiment": experiment.to_dict(),
        "versions": {
            name: importlib.metadata.version(name)
            for name in ("adhominem", "numpy", "scikit-learn", "torch")
        },
        "corpus": {"name": origin.name, "sha256": sha256(origin / MANIFEST)},
        "folds": by_fold(answers),
        **evaluate(answers),
    }
    write_whole(run.evaluation, json.dumps(report, indent=2) + "\n")
    return report


def draw_texts(corpus: Corpus, experiment: Experiment, split: str) -> list[Pair]:
    """Return the pairs of one turn; only training pairs may be drawn more than once."""
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
    """Run one turn, that of the experiment's fold; a network is trained as a run in `folder`."""
    fold, texts = experiment.fold, partial(draw_texts, corpus, experiment)
    progress(f"fitting {fold}", 0, 1)
    verifier: Verifier
    if experiment.method == "neural":
        run = runs.RunFolder(folder)
        runs.claim_folder(experiment, run)
        runs.prepare_stage(
            experiment, run, sources=[corpus.folder], vectors=vectors, workers=1, progress=progress
        )
        title = f"fold {fold}, epoch"
        runs.train_stage(
            experiment,
            run,
            device=device,
            world=World(),
            on_step=lambda step: progress(f"{title} {step.epoch}", step.step, step.n_steps),
        )
        verifier = calibrate(trained_verifier(experiment, run), texts("dev"))
    else:
        try:
            method = new_method(experiment.method, experiment.settings)
        except TypeError as error:
            raise ExperimentError(f"[settings] does not fit {experiment.method}: {error}") from None
        verifier = method.fit(texts("train"), texts("dev"))
    return judge(verifier, texts("test"), progress=partial(progress, f"testing {fold}"))
