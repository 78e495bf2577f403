"""Pairs of a file answered in shards."""

import json
from pathlib import Path
from typing import Any

import pytest

from adhominem.cli import batch
from adhominem.cli.options import Judge, Machines
from adhominem.errors import InputError

DEMO = Path(__file__).parents[2] / "demo" / "pairs.jsonl"


@pytest.fixture
def pairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of several shards with a bad line."""
    monkeypatch.setattr("adhominem.laboratory.corpus.build.plan.SHARD_BYTES", 6000)
    rows = [json.loads(line) for line in DEMO.read_text().splitlines()] * 4
    lines = [json.dumps({**row, "id": str(i)}) for i, row in enumerate(rows)]
    path = tmp_path / "pairs.jsonl"
    path.write_text("\n".join([*lines[:3], "{bad", *lines[3:]]) + "\n")
    return path


def answer(pairs: Path, output: Path, *, strict: bool = False) -> list[dict[str, Any]]:
    batch._answer_shards(pairs, output, Judge(), Machines(), strict=strict)
    return [json.loads(line) for line in output.read_text().splitlines()]


def test_shards_are_answered_as_the_whole_file(
    pairs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch.answer_file(pairs, tmp_path / "whole.jsonl", Judge())
    whole = [json.loads(line) for line in (tmp_path / "whole.jsonl").read_text().splitlines()]
    call, calls = batch.answer_shard, []

    def stop(task: dict[str, Any]) -> dict[str, int]:
        calls.append(task["number"])
        if calls == [0, 1]:
            raise KeyboardInterrupt
        return call(task)

    monkeypatch.setattr(batch, "answer_shard", stop)
    with pytest.raises(KeyboardInterrupt):
        answer(pairs, tmp_path / "answers.jsonl")
    assert not (tmp_path / "answers.jsonl").exists()
    found = answer(pairs, tmp_path / "answers.jsonl")
    assert calls[:3] == [0, 1, 1] and len(calls) > 3
    assert [row["id"] for row in found] == [row["id"] for row in whole]
    for one, other in zip(found, whole, strict=True):
        assert one.keys() == other.keys()
        assert one.get("llr") == pytest.approx(other.get("llr"), abs=1e-5)
        assert one.get("error") == other.get("error")
    assert {path.name for path in tmp_path.iterdir()} == {
        *("answers.jsonl", "pairs.jsonl", "whole.jsonl")
    }


def test_what_several_processes_cannot_answer(pairs: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="into a file: give --pairs FILE -o FILE"):
        batch.answer_file(pairs, None, Judge(), Machines(2))
    with pytest.raises(InputError, match="line 4 is not JSON"):
        answer(pairs, tmp_path / "answers.jsonl", strict=True)
    (tmp_path / "empty.jsonl").touch()
    with pytest.raises(InputError, match="holds no pairs"):
        answer(tmp_path / "empty.jsonl", tmp_path / "answers.jsonl")
    assert {path.name for path in tmp_path.iterdir()} == {"pairs.jsonl", "empty.jsonl"}
