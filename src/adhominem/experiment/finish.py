"""From a trained network to a model: calibrated on development authors, measured on test authors."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

from adhominem.experiment.prepare import load_prepared, pairs_file, several_file
from adhominem.experiment.run import network_of
from adhominem.experiment.run_folder import RunFolder
from adhominem.experiment.settings import Experiment
from adhominem.files import write_whole

if TYPE_CHECKING:
    from adhominem.experiment.prepare import Prepared
    from adhominem.text.encode import Encoded
    from adhominem.verifiers.genres import Genres
    from adhominem.verifiers.neural import NeuralVerifier

Progress = Callable[[int, int], None]


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
    network = network_of(experiment, run, vocabulary)
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
