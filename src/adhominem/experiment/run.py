"""An experiment file to a trained network, in stages that each go on where the last was stopped."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from adhominem.errors import ExperimentError
from adhominem.experiment.prepare import load_prepared, prepare
from adhominem.experiment.run_folder import RunFolder, claim_inputs
from adhominem.experiment.settings import Experiment
from adhominem.files import sha256, whole_folder, write_whole

if TYPE_CHECKING:
    from adhominem.corpus.build.build import Progress as BuildProgress
    from adhominem.corpus.store import Corpus
    from adhominem.network.model import SiameseNetwork
    from adhominem.text.vocabulary import Vocabulary
    from adhominem.training.loop import Step, TrainingState
    from adhominem.training.processes import World

_DEV_SEED = 1  # the same pairs for every run, so that runs can be compared
STAGES = ("prepared", "trained", "finished")


def prepare_stage(
    experiment: Experiment,
    run: RunFolder,
    *,
    sources: Sequence[Path],
    unseen: Sequence[Path] = (),
    vectors: Sequence[Path],
    workers: int,
    progress: BuildProgress,
) -> None:
    for source in (*sources, *unseen):
        if not source.exists():
            raise ExperimentError(f"{source}: no such corpus")
    claim_inputs(
        run,
        corpus=[source for source in sources if _hashable(source)],
        unseen=[source for source in unseen if _hashable(source)],
        vectors=vectors,
    )
    if not run.prepared.is_dir():
        if not sources:
            raise ExperimentError("no corpus: give one with --corpus")
        learnt, held_out = (
            [_corpus(experiment, run, source, workers, progress) for source in part]
            for part in (sources, unseen)
        )
        prepare(experiment, learnt, run.prepared, unseen=held_out)
    if vectors and not run.vectors.is_dir():
        _prepare_vectors(run, vectors, seed=experiment.seed)


def borrow_stage(experiment: Experiment, run: RunFolder, owner: RunFolder) -> None:
    """Instead of preparing: links to what another run has prepared, so that runs which differ in
    their network alone read the same corpora, pairs and word vectors."""
    try:
        manifest = json.loads((owner.prepared / "manifest.json").read_text())
        inputs = json.loads(owner.inputs.read_text())
    except (OSError, ValueError):
        raise ExperimentError(f"{owner.path} is no prepared run: prepare it first") from None
    for name, value in (("text", asdict(experiment.text)), ("fold", experiment.fold)):
        if manifest[name] != value:
            raise ExperimentError(
                f"{owner.path} was prepared with another {name} ({manifest[name]}) than this "
                f"experiment's ({value}): prepare the corpora for it with --corpus"
            )
    for source, link in ((owner.prepared, run.prepared), (owner.vectors, run.vectors)):
        if not source.is_dir():
            continue
        if not link.exists():
            link.symlink_to(os.path.relpath(source.resolve(), link.parent.resolve()))
        elif link.resolve() != source.resolve():
            raise ExperimentError(
                f"{run.path} was begun with corpora of its own: give another -o or --force"
            )
    write_whole(run.inputs, json.dumps(inputs, indent=2) + "\n")


def _corpus(
    experiment: Experiment,
    run: RunFolder,
    source: Path,
    workers: int,
    progress: BuildProgress,
) -> Corpus:
    """The corpus that was given, or one that is made of the documents that were."""
    from adhominem.corpus.build.build import build_corpus
    from adhominem.corpus.build.engine import Engine
    from adhominem.corpus.store import MANIFEST, Corpus

    if (source / MANIFEST).is_file():
        return Corpus.open(source)
    built = run.built / source.name.partition(".")[0]
    if not built.is_dir():
        run.built.mkdir(exist_ok=True)
        build_corpus(
            [str(source)],
            built,
            experiment.corpus.build_settings(seed=experiment.seed),
            engine=Engine(workers),
            progress=progress,
        )
    return Corpus.open(built)


def _prepare_vectors(run: RunFolder, sources: Sequence[Path], *, seed: int) -> None:
    from adhominem.text.vectors import combine, load_vectors

    words = load_prepared(run.prepared).vocabulary.words
    parts = [load_vectors(path, words, seed=seed) for path in sources]
    combined = combine(parts)
    with whole_folder(run.vectors) as target:
        np.save(target / "vectors.npy", combined.matrix.astype(np.float16))
        description = {
            "sources": [
                {"file": p.name, "sha256": sha256(p), "found": int(v.found.sum())}
                for p, v in zip(sources, parts, strict=True)
            ],
            "words": len(words),
            "found": int(combined.found.sum()),
            "dimensions": combined.matrix.shape[1],
        }
        (target / "vectors.json").write_text(json.dumps(description, indent=2))


def train_stage(
    experiment: Experiment,
    run: RunFolder,
    *,
    device: str,
    world: World,
    on_step: Callable[[Step], None],
) -> None:
    """Trains to the end, from the checkpoint if there is one. Only the first process writes."""
    import torch

    from adhominem.training.checkpoint import load_checkpoint, save_checkpoint
    from adhominem.training.data import TrainingData
    from adhominem.training.loop import TrainingState, make_optimiser, train

    if device == "cuda":
        torch.set_float32_matmul_precision("high")  # tf32: well within what training needs
    prepared = load_prepared(run.prepared)
    network = network_of(experiment, run, prepared.vocabulary).to(device)
    optimiser = make_optimiser(network, experiment.training)
    state = TrainingState()
    if run.checkpoint.exists():
        state = load_checkpoint(run.checkpoint, network, optimiser)
    seed = experiment.seed
    data = TrainingData(
        prepared.corpus,
        draw=prepared.training_draws(experiment.training, seed=seed),
        dev=prepared.draw("dev", seed=_DEV_SEED, epoch=0),
        taught=np.load(run.taught, mmap_mode="r") if run.taught.exists() else None,
    )
    for step in train(network, optimiser, data, experiment.training, state, seed=seed, world=world):
        if world.rank == 0:
            on_step(step)
            if step.record or state.step % experiment.training.checkpoint_steps == 0:
                save_checkpoint(run.checkpoint, network, optimiser, state)
                _save_history(run, state)


def _hashable(path: Path) -> bool:
    return path.is_file() or (path / "manifest.json").is_file()


def _save_history(run: RunFolder, state: TrainingState) -> None:
    write_whole(run.history, json.dumps([asdict(r) for r in state.history], indent=2) + "\n")


def network_of(experiment: Experiment, run: RunFolder, vocabulary: Vocabulary) -> SiameseNetwork:
    from adhominem.network.build import build_network

    vectors = np.load(run.vectors / "vectors.npy") if run.vectors.is_dir() else None
    sizes = {key: value for key, value in experiment.network.items() if key != "kind"}
    sizes |= {"n_words": vocabulary.n_words, "n_characters": vocabulary.n_characters}
    kind = experiment.network.get("kind", "adhominem")
    try:
        return build_network(kind, sizes, word_vectors=vectors, seed=experiment.seed)
    except (TypeError, ValueError) as error:
        raise ExperimentError(f"[network] does not fit: {error}") from None
