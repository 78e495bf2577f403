"""Experiment files: published defaults, and one line for everything that cannot be meant."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import pytest

from adhominem.errors import ExperimentError
from adhominem.laboratory.experiment import Experiment, read_experiment
from adhominem.laboratory.network.model import NetworkConfig

EXPERIMENTS = Path(__file__).parents[3] / "experiments"


def read(folder: Path, content: str) -> Experiment:
    path = folder / "experiment.toml"
    path.write_text(content, encoding="utf-8")
    return read_experiment(path)


def refusal(folder: Path, content: str) -> str:
    with pytest.raises(ExperimentError) as caught:
        read(folder, content)
    message = str(caught.value)
    assert "experiment.toml" in message and "\n" not in message
    return message


def test_defaults_are_the_published_ones(tmp_path: Path) -> None:
    """DESIGN.md of the project, "Published settings", and the corpus of section III."""
    experiment = read(tmp_path, 'name = "paper"')
    corpus, text, training = experiment.corpus, experiment.text, experiment.training
    assert (corpus.min_tokens, corpus.max_tokens) == (80, 1000)
    assert (text.min_word_count, text.min_character_count) == (20, 100)
    assert (text.max_characters, text.max_words, training.max_lines) == (15, 20, 40)
    assert (training.learning_rate, training.restart_steps) == (1.5e-3, 300)
    assert (training.clip_norm, training.batch_pairs) == (5.0, 32)
    assert (training.tau_s, training.tau_d) == (1.0, 3.0)
    network = NetworkConfig(n_words=1, n_characters=1, **experiment.network)
    assert (network.D_c, network.D_r, network.h, network.D_w) == (10, 20, 4, 300)
    assert (network.D_s, network.D_d, network.D_a, network.D_f) == (50, 50, 50, 30)
    assert (network.forget_bias, network.train_words) == (2.5, False)
    assert 1 - network.dropout == pytest.approx(0.7)


def test_what_stands_in_the_file_is_what_comes_out(tmp_path: Path) -> None:
    experiment = read(
        tmp_path,
        """
        name = "mine"
        seed = 7
        [corpus]
        author = "user"
        topic = ""
        min_tokens = 10
        [text]
        max_words = 9
        [network]
        kind = "hrsn"
        D_w = 8
        [training]
        learning_rate = 0.5
        """,
    )
    assert (experiment.name, experiment.seed) == ("mine", 7)
    assert (experiment.corpus.author, experiment.corpus.topic) == ("user", "")
    assert (experiment.corpus.min_tokens, experiment.corpus.max_tokens) == (10, 1000)
    assert experiment.text.max_words == 9
    assert experiment.network == {"kind": "hrsn", "D_w": 8}
    assert (experiment.training.learning_rate, experiment.training.epochs) == (0.5, 30)


def test_settings_as_a_table_give_the_same_experiment(tmp_path: Path) -> None:
    table = read(tmp_path, 'name = "x"\n[training]\nepochs = 3').to_dict()
    assert table["name"] == "x"
    assert table["training"]["epochs"] == 3
    assert set(table) == {field.name for field in fields(Experiment)}
    assert json.loads(json.dumps(table)) == table


@pytest.mark.parametrize("path", sorted(EXPERIMENTS.rglob("*.toml")), ids=lambda path: path.stem)
def test_experiments_of_the_project_can_be_read(path: Path) -> None:
    assert read_experiment(path).name


@pytest.mark.parametrize(
    ("content", "key", "known"),
    [
        ('name = "x"\ncolour = "blue"', "colour", "seed"),
        ('name = "x"\n[train]\nepochs = 3', "train", "training"),
        ('name = "x"\n[training]\nepoch = 3', "epoch", "epochs"),
        ('name = "x"\n[corpus]\nauthors = "a"', "authors", "author"),
        ('name = "x"\n[text]\nmax_word = 3', "max_word", "max_words"),
    ],
)
def test_unknown_keys_are_named_beside_the_known(
    tmp_path: Path, content: str, key: str, known: str
) -> None:
    message = refusal(tmp_path, content)
    unknown, _, rest = message.partition(";")
    assert unknown.endswith(f"unknown '{key}'")
    assert known in rest


def test_the_seed_stands_at_the_top(tmp_path: Path) -> None:
    message = refusal(tmp_path, 'name = "x"\n[corpus]\nseed = 3')
    assert "seed is under [corpus], expected at the top of the file" in message


def test_experiment_without_a_name(tmp_path: Path) -> None:
    assert "'name'" in refusal(tmp_path, "seed = 1")


@pytest.mark.parametrize("content", ["name = x", "[training", '{"name": "x"}', 'name = "x'])
def test_file_that_is_not_toml(tmp_path: Path, content: str) -> None:
    assert "TOML" in refusal(tmp_path, content)


def test_bytes_that_are_not_text(tmp_path: Path) -> None:
    path = tmp_path / "experiment.toml"
    path.write_bytes(b"name = '\xff\xfe'")
    with pytest.raises(ExperimentError, match="TOML"):
        read_experiment(path)


def test_missing_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(ExperimentError, match="no such experiment file"):
        read_experiment(tmp_path / "none.toml")
    with pytest.raises(ExperimentError, match="TOML"):
        read_experiment(tmp_path)


@pytest.mark.parametrize(
    "content",
    [
        "name = 3",
        "name = ''",
        'name = "x"\nseed = "one"',
        'name = "x"\nseed = -1',
        'name = "x"\nversion = 2',
        'name = "x"\ntraining = 3',
        'name = "x"\ncorpus = "reviews"',
        'name = "x"\nnetwork = "hrsn"',
        'name = "x"\n[corpus]\nauthor = 3',
        'name = "x"\n[corpus]\nmin_tokens = 0',
        'name = "x"\n[corpus]\nmin_tokens = 90\nmax_tokens = 80',
        'name = "x"\n[text]\nmax_words = 1',
        'name = "x"\n[text]\nmax_characters = 0',
        'name = "x"\n[training]\nepochs = "many"',
        'name = "x"\n[training]\nepochs = 2.5',
        'name = "x"\n[training]\nepochs = true',
        'name = "x"\n[training]\nbatch_pairs = -32',
        'name = "x"\n[training]\nbatch_pairs = 0',
        'name = "x"\n[training]\nlearning_rate = "fast"',
        'name = "x"\n[training]\nlearning_rate = nan',
        'name = "x"\n[training]\nrestart_steps = 0',
        'name = "x"\n[training]\ncheckpoint_steps = 0',
        'name = "x"\n[training]\nmax_lines = 0',
        'name = "x"\n[training]\ntau_s = 3\ntau_d = 1',
    ],
)
def test_values_that_cannot_be_meant_give_one_line(tmp_path: Path, content: str) -> None:
    refusal(tmp_path, content)


def test_whole_number_may_stand_for_a_fraction(tmp_path: Path) -> None:
    assert read(tmp_path, 'name = "x"\n[training]\nclip_norm = 5').training.clip_norm == 5
