"""An experiment file to a run folder, in stages that each go on where the last was stopped.

run/experiment.json   settings
run/inputs.json       hashes of the corpus and the vectors that were given
run/built/            corpora made of documents, where these were given and not a corpus
run/prepared/         corpora as integers, development and test pairs as texts
run/vectors/          word vectors for the vocabulary
run/checkpoint.safetensors
run/history.json      one record per epoch
run/model/            the trained, calibrated model with its card
run/evaluation.json   how it does on the test authors of each genre
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from adhominem.errors import ExperimentError
from adhominem.experiment.prepare import load_prepared, pairs_file, prepare, several_file
from adhominem.experiment.settings import Experiment
from adhominem.files import sha256, whole_folder, write_whole

if TYPE_CHECKING:
    from adhominem.corpus.build.build import Progress as BuildProgress
    from adhominem.corpus.store import Corpus
    from adhominem.experiment.prepare import Prepared
    from adhominem.network.model import SiameseNetwork
    from adhominem.text.encode import Encoded
    from adhominem.text.vocabulary import Vocabulary
    from adhominem.training.loop import Step, TrainingState
    from adhominem.training.processes import World
    from adhominem.verifiers.genres import Genres
    from adhominem.verifiers.neural import NeuralVerifier

Progress = Callable[[int, int], None]
STAGES = ("prepared", "trained", "finished")


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
    settings = json.loads(json.dumps(experiment.as_dict()))
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


def _hashable(path: Path) -> bool:
    return path.is_file() or (path / "manifest.json").is_file()


def _fingerprint(path: Path) -> Path:
    """The file that stands for an input: a corpus has the hashes of all its files in one."""
    return path / "manifest.json" if path.is_dir() else path


def _with_new_keys(settings: dict[str, Any]) -> dict[str, Any]:
    """What an earlier version wrote, with the usual values of keys that it did not know."""
    usual: dict[str, Any] = json.loads(json.dumps(Experiment(name="").as_dict()))
    merged = {**usual, **settings}
    for section in ("pairs", "corpus", "text", "training"):
        merged[section] = {**usual[section], **merged[section]}
    return merged


def prepare_stage(
    experiment: Experiment,
    run: RunFolder,
    *,
    sources: Sequence[Path],
    vectors: Sequence[Path],
    workers: int,
    progress: BuildProgress,
) -> None:
    for source in sources:
        if not source.exists():
            raise ExperimentError(f"{source}: no such corpus")
    claim_inputs(run, corpus=[source for source in sources if _hashable(source)], vectors=vectors)
    if not run.prepared.is_dir():
        corpora = [_corpus(experiment, run, source, workers, progress) for source in sources]
        if not corpora:
            raise ExperimentError("no corpus: give one with --corpus")
        prepare(experiment, corpora, run.prepared)
    if vectors and not run.vectors.is_dir():
        _prepare_vectors(run, vectors, seed=experiment.seed)


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
    from adhominem.training.loop import TrainingData, TrainingState, make_optimiser, train

    if device == "cuda":
        torch.set_float32_matmul_precision("high")  # tf32: well within what training needs
    prepared = load_prepared(run.prepared)
    network = _network(experiment, run, prepared.vocabulary).to(device)
    optimiser = make_optimiser(network, experiment.training)
    state = TrainingState()
    if run.checkpoint.exists():
        state = load_checkpoint(run.checkpoint, network, optimiser)
    seed = experiment.seed
    data = TrainingData(
        prepared.corpus,
        draw=lambda epoch: prepared.draw_training(experiment.training, seed=seed, epoch=epoch),
        dev=prepared.draw("dev", seed=seed, epoch=0),
    )
    for step in train(network, optimiser, data, experiment.training, state, seed=seed, world=world):
        if world.rank == 0:
            on_step(step)
            if step.record or state.step % experiment.training.checkpoint_steps == 0:
                save_checkpoint(run.checkpoint, network, optimiser, state)
                _save_history(run, state)


def finish_stage(experiment: Experiment, run: RunFolder, *, progress: Progress) -> None:
    """Calibrates the best network on the development pairs and measures it on the test pairs, so
    that the saved model can quote its errors."""
    from adhominem.evaluation.evaluate import evaluate
    from adhominem.evaluation.experienced import experience_of
    from adhominem.evaluation.on_pairs import describe_source, judge, read_labelled
    from adhominem.experiment.card import model_card
    from adhominem.persistence import CARD

    verifier = trained_verifier(experiment, run)
    genres = load_prepared(run.prepared).genres

    dev = [
        read_labelled(file(run.prepared, "dev", genre))
        for genre in genres
        for file in (pairs_file, several_file)
    ]
    verifier.calibrate([pair for pairs in dev for pair in pairs])
    files = {genre: pairs_file(run.prepared, "test", genre) for genre in genres}
    several = {genre: several_file(run.prepared, "test", genre) for genre in genres}
    files |= {f"{genre}, several texts": file for genre, file in several.items()}
    answers = {
        name: judge(verifier, pairs, progress=progress)
        for name, file in files.items()
        if (pairs := read_labelled(file))
    }
    verifier.experience_ = tuple(
        row for genre in genres for row in experience_of(answers[genre], genre)
    )
    verifier.save(run.model, name=experiment.name, version=experiment.version)
    test = {
        name: {**describe_source(verifier, files[name]), **evaluate(part)}
        for name, part in answers.items()
    }
    write_whole(run.evaluation, json.dumps(test, indent=2) + "\n")
    manifest = json.loads((run.prepared / "manifest.json").read_text())
    if run.vectors.is_dir():
        manifest["vectors"] = json.loads((run.vectors / "vectors.json").read_text())
    write_whole(run.model / CARD, model_card(experiment, verifier, manifest, test))


def trained_verifier(experiment: Experiment, run: RunFolder) -> NeuralVerifier:
    """The network of the best epoch behind the common interface, not calibrated yet."""
    from adhominem.training.checkpoint import load_best
    from adhominem.verifiers.neural import NeuralVerifier, round_words

    prepared = load_prepared(run.prepared)
    vocabulary = prepared.vocabulary
    network = _network(experiment, run, vocabulary)
    load_best(run.checkpoint, network)
    round_words(network)
    verifier = NeuralVerifier(
        network=experiment.network.get("kind", "adhominem"),
        training=experiment.training,
        max_words=experiment.text.max_words,
        max_characters=experiment.text.max_characters,
        min_word_count=experiment.text.min_word_count,
        min_character_count=experiment.text.min_character_count,
        seed=experiment.seed,
    )
    verifier.network_, verifier.vocabulary_ = network.eval(), vocabulary
    verifier.genres_ = _genres(prepared)
    return verifier


def _genres(prepared: Prepared) -> Genres:
    from adhominem.verifiers.genres import Genres

    def texts(split: str) -> list[Encoded]:
        return [
            prepared.corpus.select(prepared.labels.places(split, number))
            for number in range(len(prepared.genres))
        ]

    return Genres.fit(prepared.genres, texts("train"), texts("dev"), prepared.vocabulary.n_words)


def _save_history(run: RunFolder, state: TrainingState) -> None:
    write_whole(run.history, json.dumps([asdict(r) for r in state.history], indent=2) + "\n")


def _network(experiment: Experiment, run: RunFolder, vocabulary: Vocabulary) -> SiameseNetwork:
    from adhominem.network.build import build_network

    vectors = np.load(run.vectors / "vectors.npy") if run.vectors.is_dir() else None
    sizes = {key: value for key, value in experiment.network.items() if key != "kind"}
    sizes |= {"n_words": vocabulary.n_words, "n_characters": vocabulary.n_characters}
    kind = experiment.network.get("kind", "adhominem")
    try:
        return build_network(kind, sizes, word_vectors=vectors, seed=experiment.seed)
    except (TypeError, ValueError) as error:
        raise ExperimentError(f"[network] does not fit: {error}") from None
