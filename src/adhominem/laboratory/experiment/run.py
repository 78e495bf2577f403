"""The folder of a run and its stages: prepare (or borrow), teach, train. A stopped stage continues
where it was."""

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

from adhominem.errors import ExperimentError
from adhominem.files import sha256, whole_file, whole_folder, write_whole
from adhominem.instrument.text.vocabulary import Vocabulary
from adhominem.laboratory.corpus import Progress
from adhominem.laboratory.corpus.build import build_corpus
from adhominem.laboratory.corpus.build.engine import Engine
from adhominem.laboratory.corpus.store import MANIFEST, Corpus
from adhominem.laboratory.experiment import Experiment, stored_experiment
from adhominem.laboratory.experiment.prepare import Prepared, load_prepared, prepare
from adhominem.laboratory.experiment.word_vectors import combine, load_vectors
from adhominem.laboratory.network import build_network
from adhominem.laboratory.network.encoder import encode_documents
from adhominem.laboratory.network.model import SiameseNetwork
from adhominem.laboratory.training import World, loop
from adhominem.laboratory.training.checkpoint import load_best, load_checkpoint, save_checkpoint
from adhominem.laboratory.training.data import TrainingData
from adhominem.laboratory.training.loop import TrainingStep

_DEV_SEED = 1  # same development pairs in all runs, so that runs can be compared


class RunFolder:
    """The paths of all files of a run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.experiment = path / "experiment.json"  # settings
        self.inputs = path / "inputs.json"  # hashes of the given corpora and vectors
        self.built = path / "built"  # corpora built from documents, if any
        self.prepared = path / "prepared"  # corpora as integers, dev and test pairs as texts
        self.vectors = path / "vectors"  # word vectors for the vocabulary
        self.taught = path / "taught.npy"  # the teachers' features of every document, if any
        self.checkpoint = path / "checkpoint.safetensors"
        self.history = path / "history.json"  # one record per epoch
        self.model = path / "model"  # the calibrated model with its card
        self.evaluation = path / "evaluation.json"  # measures on the test authors of each genre


def claim_folder(experiment: Experiment, run: RunFolder) -> None:
    """Store the experiment in a new run folder; raise an error for a folder of another one."""
    settings = json.dumps(experiment.to_dict(), indent=2)
    if not run.experiment.exists():
        write_whole(run.experiment, f"{settings}\n")
    elif stored_experiment(run.experiment).to_dict() != json.loads(settings):
        raise ExperimentError(f"{run.path} has other settings: give another -o or --force")


def claim_inputs(run: RunFolder, **inputs: Sequence[Path]) -> None:
    """Store the hashes of the inputs; raise an error if the run was begun with other inputs."""
    given = {
        # The manifest of a corpus has the hashes of its files.
        name: [sha256(path / MANIFEST if path.is_dir() else path) for path in paths]
        for name, paths in inputs.items()
        if paths
    }
    known = json.loads(run.inputs.read_text()) if run.inputs.exists() else {}
    for name, hashes in given.items():
        if known.get(name, hashes) != hashes:
            raise ExperimentError(f"{run.path} was begun with another {name}: give that again")
    if known | given != known:
        write_whole(run.inputs, json.dumps(known | given, indent=2) + "\n")


def prepare_stage(
    experiment: Experiment,
    run: RunFolder,
    *,
    sources: Sequence[Path],
    unseen: Sequence[Path] = (),
    vectors: Sequence[Path],
    workers: int,
    progress: Progress,
) -> None:
    """Write the prepared corpora, after building those that are given as documents, and the word
    vectors."""
    for source in (*sources, *unseen):
        if not source.exists():
            raise ExperimentError(f"{source}: no such corpus")
    seen_files, unseen_files = (
        [path for path in paths if path.is_file() or (path / MANIFEST).is_file()]
        for paths in (sources, unseen)
    )
    claim_inputs(run, corpus=seen_files, unseen=unseen_files, vectors=vectors)
    if not run.prepared.is_dir():
        if not sources:
            raise ExperimentError("no corpus: give one with --corpus")
        every = [_corpus(experiment, run, s, workers, progress) for s in (*sources, *unseen)]
        n = len(sources)
        prepare(experiment, every[:n], run.prepared, unseen=every[n:])
    if vectors and not run.vectors.is_dir():
        _prepare_vectors(run, vectors, seed=experiment.seed)


def _corpus(
    experiment: Experiment, run: RunFolder, source: Path, workers: int, progress: Progress
) -> Corpus:
    """Return the corpus at `source`, which is built if there are documents instead."""
    if (source / MANIFEST).is_file():
        return Corpus.open(source)
    built = run.built / source.name.partition(".")[0]
    if not built.is_dir():
        settings = replace(experiment.corpus, seed=experiment.seed)
        build_corpus([str(source)], built, settings, engine=Engine(workers), progress=progress)
    return Corpus.open(built)


def _prepare_vectors(run: RunFolder, sources: Sequence[Path], *, seed: int) -> None:
    words = load_prepared(run.prepared).vocabulary.words
    parts = [load_vectors(path, words, seed=seed) for path in sources]
    combined = combine(parts)
    found = [
        {"file": path.name, "sha256": sha256(path), "found": int(part.found.sum())}
        for path, part in zip(sources, parts, strict=True)
    ]
    counts = {"found": int(combined.found.sum()), "dimensions": combined.matrix.shape[1]}
    description = {"sources": found, "words": len(words), **counts}
    with whole_folder(run.vectors) as target:
        np.save(target / "vectors.npy", combined.matrix.astype(np.float16))
        (target / "vectors.json").write_text(json.dumps(description, indent=2))


def borrow_stage(experiment: Experiment, run: RunFolder, owner: RunFolder) -> None:
    """Link to the prepared corpora, pairs and word vectors of another run."""
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
            raise ExperimentError(f"{run.path} has corpora of its own: give another -o or --force")
    write_whole(run.inputs, json.dumps(inputs, indent=2) + "\n")


def teach_stage(run: RunFolder, teachers: Sequence[Path], *, device: str) -> None:
    """Write the teachers' features of every document, concatenated and scaled so that the squared
    distance of two rows is the mean of the teachers', each divided by its temperature.

    teachers   folders of finished runs over the same prepared corpora, or .npy files with one row
               of features per document, scaled to a temperature of 1
    """
    if run.taught.exists() or not teachers:
        return
    prepared = load_prepared(run.prepared)
    features = []
    for path in teachers:
        if path.suffix == ".npy":
            read = np.load(path)
            if len(read) != prepared.corpus.n_documents:
                raise ExperimentError(
                    f"{path} has {len(read)} rows for {prepared.corpus.n_documents} documents: "
                    "a teacher must have read the same corpora"
                )
        else:
            read = _features_by(RunFolder(path), run, prepared, device)
        features.append(read / np.sqrt(len(teachers)))
    with whole_file(run.taught) as file:
        np.save(file, np.concatenate(features, axis=1).astype(np.float16))


def _features_by(
    teacher: RunFolder, run: RunFolder, prepared: Prepared, device: str
) -> npt.NDArray[np.float32]:
    """Return the features of every document by a finished run, scaled to a temperature of 1."""
    if not teacher.checkpoint.is_file():
        raise ExperimentError(f"{teacher.path} is no trained run: a teacher must be one")
    if sha256(teacher.prepared / "vocabulary.json") != sha256(run.prepared / "vocabulary.json"):
        raise ExperimentError(
            f"{teacher.path} has another vocabulary than {run.path}: "
            "a teacher must have learnt from the same corpora"
        )
    experiment = stored_experiment(teacher.experiment)
    network = network_of(experiment, teacher, prepared.vocabulary)
    load_best(teacher.checkpoint, network)
    features = encode_documents(network.to(device), prepared.corpus).features
    return features / np.float32(np.sqrt(experiment.training.temperature))


def train_stage(
    experiment: Experiment,
    run: RunFolder,
    *,
    device: str,
    world: World,
    on_step: Callable[[TrainingStep], None],
) -> None:
    """Train to the end, from the checkpoint if there is one. Only the first process writes."""
    if device == "cuda":
        torch.set_float32_matmul_precision("high")  # TF32
    config, seed = experiment.training, experiment.seed
    prepared = load_prepared(run.prepared)
    network = network_of(experiment, run, prepared.vocabulary).to(device)
    optimiser = loop.make_optimiser(network, config)
    state = loop.TrainingState()
    if run.checkpoint.exists():
        state = load_checkpoint(run.checkpoint, network, optimiser)
    data = TrainingData(
        prepared.corpus,
        draw=prepared.training_draws(config, seed=seed),
        dev=prepared.draw("dev", seed=_DEV_SEED, epoch=0),
        teacher=np.load(run.taught, mmap_mode="r") if run.taught.exists() else None,
    )
    for step in loop.train(network, optimiser, data, config, state, seed=seed, world=world):
        if world.rank == 0:
            on_step(step)
            if step.record or state.step % config.checkpoint_steps == 0:
                save_checkpoint(run.checkpoint, network, optimiser, state)
                history = [asdict(record) for record in state.history]
                write_whole(run.history, json.dumps(history, indent=2) + "\n")


def network_of(experiment: Experiment, run: RunFolder, vocabulary: Vocabulary) -> SiameseNetwork:
    """Return the untrained network of an experiment, with the word vectors of its run."""
    vectors = np.load(run.vectors / "vectors.npy") if run.vectors.is_dir() else None
    sizes = {key: value for key, value in experiment.network.items() if key != "kind"}
    sizes |= {"n_words": vocabulary.n_words, "n_characters": vocabulary.n_characters}
    kind = experiment.network.get("kind", "adhominem")
    try:
        return build_network(kind, sizes, word_vectors=vectors, seed=experiment.seed)
    except (TypeError, ValueError) as error:
        raise ExperimentError(f"[network] does not fit: {error}") from None
