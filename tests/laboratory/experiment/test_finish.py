"""From a trained network to a model that knows its genres, its errors and its limits."""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any

import pytest

import adhominem
from adhominem.instrument.text.settings import TextSettings
from adhominem.instrument.verifier import Verifier
from adhominem.laboratory.corpus import CorpusSettings
from adhominem.laboratory.experiment import Experiment
from adhominem.laboratory.experiment.finish import finish_stage
from adhominem.laboratory.experiment.run import RunFolder, claim_folder, prepare_stage, train_stage
from adhominem.laboratory.training import TrainingConfig, World

EXPERIMENT = Experiment(
    name="tiny",
    corpus=CorpusSettings(min_tokens=20),
    text=TextSettings(min_word_count=2, min_character_count=2),
    network={"D_c": 4, "D_r": 4, "D_w": 8, "D_s": 6, "D_d": 6, "D_a": 6, "D_f": 5},
    training=TrainingConfig(epochs=1, objective="authors", batch_pairs=8, epoch_steps=9),
)
LEARNT, UNSEEN = ("inns",), ("films", "goods", "posts")


def silent(*_: object) -> None: ...


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, corpora: ModuleType) -> RunFolder:
    """Four genres that no word tells apart; of three nothing is learnt, and all their authors but a
    few are for development."""
    folder = tmp_path_factory.mktemp("finish")
    learnt, unseen = (
        [
            corpora.save_reviews(
                corpora.make_reviews(60, seed=len(name) + ord(name[0])), folder / f"{name}.jsonl"
            )
            for name in names
        ]
        for names in (LEARNT, UNSEEN)
    )
    run = RunFolder(folder / "run")
    claim_folder(EXPERIMENT, run)
    prepare_stage(
        *(EXPERIMENT, run), sources=learnt, unseen=unseen, vectors=[], workers=1, progress=silent
    )
    train_stage(EXPERIMENT, run, device="cpu", world=World(), on_step=silent)
    finish_stage(EXPERIMENT, run, progress=silent)
    return run


@pytest.fixture(scope="module")
def figures(run: RunFolder) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run.evaluation.read_text())
    return found


@pytest.fixture(scope="module")
def model(run: RunFolder) -> Verifier:
    return adhominem.load(run.model)


def test_every_genre_is_measured_with_and_without_being_told(figures: dict[str, Any]) -> None:
    ways = [f"{genre}, {how}" for genre in UNSEEN for how in ("several texts", "genre given")]
    assert {*LEARNT, *UNSEEN, *ways} <= set(figures)
    for part in figures.values():
        error = part["intervals"]["error"]
        assert error["low"] <= error["value"] <= error["high"]
        assert error["value"] == pytest.approx(part["error"])


def test_a_genre_that_looks_like_others_must_be_given(model: Verifier) -> None:
    assert set(model.calibrations_) == set(UNSEEN)  # of the other there are too few pairs
    assert not model.detectable_genres()
    text = (
        "I liked the room and the lobby. However the pool was very cold because of the view. " * 3
    )
    untold, told = model.verify(text, text), model.verify(text, text, genre="films")
    assert untold.left.genre is None
    assert told.left.genre == "films"
    assert model.calibration_ is not None
    assert untold.llr <= model.calibration_.highest


def test_the_card_says_what_was_learnt_from_and_what_must_be_told(run: RunFolder) -> None:
    card = (run.model / "README.md").read_text()
    assert "Genres that it recognises: none" in card
    assert card.count("none for training") == len(UNSEEN)
    assert "95 % intervals" in card
