"""The way to the shipped model (experiments/shipped.mk): what would be done, and what is done."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="there is no make here")


def steps(runs: Path, goal: str) -> list[str]:
    """The commands that would be run, in the project with all its results."""
    command = ["make", "--dry-run", "--file", "experiments/shipped.mk", f"RUNS={runs}", goal]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [line for line in done.stdout.splitlines() if "adhominem" in line]


def test_results_of_the_project_do_not_stand_for_the_work(tmp_path: Path) -> None:
    lines = steps(tmp_path, "all")
    assert "corpus build" in lines[0]
    trained = [line for line in lines if "--until trained" in line]
    # four teachers and their pupil, six that leave kinds out, the paper's network, its predecessor
    assert len(trained) == 13
    assert [line for line in lines if "--teacher" in line] == [trained[4]]


def test_networks_need_nothing_but_what_was_prepared(tmp_path: Path) -> None:
    genres = ("hotels", "blogs", "reddit", "imdb", "amazon")
    made = [
        *(f"corpora/{genre}/manifest.json" for genre in genres),
        *("shipped/prepared/manifest.json", "subword.vec"),
        *(f"{name}/vectors/vectors.json" for name in ("shipped", "paper")),
        "small/prepared/manifest.json",
    ]
    for name in made:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert all("--until trained" in line for line in steps(tmp_path, "networks"))
    teachers = [f"teachers/{n}" for n in range(1, 5)]
    unseen = [f"unseen/{n}" for n in range(1, 7)]
    for name in (*teachers, *unseen, "shipped"):
        (tmp_path / name).mkdir(parents=True, exist_ok=True)
        (tmp_path / name / "trained").touch()
    left = steps(tmp_path, "networks")
    assert [line.split(".toml")[0].rpartition("/")[2] for line in left] == ["paper", "hrsn"]
