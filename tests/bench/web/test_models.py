"""Models by name, and new ones from an uploaded corpus."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from small_networks import fit_network

from adhominem.bench.web.adapting import adapt_model
from adhominem.bench.web.models import Models
from adhominem.bench.web.settings import Limits, Settings
from adhominem.bench.web.wire import AdaptationRequest
from adhominem.bench.web.workbench import Workbench
from adhominem.errors import AdhominemError, InputError, ModelError
from adhominem.instrument.model_folder import load_model, shipped_models
from adhominem.instrument.neural import NeuralVerifier
from adhominem.laboratory.training import TrainingConfig
from adhominem.records import Pair

SIZES = {"D_c": 4, "D_r": 4, "D_w": 8, "D_s": 6, "D_d": 6, "D_a": 6, "D_f": 5, "train_words": True}


@pytest.fixture(scope="module")
def small(train_pairs: list[Pair], dev_pairs: list[Pair]) -> NeuralVerifier:
    training = TrainingConfig(epochs=1, batch_pairs=16, learning_rate=0.02)
    return fit_network(train_pairs, dev_pairs, sizes=SIZES, training=training)


@pytest.fixture(scope="module")
def rows(train_pairs: list[Pair]) -> list[dict[str, Any]]:
    found = {d.text: d for pair in train_pairs for d in (*pair.left, *pair.right)}
    return [{"author": d.author, "text": d.text, "topic": d.topic} for d in found.values()]


def quiet(done: int, total: int) -> None:
    assert 0 <= done <= total


def test_models_of_a_folder_are_loaded_and_dropped(small: NeuralVerifier, tmp_path: Path) -> None:
    for name in ("one", "two", "three"):
        small.save(tmp_path / name, name=name)
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "model.json").write_text("{}")
    models = Models(Settings(models=tmp_path, model="one", limits=Limits(max_models=2)))
    assert set(models.paths()) == {"adhominem", "one", "two", "three", "broken"}
    assert models.load(None) is models.load("one") is models.loaded("one")
    models.load("two")
    models.load("one")
    models.load("three")
    assert models.loaded("two") is None and models.loaded("one") is not None
    with pytest.raises(ModelError):
        models.load("broken")
    assert {"name", "error"} == set(next(m for m in models.described() if m["name"] == "broken"))


def test_no_path_is_a_model(tmp_path: Path) -> None:
    models = Models(Settings(models=tmp_path))
    for name in (str(shipped_models()["adhominem"]), "..", "", "models/adhominem", "a\0b"):
        if name:
            with pytest.raises(InputError):
                models.load(name)
        with pytest.raises(InputError):
            models.folder_for(name)
    with pytest.raises(InputError):
        Models(Settings(model="nobody"))


@pytest.mark.parametrize("only_calibrate", [False, True])
def test_adapting(
    small: NeuralVerifier, rows: list[dict[str, Any]], tmp_path: Path, only_calibrate: bool
) -> None:
    asked = AdaptationRequest(name="new", rows=rows, only_calibrate=only_calibrate)  # type: ignore[arg-type]
    before = small.calibration_
    found = adapt_model(small, asked, tmp_path / "new", quiet)
    assert small.calibration_ is before
    made = load_model(tmp_path / "new")
    assert made.identity is not None and found["model"]["sha256"] == made.identity.sha256
    assert "uploaded" in (tmp_path / "new" / "README.md").read_text()
    report = found["report"]
    assert ("after" in report) != only_calibrate
    assert report["before"]["pairs"] == report["recalibrated"]["pairs"] > 0
    assert report["authors"]["test"] == 7
    with pytest.raises(InputError, match="already"):
        adapt_model(small, asked, tmp_path / "new", quiet)


@pytest.mark.parametrize("only_calibrate", [False, True])
@pytest.mark.parametrize("n", [1, 2, 3, 6, 9, 12, 17])
def test_a_corpus_that_is_too_small_is_told_in_a_line(
    small: NeuralVerifier, rows: list[dict[str, Any]], tmp_path: Path, n: int, only_calibrate: bool
) -> None:
    asked = AdaptationRequest(name="new", rows=rows[:n], only_calibrate=only_calibrate)  # type: ignore[arg-type]
    try:
        adapt_model(small, asked, tmp_path / "new", quiet)
    except AdhominemError as error:
        assert "\n" not in str(error) and "/tmp" not in str(error)
        assert not (tmp_path / "new").exists()


def test_a_calibrated_model_can_be_asked(
    client: httpx.Client, bench: Workbench, rows: list[dict[str, Any]]
) -> None:
    asked = {"name": "letters", "rows": rows, "only_calibrate": True}
    job = client.post("/api/adaptations", json=asked).json()["job"]
    end = time.monotonic() + 60
    while (found := client.get(f"/api/jobs/{job}").json())["state"] in ("queued", "running"):
        assert time.monotonic() < end
        time.sleep(0.05)
    assert found["state"] == "done", found["error"]
    table = client.get(f"/api/jobs/{job}", headers={"Accept": "text/html"}).text
    assert '<table data-name="letters">' in table and "calibrated anew" in table
    names = [model["name"] for model in client.get("/api/models").json()["models"]]
    assert "letters" in names
    pair = {"left": [rows[0]["text"]], "right": [rows[1]["text"]]}
    answer = client.post("/api/verify", json={**pair, "model": "letters"}).json()["decision"]
    assert answer["model"] == found["result"]["model"]
    assert answer["llr"] == bench.models.load("letters").verify(**pair).llr
