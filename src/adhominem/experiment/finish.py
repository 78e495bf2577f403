"""From a network to a model: calibrated on development authors, measured on test authors."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from adhominem.experiment.prepare import load_prepared, pairs_file, several_file
from adhominem.experiment.run import network_of
from adhominem.experiment.run_folder import RunFolder
from adhominem.experiment.settings import Experiment
from adhominem.files import write_whole

if TYPE_CHECKING:
    from adhominem.evaluation.answers import Answers
    from adhominem.experiment.prepare import Prepared
    from adhominem.records import Experience
    from adhominem.text.encode import Encoded
    from adhominem.verifiers.genres import Genres
    from adhominem.verifiers.neural import NeuralVerifier

Progress = Callable[[int, int], None]


def finish_stage(experiment: Experiment, run: RunFolder, *, progress: Progress) -> None:
    """Calibrates the best network on the development pairs and measures it on the test pairs, so
    that the saved model can quote its errors."""
    from adhominem.evaluation.on_pairs import (
        describe_source,
        evaluate_with_intervals,
        judge,
        read_labelled,
    )
    from adhominem.experiment.card import model_card
    from adhominem.persistence import CARD

    verifier = trained_verifier(experiment, run)
    genres = load_prepared(run.prepared).genres
    verifier.calibrate(
        [
            replace(pair, genre=genre)
            for genre in genres
            for file in (pairs_file, several_file)
            for pair in read_labelled(file(run.prepared, "dev", genre))
        ]
    )
    files = {genre: pairs_file(run.prepared, "test", genre) for genre in genres}
    test = {genre: read_labelled(file) for genre, file in files.items()}
    for genre in genres:
        name = f"{genre}, several texts"
        files[name] = several_file(run.prepared, "test", genre)
        test[name] = read_labelled(files[name])
    on_sight = verifier.genres_known_on_sight()
    told = [genre for genre in verifier.calibrations_ if genre not in on_sight]
    for genre in told:
        name = _told(genre)
        files[name] = files[genre]
        test[name] = [replace(pair, genre=genre) for pair in test[genre]]
    answers = {
        name: judge(verifier, pairs, progress=progress) for name, pairs in test.items() if pairs
    }
    verifier.experience_ = _experience(answers, on_sight, told)
    verifier.save(run.model, name=experiment.name, version=experiment.version)
    figures = {
        name: {**describe_source(verifier, files[name]), **evaluate_with_intervals(part)}
        for name, part in answers.items()
    }
    write_whole(run.evaluation, json.dumps(figures, indent=2) + "\n")
    manifest = json.loads((run.prepared / "manifest.json").read_text())
    if run.vectors.is_dir():
        manifest["vectors"] = json.loads((run.vectors / "vectors.json").read_text())
    write_whole(run.model / CARD, model_card(experiment, verifier, manifest, figures))


def _told(genre: str) -> str:
    return f"{genre}, genre given"


def _experience(
    answers: dict[str, Answers], on_sight: Collection[str], told: Collection[str]
) -> tuple[Experience, ...]:
    """Of each genre that is known on sight or can be given; and, where it is neither, of those
    that are not known on sight."""
    from adhominem.evaluation.answers import join_answers
    from adhominem.evaluation.experienced import experience_of

    names = {genre: genre for genre in on_sight} | {genre: _told(genre) for genre in told}
    rows = [
        row
        for genre, name in names.items()
        if name in answers
        for row in experience_of(answers[name], genre)
    ]
    untold = [answers[genre] for genre in told if genre in answers]
    return (*rows, *(experience_of(join_answers(untold), None) if untold else ()))


def trained_verifier(experiment: Experiment, run: RunFolder) -> NeuralVerifier:
    """The network of the best epoch behind the common interface, not calibrated yet."""
    from adhominem.training.checkpoint import load_best
    from adhominem.verifiers.network_state import round_words
    from adhominem.verifiers.neural import NeuralVerifier

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

    def texts(split: str, number: int) -> Encoded:
        return prepared.corpus.select(prepared.labels.places(split, number))

    numbers = range(len(prepared.genres))
    learnt = [n for n in numbers if len(prepared.labels.places("train", n))]
    return Genres.fit(
        [prepared.genres[n] for n in learnt],
        [texts("train", n) for n in learnt],
        [texts("dev", n) for n in learnt],
        prepared.vocabulary.n_words,
        unseen=[texts("dev", n) for n in numbers if n not in learnt],
    )
