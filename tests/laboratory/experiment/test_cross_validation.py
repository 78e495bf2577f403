"""A cross-validation: same pairs for all methods, same numbers again, going on after a stop."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from adhominem.errors import AdhominemError, ExperimentError
from adhominem.laboratory.corpus import CorpusSettings
from adhominem.laboratory.corpus.build import build_corpus
from adhominem.laboratory.corpus.build.engine import Engine
from adhominem.laboratory.corpus.store import Corpus
from adhominem.laboratory.evaluation.answer_files import read_answers
from adhominem.laboratory.evaluation.answers import Answers
from adhominem.laboratory.experiment import Experiment, PairSettings, cross_validation
from adhominem.laboratory.experiment.cross_validation import cross_validate, draw_texts
from adhominem.laboratory.training import TrainingConfig

FEW = PairSettings(train=30, dev=20, test=8)
CHANCE = Experiment(name="chance", method="chance", pairs=FEW)
DISTANCE = Experiment(name="distance", method="pan-distance", settings={"most": 200}, pairs=FEW)
NETWORK = Experiment(
    name="network",
    pairs=FEW,
    network={"D_w": 6, "D_s": 4, "D_d": 4, "D_a": 4, "D_f": 3, "train_words": True},
    training=TrainingConfig(epochs=1, batch_pairs=32),
)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory, corpora: ModuleType) -> Corpus:
    folder = tmp_path_factory.mktemp("corpus")
    source = corpora.save_reviews(corpora.make_reviews(60, seed=4), folder / "reviews.jsonl")
    settings = CorpusSettings(min_tokens=20, english_only=False, folds=3)
    build_corpus([str(source)], folder / "corpus", settings, engine=Engine(workers=1))
    return Corpus.open(folder / "corpus")


def test_every_author_is_tested_once_and_never_trained_on_then(corpus: Corpus) -> None:
    tested = []
    for fold in range(3):
        turn = replace(CHANCE, fold=fold, pairs=PairSettings(1000, 1000, 1000))
        parts = {
            split: {
                name
                for pair in draw_texts(corpus, turn, split)
                for side in (pair.left, pair.right)
                for name in [side[0].author]
            }
            for split in ("train", "dev", "test")
        }
        assert not parts["train"] & parts["dev"]
        assert not parts["train"] & parts["test"]
        assert not parts["dev"] & parts["test"]
        tested += list(parts["test"])
    assert len(tested) == len(set(tested))


def test_only_training_pairs_are_drawn_again(corpus: Corpus) -> None:
    many = PairSettings(train=900, dev=900, test=900)
    for split in ("train", "dev", "test"):
        once, often = (
            draw_texts(corpus, replace(CHANCE, fold=0, pairs=pairs), split)
            for pairs in (many, replace(many, draws=9))
        )
        assert (len(often) > 2 * len(once)) == (split == "train")
        texts = {frozenset([pair.left[0].text, pair.right[0].text]) for pair in often}
        assert len(texts) == len(often)
        assert set(once) <= set(often)


def test_all_methods_answer_the_same_pairs(corpus: Corpus, tmp_path: Path) -> None:
    ids = []
    for experiment in (CHANCE, DISTANCE, NETWORK):
        report = cross_validate(experiment, corpus, tmp_path / experiment.name)
        answers = read_answers(tmp_path / experiment.name / "answers.parquet")
        assert report["pairs"] == len(answers) == 3 * 4 * 8
        assert set(report["cells"]) == {"a=1, c=1", "a=1, c=0", "a=0, c=1", "a=0, c=0"}
        assert report["folds"]["mean"] == pytest.approx(report["error"])
        ids.append(answers.ids.tolist())
    assert ids[0] == ids[1] == ids[2]
    assert len(set(ids[0])) == len(ids[0])


def test_a_row_can_be_repeated_to_the_same_numbers(corpus: Corpus, tmp_path: Path) -> None:
    for name in ("a", "b"):
        cross_validate(DISTANCE, corpus, tmp_path / name)
    one, other = (
        {p.relative_to(tmp_path / n): p.read_bytes() for p in (tmp_path / n).rglob("*.*")}
        for n in ("a", "b")
    )
    assert one == other
    other_seed = replace(DISTANCE, seed=2)
    cross_validate(other_seed, corpus, tmp_path / "c")
    first, second = (read_answers(tmp_path / n / "answers.parquet") for n in ("a", "c"))
    assert not np.array_equal(first.score, second.score)


def test_a_turn_that_is_done_is_not_done_again(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = []
    answer = cross_validation._answer

    def stop_at_the_second(turn: Experiment, *options: Any) -> Answers:
        done.append(turn.fold)
        if len(done) == 2:
            raise KeyboardInterrupt
        return answer(turn, *options)

    monkeypatch.setattr(cross_validation, "_answer", stop_at_the_second)
    with pytest.raises(KeyboardInterrupt):
        cross_validate(CHANCE, corpus, tmp_path / "run")
    assert not (tmp_path / "run" / "evaluation.json").exists()
    stopped = cross_validate(CHANCE, corpus, tmp_path / "run")
    assert done == [0, 1, 1, 2]
    assert stopped == cross_validate(CHANCE, corpus, tmp_path / "whole")


def test_settings_that_no_method_has_are_one_line(corpus: Corpus, tmp_path: Path) -> None:
    for wrong in (
        replace(CHANCE, method="nothing"),
        replace(CHANCE, settings={"nothing": 1}),
    ):
        with pytest.raises(AdhominemError) as caught:
            cross_validate(wrong, corpus, tmp_path / str(wrong.method) / str(len(wrong.settings)))
        assert "\n" not in str(caught.value)
    cross_validate(CHANCE, corpus, tmp_path / "taken")
    with pytest.raises(ExperimentError, match="other settings"):
        cross_validate(DISTANCE, corpus, tmp_path / "taken")
    assert json.loads((tmp_path / "taken" / "experiment.json").read_text())["name"] == "chance"
