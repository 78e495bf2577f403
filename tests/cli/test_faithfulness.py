"""adhominem faithfulness: the figures, the model that quotes them, and one-line errors."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adhominem.instrument.model_folder import load, shipped_models

ROOT = Path(__file__).parents[2]
LEFT, RIGHT = ((ROOT / "demo" / f"{side}.txt").read_text()[:300] for side in ("left", "right"))
Run = Callable[..., Any]


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return Path(shutil.copytree(shipped_models()["adhominem"], tmp_path / "model"))


def write_pairs(path: Path, *lefts: str) -> Path:
    pairs = [{"id": n, "left": left, "right": RIGHT} for n, left in enumerate(lefts)]
    path.write_text("".join(json.dumps(pair) + "\n" for pair in pairs))
    return path


def test_measures_and_stores(run: Run, tmp_path: Path, model: Path) -> None:
    source, output = write_pairs(tmp_path / "pairs.jsonl", LEFT, LEFT), tmp_path / "out.json"
    done = run(
        "model", "faithfulness", model, source, "-o", output, "--pairs", "1", "--store", "--json"
    )
    report = json.loads(done.out)
    assert report["pairs"] == report["files"][0]["pairs"] == 1
    assert report["command"].endswith("--pairs 1 --seed 1")
    assert json.loads(output.read_text()) == report
    quoted = load(model).explain_texts(LEFT, RIGHT).faithfulness
    assert quoted is not None
    assert quoted.pairs == 1
    refused = run("model", "faithfulness", model, source, "-o", output)
    assert refused.code == 1
    assert "--force" in refused.err


def test_errors_are_one_line(run: Run, tmp_path: Path, model: Path) -> None:
    for source, message in (
        (write_pairs(tmp_path / "empty.jsonl", ""), "pair 0 has a side without words"),
        (tmp_path / "none.jsonl", "none.jsonl"),
    ):
        done = run("model", "faithfulness", model, source)
        assert done.code == 1
        assert done.err.startswith("adhominem: ")
        assert message in done.err
        assert done.err.count("\n") == 1
