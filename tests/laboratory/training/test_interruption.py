"""kill -9 in the middle of an epoch; the same command then ends where nothing was ever killed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from safetensors.torch import load_file

CHECKPOINT = "checkpoint.safetensors"
Command = list[str]


def place(run: Path) -> dict[str, Any] | None:
    """How far the last checkpoint is; it is whole whenever it is there."""
    if not (run / CHECKPOINT).exists():
        return None
    with safe_open(run / CHECKPOINT, framework="pt") as file:
        state: dict[str, Any] = json.loads(file.metadata()["state"])
        return state


def names(run: Path) -> list[str]:
    """A file that was being written when the kill came keeps its hidden name."""
    return sorted(path.name for path in run.iterdir() if not path.name.startswith("."))


def kill_within_an_epoch(process: subprocess.Popen[bytes], run: Path, *, epoch: int) -> None:
    """Stops the process to look where it is, and lets it go on until it is where we want it."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        assert process.poll() is None, "the run was over before it could be killed"
        state = place(run)
        if state is not None and state["epoch"] >= epoch:
            process.send_signal(signal.SIGSTOP)
            state = place(run)
            assert state is not None
            if state["step_in_epoch"] > 0:
                process.kill()
                assert process.wait() == -signal.SIGKILL
                return
            process.send_signal(signal.SIGCONT)
        time.sleep(0.01)
    raise AssertionError("no checkpoint in 60 s")


def test_killed_run_ends_as_one_that_was_not(
    tmp_path: Path, finished_run: Path, experiment: Command, one_core: dict[str, str]
) -> None:
    run = tmp_path / "run"
    whole = place(finished_run)
    assert whole is not None
    command = [sys.executable, *experiment, str(run)]
    with subprocess.Popen(command, env=one_core, stderr=subprocess.DEVNULL) as process:
        kill_within_an_epoch(process, run, epoch=1)
    killed = place(run)
    assert killed is not None and killed["history"]
    assert killed["step_in_epoch"] > 0 and killed["step"] < whole["step"]
    resumed = subprocess.run(command, env=one_core, capture_output=True, text=True)
    assert resumed.returncode == 0, resumed.stderr

    end = place(run)
    assert end is not None and end["step"] == whole["step"]
    ours, theirs = load_file(run / CHECKPOINT), load_file(finished_run / CHECKPOINT)
    assert ours.keys() == theirs.keys()
    assert {name.split(".")[0] for name in ours} == {"network", "best", "optimiser"}
    for name in ours:
        assert torch.equal(ours[name], theirs[name]), name
    told, expected = (
        [{**r, "pairs_per_second": 0} for r in json.loads((f / "history.json").read_text())]
        for f in (run, finished_run)
    )
    assert told == expected
    assert names(run) == names(finished_run)
