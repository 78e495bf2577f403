"""The share of each process, and two processes against one."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from safetensors.torch import load_file

from adhominem.laboratory.training import World, join_world

Command = list[str]


@given(n=st.integers(0, 10_000), size=st.integers(1, 100))
def test_shares_cover_all_pairs_exactly_once(n: int, size: int) -> None:
    shares = [range(*World(rank, size).share(n)) for rank in range(size)]
    assert [place for share in shares for place in share] == list(range(n))
    lengths = [len(share) for share in shares]
    assert max(lengths) - min(lengths) <= 1


def test_one_process_is_a_world_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    with join_world(torch.device("cpu")) as world:
        assert world == World(rank=0, size=1)
        tensor = torch.tensor([1.0, 2.0])
        world.add_up(tensor)
        world.wait()
        assert tensor.tolist() == [1.0, 2.0]
        assert world.agree(0.25, torch.device("cpu")) == 0.25


def test_two_processes_train_as_one_does(
    tmp_path: Path, finished_run: Path, experiment: Command, one_core: dict[str, str]
) -> None:
    """With dropout, and batches of 7 pairs, which two cannot halve."""
    folder = tmp_path / "run"
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    done = subprocess.run(
        [*torchrun, "--nproc-per-node", "2", *experiment, str(folder)],
        env=one_core,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    alone, together = (
        json.loads((run / "history.json").read_text()) for run in (finished_run, folder)
    )
    assert len(alone) == len(together) > 3
    for one, two in zip(alone, together, strict=True):
        assert two["loss"] == pytest.approx(one["loss"], abs=1e-4)
        assert two["error"] == pytest.approx(one["error"], abs=1e-6)
        assert two["dev_loss"] == pytest.approx(one["dev_loss"], abs=1e-4)
        assert two["dev_error"] == one["dev_error"]
    assert alone[-1]["loss"] < 0.9 * alone[0]["loss"]
    ours, theirs = (load_file(run / "checkpoint.safetensors") for run in (finished_run, folder))
    assert ours.keys() == theirs.keys()
    for name in ours:
        if not name.startswith("optimiser."):
            torch.testing.assert_close(ours[name], theirs[name], rtol=0, atol=1e-3)
