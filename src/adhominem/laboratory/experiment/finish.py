"""From a network to a model: calibrated on development authors, measured on test authors."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from adhominem.files import write_whole
from adhominem.laboratory.experiment.prepare import load_prepared, pairs_file, several_file
from adhominem.laboratory.experiment.run import network_of
from adhominem.laboratory.experiment.run_folder import RunFolder
from adhominem.laboratory.experiment.settings import Experiment

if TYPE_CHECKING:
    from adhominem.instrument.evidence.genres import Genres
    from adhominem.instrument.text.encode import Encoded
    from adhominem.laboratory.evaluation.answers import Answers
    from adhominem.laboratory.experiment.prepare import Prepared
    from adhominem.laboratory.verifiers.siamese import SiameseVerifier
    from adhominem.records import TrackRecord

Progress = Callable[[int, int], None]


def finish_stage(experiment: Experiment, run: RunFolder, *, progress: Progress) -> None:
    """Calibrates the best network on the development pairs and measures it on the test pairs, so
    that the saved model can quote its errors."""
    from adhominem.instrument.model_folder import CARD
    from adhominem.laboratory.evaluation.answers import judge, read_labelled
    from adhominem.laboratory.evaluation.evaluate import describe_source, evaluate
    from adhominem.laboratory.experiment.card import model_card

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
    told = [genre for genre in verifier.calibrations_ if genre not in detectable]
    for genre in told:
        name = _told(genre)
        files[name] = files[genre]
        test[name] = [replace(pair, genre=genre) for pair in test[genre]]
    answers = {
        name: judge(verifier, pairs, progress=progress) for name, pairs in test.items() if pairs
    }
    verifier.track_record_ = _experience(answers, detectable, told)
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


def _told(genre: str) -> str:
    return f"{genre}, genre given"


def _experience(
    answers: dict[str, Answers], detectable: Collection[str], told: Collection[str]
) -> tuple[TrackRecord, ...]:
    """Of each genre that is known on sight or can be given; and, where it is neither, of those
    that are not known on sight."""
    from adhominem.laboratory.evaluation.answers import join_answers
    from adhominem.laboratory.evaluation.track_records import track_records

    names = {genre: genre for genre in detectable} | {genre: _told(genre) for genre in told}
    rows = [
        row
        for genre, name in names.items()
        if name in answers
        for row in track_records(answers[name], genre)
    ]
    untold = [answers[genre] for genre in told if genre in answers]
    return (*rows, *(track_records(join_answers(untold), None) if untold else ()))


def trained_verifier(experiment: Experiment, run: RunFolder) -> SiameseVerifier:
    """The network of the best epoch behind the common interface, not calibrated yet."""
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
    from adhominem.laboratory.calibration.genres import fit_genres

    def texts(split: str, number: int) -> Encoded:
        return prepared.corpus.select(prepared.labels.places(split, number))

    numbers = range(len(prepared.genres))
    learnt = [n for n in numbers if len(prepared.labels.places("train", n))]
    return fit_genres(
        [prepared.genres[n] for n in learnt],
        [texts("train", n) for n in learnt],
        [texts("dev", n) for n in learnt],
        prepared.vocabulary.n_words,
        unseen=[texts("dev", n) for n in numbers if n not in learnt],
    )
