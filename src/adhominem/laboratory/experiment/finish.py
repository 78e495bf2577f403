"""The last stage of a run: the trained network is calibrated, measured and saved with its card."""

import json
from collections.abc import Iterable
from dataclasses import asdict, replace
from datetime import UTC, datetime

from adhominem.files import write_whole
from adhominem.instrument.model_folder import CARD
from adhominem.instrument.neural import NeuralVerifier
from adhominem.instrument.text.encode import Encoded
from adhominem.instrument.text.vocabulary import Vocabulary
from adhominem.instrument.verifier import ModelState
from adhominem.laboratory.calibration.by_genre import calibrate, fit_genres
from adhominem.laboratory.evaluation.answers import Answers, Progress, judge, read_labelled
from adhominem.laboratory.evaluation.evaluate import describe_source, evaluate, track_records
from adhominem.laboratory.experiment import Experiment
from adhominem.laboratory.experiment.prepare import load_prepared, pairs_file
from adhominem.laboratory.experiment.run import RunFolder, network_of
from adhominem.laboratory.network import arrays_of, describe_network
from adhominem.laboratory.network.model import SiameseNetwork
from adhominem.laboratory.report import evaluation_table, render
from adhominem.laboratory.training.checkpoint import load_best


def finish_stage(experiment: Experiment, run: RunFolder, *, progress: Progress) -> None:
    """Calibrate the best epoch on development pairs, measure it on test pairs and save it."""
    verifier = trained_verifier(experiment, run)
    genres = load_prepared(run.prepared).genres
    dev = [
        replace(pair, genre=genre)
        for genre in genres
        for several in (False, True)
        for pair in read_labelled(pairs_file(run.prepared, "dev", genre, several=several))
    ]
    calibrate(verifier, dev)
    files = {genre: pairs_file(run.prepared, "test", genre) for genre in genres}
    for genre in genres:
        files[f"{genre}, several texts"] = pairs_file(run.prepared, "test", genre, several=True)
    test = {name: read_labelled(file) for name, file in files.items()}
    detectable = verifier.detectable_genres()
    stated = [genre for genre in verifier.calibrations_ if genre not in detectable]
    names = {g: g for g in detectable} | {g: f"{g}, genre given" for g in stated}
    for genre in stated:
        files[names[genre]] = files[genre]
        test[names[genre]] = [replace(pair, genre=genre) for pair in test[genre]]
    answers = {n: judge(verifier, pairs, progress=progress) for n, pairs in test.items() if pairs}
    # Errors by genre, detected or stated, and for texts of unknown genre.
    known = {genre: name for genre, name in names.items() if name in answers}
    record = [row for genre, name in known.items() for row in track_records(answers[name], genre)]
    if unstated := [answers[genre] for genre in stated if genre in answers]:
        record += track_records(Answers.join(unstated), None)
    verifier.track_record_ = tuple(record)
    verifier.save(run.model, name=experiment.name, version=experiment.version)
    figures = {
        name: {**describe_source(verifier, files[name]), **evaluate(part, intervals=True)}
        for name, part in answers.items()
    }
    write_whole(run.evaluation, json.dumps(figures, indent=2) + "\n")
    manifest = json.loads((run.prepared / "manifest.json").read_text())
    if run.vectors.is_dir():
        manifest["vectors"] = json.loads((run.vectors / "vectors.json").read_text())
    corpora = manifest["corpora"]
    card = render(
        "model_card.md",
        experiment=experiment,
        verifier=verifier,
        manifest=manifest,
        corpora=corpora,
        date=datetime.now(UTC).date().isoformat(),
        shortest=min(corpus["settings"]["min_tokens"] for corpus in corpora.values()),
        tables={name: evaluation_table(measures) for name, measures in figures.items()},
        dev_pairs=sum(manifest["dev_pairs"].values()) + sum(manifest["dev_several_pairs"].values()),
        calibrations={**verifier.calibrations_, "any other": verifier.calibration_},
    )
    write_whole(run.model / CARD, f"{card}\n")


def trained_verifier(experiment: Experiment, run: RunFolder) -> NeuralVerifier:
    """Return the network of the best epoch as a verifier without calibration."""
    prepared = load_prepared(run.prepared)
    vocabulary = prepared.vocabulary
    network = network_of(experiment, run, vocabulary)
    load_best(run.checkpoint, network)
    verifier = verifier_of(network.eval(), vocabulary, experiment)

    def texts(split: str, numbers: Iterable[int]) -> list[Encoded]:
        return [prepared.corpus.select(prepared.labels.indices(split, n)) for n in numbers]

    numbers = range(len(prepared.genres))
    learnt = [n for n in numbers if len(prepared.labels.indices("train", n))]
    names = [prepared.genres[n] for n in learnt]
    train, dev = texts("train", learnt), texts("dev", learnt)
    unseen = texts("dev", sorted(set(numbers) - set(learnt)))
    verifier.genres_ = fit_genres(names, train, dev, vocabulary.n_words, unseen)
    return verifier


def verifier_of(
    network: SiameseNetwork, vocabulary: Vocabulary, experiment: Experiment
) -> NeuralVerifier:
    """Return a trained network with its vocabulary as a verifier."""
    text, training = experiment.text, experiment.training
    settings = {
        "training": asdict(training),
        "seed": experiment.seed,
        **describe_network(network),
        "max_words": text.max_words,
        "max_characters": text.max_characters,
    }
    words = {"words": vocabulary.words, "characters": vocabulary.characters}
    verifier = NeuralVerifier()
    verifier.restore(ModelState(settings, {"vocabulary": words}, arrays_of(network)))
    if training.objective == "pairs":
        verifier.tau_s, verifier.tau_d = training.tau_s, training.tau_d
    return verifier
