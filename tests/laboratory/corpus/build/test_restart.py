"""The same bytes every time: again, with more workers, and after a build that was killed."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from adhominem.laboratory.corpus.build.engine import Engine

Cut = Callable[[int], None]
BYTES = 10_000  # of a shard: some six buckets of authors


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def stop_at(stage: str, number: int) -> Callable[[str, int, int], None]:
    def progress(name: str, done: int, _: int) -> None:
        if (name, done) == (stage, number):
            raise KeyboardInterrupt

    return progress


def test_two_builds_with_one_seed_are_the_same_bytes(
    make: Any, source: Path, tmp_path: Path, small_shards: Cut
) -> None:
    small_shards(BYTES)
    make.build(source, tmp_path / "one")
    moved = source.rename(tmp_path / "elsewhere")
    make.build(moved, tmp_path / "other")
    one = make.files(tmp_path / "one")
    assert one == make.files(tmp_path / "other")
    assert len([name for name in one if name.startswith("documents/")]) > 4
    assert names(tmp_path) == ["elsewhere", "one", "other"]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.usefixtures("_collected")
def test_two_workers_write_the_bytes_of_one(
    make: Any, source: Path, tmp_path: Path, small_shards: Cut
) -> None:
    small_shards(BYTES)
    make.build(source, tmp_path / "one")
    make.build(source, tmp_path / "two", engine=Engine(workers=2))
    assert make.files(tmp_path / "one") == make.files(tmp_path / "two")


@pytest.mark.parametrize(
    ("stage", "number"),
    [
        ("splitting", 3),
        ("reading", 3),
        ("duplicates", 1),
        ("counting", 2),
        ("comparing", 2),
        ("merging", 2),
    ],
)
def test_a_build_goes_on_where_it_was_stopped(
    make: Any, source: Path, tmp_path: Path, small_shards: Cut, stage: str, number: int
) -> None:
    small_shards(BYTES)
    make.build(source, tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        make.build(source, tmp_path / "corpus", progress=stop_at(stage, number))
    assert not (tmp_path / "corpus").exists()
    begun: dict[str, int] = {}
    make.build(
        source,
        tmp_path / "corpus",
        progress=lambda name, done, _: begun.setdefault(name, done),
    )
    assert make.files(tmp_path / "corpus") == make.files(tmp_path / "whole")
    assert names(tmp_path) == ["corpus", "source", "whole"]
    if stage in ("reading", "duplicates", "counting"):
        assert begun[stage] == number
    if stage in ("duplicates", "counting", "comparing", "merging"):
        assert begun["reading"] == 8


KILLED = """
import sys, time
from pathlib import Path
from adhominem.laboratory.corpus.build import build_corpus
from adhominem.laboratory.corpus.build.engine import Engine
from adhominem.laboratory.corpus import CorpusSettings

def wait(stage, done, total):
    if stage == "reading" and done == 3:
        time.sleep(60)

source, output, settings = sys.argv[1:]
settings = CorpusSettings(**eval(settings))
build_corpus([source], Path(output), settings, engine=Engine(workers=1), progress=wait)
"""


def test_a_killed_build_is_finished_by_the_same_command(
    make: Any, source: Path, tmp_path: Path
) -> None:
    make.build(source, tmp_path / "whole")
    command = [sys.executable, "-c", KILLED, str(source), str(tmp_path / "corpus")]
    with subprocess.Popen([*command, repr(asdict(make.settings))]) as process:
        third = tmp_path / ".corpus.work" / "parts" / "000002.json"
        for _ in range(3000):
            if third.exists() or process.poll() is not None:
                break
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    assert third.exists()
    assert not (tmp_path / "corpus").exists()
    make.build(source, tmp_path / "corpus")
    assert make.files(tmp_path / "corpus") == make.files(tmp_path / "whole")
    assert names(tmp_path) == ["corpus", "source", "whole"]


@pytest.mark.parametrize("change", ["settings", "content", "place", "half a plan"])
def test_what_was_begun_for_another_build_is_not_used(
    make: Any, source: Path, tmp_path: Path, change: str
) -> None:
    settings = make.settings
    with pytest.raises(KeyboardInterrupt):
        make.build(source, tmp_path / "corpus", progress=stop_at("comparing", 0))
    if change == "settings":
        settings = replace(settings, max_documents=4)
    elif change == "content":
        make.write(make.rows(5, seed=9), source / "0.jsonl")
    elif change == "place":
        source = source.rename(tmp_path / "elsewhere")
    else:
        (tmp_path / ".corpus.work" / "plan.json").write_text('{"key": "')
    make.build(source, tmp_path / "corpus", settings)
    make.build(source, tmp_path / "fresh", settings)
    assert make.files(tmp_path / "corpus") == make.files(tmp_path / "fresh")
    assert names(tmp_path) == sorted(["corpus", "fresh", source.name])


def test_a_forced_build_that_is_stopped_leaves_the_old_corpus(
    make: Any, source: Path, tmp_path: Path
) -> None:
    make.build(source, tmp_path / "corpus")
    before = make.files(tmp_path / "corpus")
    other = replace(make.settings, seed=2)
    with pytest.raises(KeyboardInterrupt):
        make.build(source, tmp_path / "corpus", other, force=True, progress=stop_at("merging", 0))
    assert make.files(tmp_path / "corpus") == before
