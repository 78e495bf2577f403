"""The run folder: whose it is, and what is said when a stage lacks something."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from adhominem.errors import ExperimentError
from adhominem.instrument.text.settings import TextSettings
from adhominem.laboratory.corpus import CorpusSettings
from adhominem.laboratory.experiment import Experiment
from adhominem.laboratory.experiment.prepare import load_prepared
from adhominem.laboratory.experiment.run import (
    RunFolder,
    borrow_stage,
    claim_folder,
    claim_inputs,
    prepare_stage,
    teach_stage,
    train_stage,
)
from adhominem.laboratory.training import TrainingConfig, World

EXPERIMENT = Experiment(
    name="tiny",
    corpus=CorpusSettings(min_tokens=20),
    text=TextSettings(min_word_count=2, min_character_count=2),
    network={"D_c": 4, "D_r": 4, "D_w": 8, "D_s": 6, "D_d": 6, "D_a": 6, "D_f": 5},
    training=TrainingConfig(epochs=2, checkpoint_steps=1),
)


def silent(*_: object) -> None: ...


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, corpora: ModuleType) -> RunFolder:
    folder = tmp_path_factory.mktemp("run")
    source = corpora.save_reviews(corpora.make_reviews(60), folder / "reviews.jsonl")
    run = RunFolder(folder / "run")
    claim_folder(EXPERIMENT, run)
    prepare_stage(EXPERIMENT, run, sources=[source], vectors=[], workers=1, progress=silent)
    return run


def test_folder_goes_on_with_the_same_settings_alone(tmp_path: Path) -> None:
    run = RunFolder(tmp_path / "run")
    claim_folder(EXPERIMENT, run)
    content = run.experiment.read_bytes()
    claim_folder(EXPERIMENT, run)
    with pytest.raises(ExperimentError, match=r"other settings.*--force"):
        claim_folder(replace(EXPERIMENT, seed=2), run)
    assert run.experiment.read_bytes() == content


def test_prepared_corpus_is_not_prepared_again(run: RunFolder) -> None:
    """And so the corpus itself is no longer needed."""
    before = {path: path.stat().st_mtime_ns for path in run.prepared.iterdir()}
    prepare_stage(EXPERIMENT, run, sources=[], vectors=[], workers=1, progress=silent)
    assert {path: path.stat().st_mtime_ns for path in run.prepared.iterdir()} == before


def test_run_without_a_corpus(tmp_path: Path) -> None:
    with pytest.raises(ExperimentError, match="--corpus"):
        prepare_stage(
            *(EXPERIMENT, RunFolder(tmp_path)),
            **{"sources": [], "vectors": [], "workers": 1, "progress": silent},
        )


def test_run_on_what_another_run_prepared(run: RunFolder, tmp_path: Path) -> None:
    other = RunFolder(tmp_path / "other")
    experiment = replace(EXPERIMENT, seed=2)
    for _ in range(2):  # the same command goes on
        claim_folder(experiment, other)
        borrow_stage(experiment, other, run)
        prepare_stage(experiment, other, sources=[], vectors=[], workers=1, progress=silent)
    train_stage(experiment, other, device="cpu", world=World(), on_step=silent)
    assert other.prepared.resolve() == run.prepared.resolve()
    assert other.inputs.read_bytes() == run.inputs.read_bytes()
    assert not other.vectors.exists()
    assert len(json.loads(other.history.read_text())) == 2


def test_run_that_cannot_use_what_was_prepared(run: RunFolder, tmp_path: Path) -> None:
    other = RunFolder(tmp_path / "other")
    claim_folder(EXPERIMENT, other)
    with pytest.raises(ExperimentError, match="no prepared run"):
        borrow_stage(EXPERIMENT, other, RunFolder(tmp_path))
    with pytest.raises(ExperimentError, match=r"another text .*--corpus"):
        borrow_stage(replace(EXPERIMENT, text=TextSettings()), other, run)
    with pytest.raises(ExperimentError, match="another fold"):
        borrow_stage(replace(EXPERIMENT, fold=3), other, run)
    other.prepared.mkdir()
    with pytest.raises(ExperimentError, match="of its own"):
        borrow_stage(EXPERIMENT, other, run)


@pytest.mark.parametrize(
    "network",
    [
        {"kind": "transformer"},
        {"D_z": 3},
        {"D_w": "many"},
        {"kind": "hrsn", "h": 3},
        {"dropout": 1.0},
        {"D_s": 0},
        {"kind": "hrsn", "D_d": -1},
    ],
)
def test_network_that_cannot_be_built(run: RunFolder, network: dict[str, object]) -> None:
    with pytest.raises(ExperimentError, match=r"\[network\]") as caught:
        train_stage(
            replace(EXPERIMENT, network=network),
            run,
            device="cpu",
            world=World(),
            on_step=silent,
        )
    assert "\n" not in str(caught.value)
    assert not run.checkpoint.exists()


def test_finished_run_is_left_as_it_is(run: RunFolder) -> None:
    def train() -> None:
        train_stage(EXPERIMENT, run, device="cpu", world=World(), on_step=silent)

    train()
    assert [record["epoch"] for record in json.loads(run.history.read_text())] == [0, 1]
    files = [run.experiment, run.checkpoint, run.history]
    before = [(file.read_bytes(), file.stat().st_mtime_ns) for file in files]
    train()
    assert [(file.read_bytes(), file.stat().st_mtime_ns) for file in files] == before
    assert sorted(path.name for path in run.path.iterdir()) == sorted(
        ["built", "inputs.json", "prepared", *(file.name for file in files)]
    )


def test_a_run_goes_on_with_what_it_began_with(tmp_path: Path, corpora: ModuleType) -> None:
    run = RunFolder(tmp_path / "run")
    one = corpora.save_reviews(corpora.make_reviews(5, seed=1), tmp_path / "one.jsonl")
    other = corpora.save_reviews(corpora.make_reviews(5, seed=2), tmp_path / "other.jsonl")
    claim_inputs(run, corpus=[one], vectors=[])
    claim_inputs(run, corpus=[one], vectors=[other])
    claim_inputs(run, corpus=[], vectors=[])
    for wrong in ({"corpus": [other]}, {"vectors": [one]}):
        with pytest.raises(ExperimentError, match="was begun with another"):
            claim_inputs(run, **wrong)


def test_a_run_of_an_earlier_version_goes_on(tmp_path: Path) -> None:
    run = RunFolder(tmp_path)
    claim_folder(EXPERIMENT, run)
    written = json.loads(run.experiment.read_text())
    del written["method"]
    del written["training"]["objective"]
    written["corpus"] = {"min_tokens": 20}
    run.experiment.write_text(json.dumps(written))
    claim_folder(EXPERIMENT, run)
    with pytest.raises(ExperimentError, match="other settings"):
        claim_folder(replace(EXPERIMENT, seed=99), run)


def test_a_run_with_the_usual_columns_named_goes_on(tmp_path: Path) -> None:
    corpus = CorpusSettings(author="author", topic="topic", text="text")
    for _ in range(2):
        claim_folder(replace(EXPERIMENT, corpus=corpus), RunFolder(tmp_path))


@pytest.mark.parametrize("content", ["", "5", "[]", '"name"', '{"name": 5}'])
def test_what_is_no_stored_experiment_is_one_line(tmp_path: Path, content: str) -> None:
    run = RunFolder(tmp_path)
    run.experiment.write_text(content)
    with pytest.raises(ExperimentError, match=r"experiment\.json") as caught:
        claim_folder(EXPERIMENT, run)
    assert "\n" not in str(caught.value)


def test_learning_from_two_teachers(run: RunFolder, tmp_path: Path) -> None:
    experiment = replace(
        EXPERIMENT,
        training=replace(EXPERIMENT.training, objective="authors", batch_pairs=8, epoch_steps=9),
    )
    runs = []
    for name, seed, share in (("one", 1, 0.0), ("other", 2, 0.0), ("pupil", 3, 0.5)):
        mine = RunFolder(tmp_path / name)
        settings = replace(
            experiment, seed=seed, training=replace(experiment.training, teacher_share=share)
        )
        claim_folder(settings, mine)
        mine.prepared.symlink_to(run.prepared)
        if share:
            teach_stage(mine, [one.path for one in runs], device="cpu")
        train_stage(settings, mine, device="cpu", world=World(), on_step=silent)
        runs.append(mine)
    taught = np.load(runs[-1].taught)
    assert taught.shape == (load_prepared(run.prepared).corpus.n_documents, 2 * 5)
    assert len(json.loads(runs[-1].history.read_text())) == 2


def test_teacher_of_another_vocabulary(run: RunFolder, tmp_path: Path) -> None:
    stranger = RunFolder(tmp_path)
    (tmp_path / "prepared").mkdir()
    (tmp_path / "prepared" / "vocabulary.json").write_text("{}")
    stranger.checkpoint.write_bytes(b"")
    with pytest.raises(ExperimentError, match="another vocabulary"):
        teach_stage(run, [stranger.path], device="cpu")


def test_teachers_can_be_files_of_features(run: RunFolder, tmp_path: Path) -> None:
    mine = RunFolder(tmp_path)
    mine.prepared.symlink_to(run.prepared)
    n = load_prepared(run.prepared).corpus.n_documents
    one, other = np.random.default_rng(0).normal(size=(2, n, 3))
    files = [tmp_path / "one.npy", tmp_path / "other.npy"]
    for file, features in zip(files, (one, other), strict=True):
        np.save(file, features)
    teach_stage(mine, files, device="cpu")
    taught = np.load(mine.taught).astype(np.float64)
    mean = (np.square(one[0] - one[1]).sum() + np.square(other[0] - other[1]).sum()) / 2
    assert np.square(taught[0] - taught[1]).sum() == pytest.approx(mean, rel=1e-2)


def test_file_of_features_of_other_documents(run: RunFolder, tmp_path: Path) -> None:
    mine = RunFolder(tmp_path)
    mine.prepared.symlink_to(run.prepared)
    np.save(tmp_path / "short.npy", np.zeros((2, 3)))
    with pytest.raises(ExperimentError, match="has 2 rows for"):
        teach_stage(mine, [tmp_path / "short.npy"], device="cpu")
