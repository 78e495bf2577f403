"""Tasks in this process and in others, and what happens when one of them fails."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from adhominem.errors import InputError, MissingExtraError
from adhominem.laboratory.corpus.build import engine as module
from adhominem.laboratory.corpus.build.engine import Engine, UnfinishedError, run_tasks

TASKS = """
import os, signal
from adhominem.errors import InputError

def double(task):
    return {"number": 2 * task["number"], "process": os.getpid()}

def fail_at_three(task):
    if task["number"] == 3:
        raise OSError(28, "No space left on device", "/data/part")
    return double(task)

def refuse(task):
    raise InputError("the source is damaged")

def die_at_three(task):
    if task["number"] == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return double(task)
"""


@pytest.fixture
def tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module of task functions that every process can import."""
    (tmp_path / "tasks_of_a_test.py").write_text(TASKS)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return "tasks_of_a_test"


DAFT = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


def numbers(n: int = 6) -> list[dict[str, Any]]:
    return [{"number": i} for i in range(n)]


def test_tasks_run_here_in_their_order(tasks: str) -> None:
    found = list(run_tasks(f"{tasks}:double", numbers(), Engine(workers=1)))
    assert found == [{"number": 2 * i, "process": os.getpid()} for i in range(6)]
    assert list(run_tasks(f"{tasks}:double", [], Engine(workers=9))) == []
    [alone] = run_tasks(f"{tasks}:double", numbers(1), Engine(workers=9))
    assert alone["process"] == os.getpid()


def test_a_full_disk_is_one_line_and_what_is_done_counts(tasks: str) -> None:
    results = run_tasks(f"{tasks}:fail_at_three", numbers(), Engine(workers=1))
    assert [next(results)["number"] for _ in range(3)] == [0, 2, 4]
    with pytest.raises(UnfinishedError) as caught:
        next(results)
    assert str(caught.value) == (
        "/data/part: No space left on device; the same command goes on from here"
    )


def test_an_error_of_ours_is_passed_on_as_it_is(tasks: str) -> None:
    with pytest.raises(InputError, match=r"^the source is damaged$") as caught:
        list(run_tasks(f"{tasks}:refuse", numbers(), Engine(workers=1)))
    assert not isinstance(caught.value, UnfinishedError)


@DAFT
@pytest.mark.usefixtures("_collected")
def test_two_workers_are_two_other_processes_and_their_errors_arrive(tasks: str) -> None:
    found = list(run_tasks(f"{tasks}:double", numbers(), Engine(workers=2)))
    assert sorted(result["number"] for result in found) == [0, 2, 4, 6, 8, 10]
    assert os.getpid() not in {result["process"] for result in found}
    with pytest.raises(UnfinishedError, match="No space left on device") as caught:
        list(run_tasks(f"{tasks}:fail_at_three", numbers(), Engine(workers=2)))
    assert "\n" not in str(caught.value)


@DAFT
@pytest.mark.usefixtures("_collected")
def test_a_worker_that_dies_is_one_line(tasks: str, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(UnfinishedError, match="a worker ended in the middle") as caught:
        list(run_tasks(f"{tasks}:die_at_three", numbers(), Engine(workers=2)))
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400
    assert not caplog.records


@pytest.mark.parametrize(
    ("missing", "engine", "says"),
    [
        ("daft", Engine(workers=2), r'pip install "adhominem\[lab\]", or use --workers 1'),
        ("ray", Engine(cluster="local"), r'pip install "adhominem\[cluster\]", or leave --cluster'),
    ],
)
def test_a_missing_package_is_named_with_the_command(
    tasks: str, monkeypatch: pytest.MonkeyPatch, missing: str, engine: Engine, says: str
) -> None:
    monkeypatch.setattr(module, "_start", module._start.__wrapped__)  # Daft starts once
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(MissingExtraError, match=says):
        list(run_tasks(f"{tasks}:double", numbers(), engine))


def test_a_full_disk_stops_a_build_that_then_goes_on(
    make: Any, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(tmp_path))

    make.build(source, tmp_path / "whole")
    for place in (
        "tokenise_shard.write_table",
        "author_stages.np.save",
        "author_stages.write_table",
        "author_stages.part_of",
        "load_range",
        "corpus_folder.write_table",
        "corpus_folder.sha256",
    ):
        with monkeypatch.context() as patch:
            patch.setattr(f"adhominem.laboratory.corpus.build.{place}", full)
            with pytest.raises(InputError, match="No space left on device") as caught:
                make.build(source, tmp_path / "corpus")
        assert "\n" not in str(caught.value)
        assert str(caught.value).endswith("the same command goes on from here")
        assert not (tmp_path / "corpus").exists()
        assert (tmp_path / ".corpus.work" / "plan.json").exists()
    make.build(source, tmp_path / "corpus")
    assert make.files(tmp_path / "corpus") == make.files(tmp_path / "whole")
