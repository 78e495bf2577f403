"""A run on disk: the same to the bit when it comes back, and one line when it cannot."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import pytest
import torch
from safetensors.torch import save_file

from adhominem.errors import ExperimentError, OutputError
from adhominem.laboratory.network.model import SiameseNetwork
from adhominem.laboratory.training import TrainingConfig
from adhominem.laboratory.training.checkpoint import load_best, load_checkpoint, save_checkpoint
from adhominem.laboratory.training.data import TrainingData
from adhominem.laboratory.training.loop import (
    TrainingState,
    make_optimiser,
    train,
    trained_parameters,
)

NewNetwork = Callable[..., SiameseNetwork]
CONFIG = TrainingConfig(epochs=3, batch_pairs=15, learning_rate=0.01, patience=100)


class Run(NamedTuple):
    network: SiameseNetwork
    optimiser: torch.optim.Optimizer
    state: TrainingState

    def save(self, path: Path) -> Path:
        save_checkpoint(path, self.network, self.optimiser, self.state)
        return path

    def go_on(self, data: TrainingData, n_steps: int | None = None) -> None:
        steps = train(self.network, self.optimiser, data, CONFIG, self.state, seed=1)
        for _ in islice(steps, n_steps):
            pass

    def tensors(self) -> dict[str, torch.Tensor]:
        """Weights, best weights and moments under names of their own."""
        found = {f"network {n}": w.detach() for n, w in trained_parameters(self.network).items()}
        found |= {f"best {n}": w for n, w in self.state.best.items()}
        for number, moments in self.optimiser.state_dict()["state"].items():
            found |= {f"optimiser {number} {name}": value for name, value in moments.items()}
        return found


def begin(network: SiameseNetwork) -> Run:
    return Run(network, make_optimiser(network, CONFIG), TrainingState())


def load(path: Path, network: SiameseNetwork) -> Run:
    optimiser = make_optimiser(network, CONFIG)
    return Run(network, optimiser, load_checkpoint(path, network, optimiser))


@pytest.fixture(scope="module")
def stopped(data: TrainingData, new_network: NewNetwork) -> Run:
    """In the middle of the second epoch, so that there are moments, best weights and a history."""
    run = begin(new_network())
    run.go_on(data, 6)
    assert run.state.epoch == 1 and run.state.step_in_epoch > 0 and run.state.history
    return run


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def assert_same(one: Run, other: Run) -> None:
    ours, theirs = one.tensors(), other.tensors()
    assert ours.keys() == theirs.keys()
    for name, tensor in ours.items():
        assert tensor.dtype == theirs[name].dtype
        assert torch.equal(tensor, theirs[name]), name


def test_checkpoint_gives_everything_back_to_the_bit(
    tmp_path: Path, stopped: Run, new_network: NewNetwork
) -> None:
    loaded = load(stopped.save(tmp_path / "checkpoint"), new_network(seed=2))
    assert_same(stopped, loaded)
    kinds = {name.split()[0] for name in loaded.tensors()}
    assert kinds == {"network", "best", "optimiser"}
    names = ("epoch", "step_in_epoch", "step", "loss_sum", "wrong", "best_error", "best_epoch")
    for name in (*names, "history"):
        assert getattr(loaded.state, name) == getattr(stopped.state, name), name
    assert loaded.save(tmp_path / "again").read_bytes() == (tmp_path / "checkpoint").read_bytes()


def test_checkpoint_of_a_run_that_has_not_begun(tmp_path: Path, new_network: NewNetwork) -> None:
    """No moments, no best weights, an infinite error."""
    fresh = begin(new_network())
    loaded = load(fresh.save(tmp_path / "checkpoint"), new_network(seed=2))
    assert_same(fresh, loaded)
    assert loaded.state == TrainingState()


@pytest.mark.parametrize("n_steps", [1, 5, 7])
def test_stopped_run_goes_on_as_if_it_never_was(
    tmp_path: Path, data: TrainingData, new_network: NewNetwork, n_steps: int
) -> None:
    whole, first = begin(new_network()), begin(new_network())
    whole.go_on(data)
    first.go_on(data, n_steps)
    second = load(first.save(tmp_path / "checkpoint"), new_network(seed=2))
    second.go_on(data)
    assert second.state.step == whole.state.step > n_steps
    assert_same(whole, second)
    told = [(r.epoch, r.steps, r.loss, r.error, r.dev_error) for r in whole.state.history]
    assert told == [(r.epoch, r.steps, r.loss, r.error, r.dev_error) for r in second.state.history]


def test_every_flipped_bit_is_noticed(
    tmp_path: Path, stopped: Run, new_network: NewNetwork
) -> None:
    path = stopped.save(tmp_path / "checkpoint")
    data, draws = path.read_bytes(), random.Random(1)
    for _ in range(100):
        place, bit = draws.randrange(len(data)), draws.randrange(8)
        path.write_bytes(data[:place] + bytes([data[place] ^ (1 << bit)]) + data[place + 1 :])
        with pytest.raises(ExperimentError, match="is not a checkpoint"):
            load(path, new_network(seed=2))


def test_frozen_weights_are_not_stored(
    tmp_path: Path, data: TrainingData, new_network: NewNetwork
) -> None:
    run = begin(new_network(train_words=False))
    run.go_on(data, 1)
    path = run.save(tmp_path / "checkpoint")
    assert b"words.weight" not in path.read_bytes()
    assert_same(run, load(path, new_network(train_words=False)))


def test_best_weights_alone(tmp_path: Path, stopped: Run, new_network: NewNetwork) -> None:
    network = new_network(seed=2)
    load_best(stopped.save(tmp_path / "checkpoint"), network)
    for name, parameter in trained_parameters(network).items():
        assert torch.equal(parameter, stopped.state.best[name])


def test_best_weights_before_the_first_epoch_is_over(
    tmp_path: Path, new_network: NewNetwork
) -> None:
    path = begin(new_network()).save(tmp_path / "checkpoint")
    with pytest.raises(ExperimentError, match="train it first"):
        load_best(path, new_network())


def refusal(path: Path, network: SiameseNetwork) -> str:
    """The one line that both readers give; the network stays as it was."""
    before = {name: w.detach().clone() for name, w in network.named_parameters()}
    with pytest.raises(ExperimentError) as caught:
        load(path, network)
    with pytest.raises(ExperimentError):
        load_best(path, network)
    assert all(torch.equal(w, before[name]) for name, w in network.named_parameters())
    message = str(caught.value)
    assert str(path) in message and "\n" not in message
    return message


@pytest.mark.parametrize("share", [0.0, 0.0005, 0.01, 0.5, 0.999])
def test_truncated_file_gives_one_line(
    tmp_path: Path, stopped: Run, new_network: NewNetwork, share: float
) -> None:
    path = stopped.save(tmp_path / "checkpoint")
    content = path.read_bytes()
    path.write_bytes(content[: int(share * len(content))])
    assert "is not a checkpoint" in refusal(path, new_network())


@pytest.mark.parametrize(
    "metadata",
    [
        None,
        {"format": "pt"},
        {"state": "not JSON"},
        {"state": "[1, 2]"},
        {"state": "{}"},
        {"state": json.dumps({"epoch": 1, "history": []})},
        {"state": json.dumps({"history": [{"epoch": 1}]})},
    ],
)
def test_foreign_tensors_give_one_line(
    tmp_path: Path, new_network: NewNetwork, metadata: dict[str, str] | None
) -> None:
    path = tmp_path / "checkpoint"
    network = new_network()
    tensors = {
        f"{kind}.{name}": w.detach().clone()
        for kind in ("network", "best")
        for name, w in trained_parameters(network).items()
    }
    save_file(tensors, path, metadata=metadata)
    assert "is not a checkpoint" in refusal(path, network)


@pytest.mark.parametrize("content", [b"name = 'x'\n", b"\x80\x04K\x01.", b"\xff" * 100])
def test_foreign_file_gives_one_line(
    tmp_path: Path, new_network: NewNetwork, content: bytes
) -> None:
    path = tmp_path / "checkpoint"
    path.write_bytes(content)
    assert "is not a checkpoint" in refusal(path, new_network())


def test_folder_in_the_place_of_a_checkpoint(tmp_path: Path, new_network: NewNetwork) -> None:
    assert "is not a checkpoint" in refusal(tmp_path, new_network())


@pytest.mark.parametrize(
    "other",
    [
        {"kind": "hrsn"},
        {"train_words": False},
        {"D_s": 7},
        {"D_f": 1},
        {"D_f": 6},
        {"n_words": 200},
    ],
)
def test_checkpoint_of_another_network_is_refused(
    tmp_path: Path, stopped: Run, new_network: NewNetwork, other: dict[str, object]
) -> None:
    refusal(stopped.save(tmp_path / "checkpoint"), new_network(**other))


def test_checkpoint_of_a_narrower_network_is_not_stretched(
    tmp_path: Path, data: TrainingData, new_network: NewNetwork
) -> None:
    """torch would copy one row into many without a word."""
    narrow = begin(new_network(D_f=1))
    narrow.go_on(data, 6)
    refusal(narrow.save(tmp_path / "checkpoint"), new_network(D_f=5))


def test_save_leaves_one_file(tmp_path: Path, stopped: Run) -> None:
    for _ in range(2):
        stopped.save(tmp_path / "run" / "checkpoint.safetensors")
        assert names(tmp_path / "run") == ["checkpoint.safetensors"]


@pytest.mark.parametrize("fails", ["fsync", "replace"])
def test_old_checkpoint_survives_a_save_that_fails(
    tmp_path: Path,
    data: TrainingData,
    new_network: NewNetwork,
    monkeypatch: pytest.MonkeyPatch,
    fails: str,
) -> None:
    run = begin(new_network())
    run.go_on(data, 1)
    path = run.save(tmp_path / "checkpoint")
    content = path.read_bytes()
    run.go_on(data, 1)

    def no_space(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, fails, no_space)
        with pytest.raises(OutputError, match="No space left"):
            run.save(path)
    assert path.read_bytes() == content
    assert names(tmp_path) == ["checkpoint"]
    assert run.save(path).read_bytes() != content
