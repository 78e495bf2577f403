"""Reference texts on the command line."""

import json
from pathlib import Path

import numpy as np
import pyarrow
import pytest
from pyarrow import parquet
from typer.testing import CliRunner

from adhominem.cli.app import app

LEFT, RIGHT = "demo/left.txt", "demo/right.txt"


@pytest.fixture(scope="module")
def texts() -> list[str]:
    rng = np.random.default_rng(0)
    words = (Path(LEFT).read_text() + Path(RIGHT).read_text()).split()
    return [" ".join(rng.choice(words, 50)) + "." for _ in range(55)]


def answer(*arguments: str) -> dict[str, object]:
    done = CliRunner().invoke(app, ["verify", LEFT, RIGHT, "--json", *arguments])
    assert done.exit_code == 0, done.output
    content: dict[str, object] = json.loads(done.stdout)
    return content


def test_a_folder_and_tables_say_the_same(texts: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    for number, text in enumerate(texts):
        (folder / f"{number:03d}.txt").write_text(text)
    lines = tmp_path / "texts.jsonl"
    lines.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    table = tmp_path / "texts.parquet"
    parquet.write_table(pyarrow.table({"text": texts}), table)
    found = [answer("--reference", str(path)) for path in (folder, lines, table)]
    assert found[0]["left"]["genre"] == "reference"  # type: ignore[index]
    for other in found[1:]:
        assert other["llr"] == pytest.approx(found[0]["llr"], abs=1e-6)
    halves = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for path, part in zip(halves, (texts[:20], texts[20:]), strict=True):
        path.write_text("".join(json.dumps({"text": text}) + "\n" for text in part))
    both = answer("--reference", str(halves[0]), "--reference", str(halves[1]))
    assert both["llr"] == pytest.approx(found[0]["llr"], abs=1e-6)


def test_too_few_are_one_line(texts: list[str], tmp_path: Path) -> None:
    lines = tmp_path / "few.jsonl"
    lines.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts[:9]))
    done = CliRunner().invoke(app, ["verify", LEFT, RIGHT, "--reference", str(lines)])
    assert done.exit_code != 0
    assert "9 reference texts are long enough: at least 50" in str(done.exception or done.output)
