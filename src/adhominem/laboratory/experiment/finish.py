"""The last stage of a run: a trained network to a calibrated, measured model with its card."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from adhominem.files import write_whole
from adhominem.instrument.evidence.genres import Genres
from adhominem.instrument.model_folder import CARD
from adhominem.instrument.text.encode import Encoded
from adhominem.laboratory.calibration.genres import fit_genres
from adhominem.laboratory.evaluation.answers import Answers, join_answers, judge, read_labelled
from adhominem.laboratory.evaluation.evaluate import describe_source, evaluate, track_records
from adhominem.laboratory.experiment.card import model_card
from adhominem.laboratory.experiment.prepare import (
    Prepared,
    load_prepared,
    pairs_file,
    several_file,
)
from adhominem.laboratory.experiment.run import network_of
from adhominem.laboratory.experiment.run_folder import RunFolder
from adhominem.laboratory.experiment.settings import Experiment
from adhominem.records import TrackRecord

if TYPE_CHECKING:
    from adhominem.laboratory.verifiers.siamese import SiameseVerifier

Progress = Callable[[int, int], None]


def finish_stage(experiment: Experiment, run: RunFolder, *, progress: Progress) -> None:
    """Calibrate the network of the best epoch on the development pairs, measure it on the test
    pairs and save it with a record of its errors."""
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
    detectable = verifier.detectable_genres()
    stated = [genre for genre in verifier.calibrations_ if genre not in detectable]
    for genre in stated:
        name = _name_of_stated(genre)
        files[name] = files[genre]
        test[name] = [replace(pair, genre=genre) for pair in test[genre]]
    answers = {
        name: judge(verifier, pairs, progress=progress) for name, pairs in test.items() if pairs
    }
    verifier.track_record_ = _track_record(answers, detectable, stated)
    verifier.save(run.model, name=experiment.name, version=experiment.version)
    figures = {
        name: {**describe_source(verifier, files[name]), **evaluate(part, intervals=True)}
        for name, part in answers.items()
    }
    write_whole(run.evaluation, json.dumps(figures, indent=2) + "\n")
    manifest = json.loads((run.prepared / "manifest.json").read_text())
    if run.vectors.is_dir():
        manifest["vectors"] = json.loads((run.vectors / "vectors.json").read_text())
    write_whole(run.model / CARD, model_card(experiment, verifier, manifest, figures))


def _name_of_stated(genre: str) -> str:
    return f"{genre}, genre given"


def _track_record(
    answers: dict[str, Answers], detectable: Collection[str], stated: Collection[str]
) -> tuple[TrackRecord, ...]:
    """Return the errors by genre, detected or stated, and those on texts of genres that are not
    detectable if these are not stated."""
    names = {genre: genre for genre in detectable}
    names |= {genre: _name_of_stated(genre) for genre in stated}
    rows = [
        row
        for genre, name in names.items()
        if name in answers
        for row in track_records(answers[name], genre)
    ]
    unstated = [answers[genre] for genre in stated if genre in answers]
    return (*rows, *(track_records(join_answers(unstated), None) if unstated else ()))


def trained_verifier(experiment: Experiment, run: RunFolder) -> SiameseVerifier:
    """Return the network of the best epoch as a verifier that is not calibrated yet."""
    from adhominem.laboratory.training.checkpoint import load_best
    from adhominem.laboratory.verifiers.siamese import SiameseVerifier

    prepared = load_prepared(run.prepared)
    vocabulary = prepared.vocabulary
    network = network_of(experiment, run, vocabulary)
    load_best(run.checkpoint, network)
    verifier = SiameseVerifier(
        network=experiment.network.get("kind", "adhominem"),
        training=experiment.training,
        max_words=experiment.text.max_words,
        max_characters=experiment.text.max_characters,
        min_word_count=experiment.text.min_word_count,
        min_character_count=experiment.text.min_character_count,
        seed=experiment.seed,
    )
    verifier.set_network(network.eval(), vocabulary)
    verifier.genres_ = _genres(prepared)
    return verifier


def _genres(prepared: Prepared) -> Genres:
    def texts(split: str, number: int) -> Encoded:
        return prepared.corpus.select(prepared.labels.indices(split, number))

    numbers = range(len(prepared.genres))
    learnt = [n for n in numbers if len(prepared.labels.indices("train", n))]
    return fit_genres(
        [prepared.genres[n] for n in learnt],
        [texts("train", n) for n in learnt],
        [texts("dev", n) for n in learnt],
        prepared.vocabulary.n_words,
        unseen=[texts("dev", n) for n in numbers if n not in learnt],
    )
