"""Models from strangers: whatever a folder holds, it is a model or one line of our errors."""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load, save

from adhominem.errors import ModelError
from adhominem.files import SEAL, read_sealed, sealed_json
from adhominem.instrument.evidence.calibration import Calibration, Trend
from adhominem.instrument.model_folder import describe_model, load_model
from adhominem.instrument.model_schema import record_from
from adhominem.instrument.verifier import Verifier
from adhominem.records import TrackRecord


@dataclass(frozen=True)
class Folder:
    """A small model folder, changed by someone who knows how to write hashes."""

    path: Path

    def change(self, file: str, edit: Callable[[Any], Any]) -> None:
        """Rewrite a JSON file, and the hashes that cover it."""
        data = (self.path / file).read_bytes()
        if file == "model.json":
            (self.path / file).write_bytes(sealed_json(edit(read_sealed(data))))
        else:
            self.put(file, json.dumps(edit(json.loads(data))).encode())

    def put(self, file: str, data: bytes) -> None:
        (self.path / file).write_bytes(data)
        digest = hashlib.sha256(data).hexdigest()
        self.change("model.json", lambda d: {**d, "files": {**d["files"], file: digest}})


@pytest.fixture(scope="module")
def saved(small: Verifier, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "small"
    small.save(folder, name="small", card="# A \x1b]0;title\x07 card")
    return folder


@pytest.fixture
def folder(saved: Path, tmp_path: Path) -> Folder:
    return Folder(Path(shutil.copytree(saved, tmp_path / "model")))


def refused(folder: Folder, problem: str = "model") -> None:
    with pytest.raises(ModelError, match=problem) as error:
        load_model(folder.path)
    assert len(str(error.value).splitlines()) == 1


def test_the_model_itself_is_accepted(folder: Folder, small: Verifier) -> None:
    assert load_model(folder.path).calibration_ == small.calibration_
    assert SEAL in json.loads((folder.path / "model.json").read_bytes())


def test_a_description_without_its_hash_is_refused(folder: Folder) -> None:
    content = read_sealed((folder.path / "model.json").read_bytes())
    (folder.path / "model.json").write_text(json.dumps(content))
    refused(folder, "has no content_sha256")


def at(*keys: str, value: Any) -> Callable[[Any], Any]:
    """An edit that puts a value under nested keys, or removes them for ..."""

    def edit(content: Any) -> Any:
        inner = content
        for key in keys[:-1]:
            inner = inner[key]
        if value is ...:
            del inner[keys[-1]]
        else:
            inner[keys[-1]] = value
        return content

    return edit


@pytest.mark.parametrize(
    "edit",
    [
        at("calibration", "slope", value=-1e308),
        at("calibration", "slope", value="steep"),
        at("calibration", "slope", value=True),
        at("calibration", "slope", value=...),
        at("calibration", "magic", value=1),
        at("calibration", "by_length", value=[]),
        at("calibration", value=None),
        at("calibrations", value={"letters": {}}),
        at("name", value=["x"]),
        at("name", value="x" * 100_000),
        at("version", value=4),
        at("kind", value=["neural"]),
        at("kind", value=...),
        at("settings", value=...),
        at("settings", "max_words", value=0),
        at("settings", "max_words", value=10**9),
        at("settings", "max_characters", value="15"),
        at("settings", "training", value=...),
        at("settings", "training", "max_lines", value=-1),
        at("settings", "sizes", "D_s", value=3),
        at("settings", "sizes", "D_w", value="300"),
        at("settings", "sizes", "n_words", value=10**8),
        at("settings", "sizes", "n_characters", value=...),
        at("experience", value={}),
        at("experience", value=[{"genre": 1}]),
        at("faithfulness", value=[1]),
        at("faithfulness", value=...),
        at("tau_s", value="near"),
        at("files", value={}),
        at("files", "weights.safetensors", value=5),
        at("files", "../model.json", value="0" * 64),
        at("format", value=...),
        at("content_sha257", value="0" * 64),
    ],
)  # fmt: skip
def test_descriptions_that_no_model_has(folder: Folder, edit: Callable[[Any], Any]) -> None:
    folder.change("model.json", edit)
    refused(folder)


@pytest.mark.parametrize(
    "edit",
    [
        at("words", value=...),
        at("words", value=[1, 2]),
        at("words", value=["a"]),
        at("words", value="words"),
        at("characters", value=7),
        at("characters", value=""),
        lambda _: [],
        lambda _: "[" * 10,
    ],
)
def test_vocabularies_that_no_model_has(folder: Folder, edit: Callable[[Any], Any]) -> None:
    folder.change("vocabulary.json", edit)
    refused(folder, "not a whole model")


def test_weights_that_no_model_has(folder: Folder) -> None:
    names = load((folder.path / "weights.safetensors").read_bytes())
    whole = (folder.path / "weights.safetensors").read_bytes()
    for name, array in names.items():
        for damaged in (array[:-1], array.reshape(-1)[:1], None):
            others = {n: a for n, a in names.items() if n != name}
            added = {} if damaged is None else {name: np.ascontiguousarray(damaged)}
            folder.put("weights.safetensors", save(others | added))
            if damaged is not None or name in ("words.weight", "metric.weight"):
                refused(folder, "not a whole model")
    folder.put("weights.safetensors", save(names | {"metric.bias": names["metric.bias"] * np.nan}))
    refused(folder, "not finite")
    folder.put("weights.safetensors", whole[:100])
    refused(folder, "not a whole model")
    folder.put("weights.safetensors", b"")
    refused(folder, "not a whole model")


def test_deep_nesting(folder: Folder) -> None:
    folder.put("vocabulary.json", b"[" * 100_000)
    refused(folder)
    (folder.path / "model.json").write_bytes(b'{"a":' * 100_000)
    refused(folder, "nested too deeply")


@pytest.mark.parametrize("file", ["model.json", "vocabulary.json", "weights.safetensors"])
def test_only_regular_files_are_opened(folder: Folder, file: str) -> None:
    (folder.path / file).unlink()
    os.mkfifo(folder.path / file)
    refused(folder, "not a regular file")
    (folder.path / file).unlink()
    (folder.path / file).symlink_to("/dev/zero")
    refused(folder, "not a regular file")


def test_every_flipped_bit_of_a_folder_is_refused_or_without_effect(
    folder: Folder,
) -> None:
    whole = load_model(folder.path)
    draws = random.Random(1)
    for file in ("model.json", "vocabulary.json", "weights.safetensors"):
        path = folder.path / file
        data = path.read_bytes()
        for _ in range(60):
            place, bit = draws.randrange(len(data)), draws.randrange(8)
            path.write_bytes(data[:place] + bytes([data[place] ^ (1 << bit)]) + data[place + 1 :])
            try:
                read = load_model(folder.path)
            except ModelError as error:
                assert len(str(error).splitlines()) == 1
                continue
            assert read.identity == whole.identity
            assert read.calibration_ == whole.calibration_
            assert read.faithfulness_ == whole.faithfulness_
        path.write_bytes(data)


def test_a_record_is_built_by_its_annotations() -> None:
    trend = {"slope": 1, "intercept": 0.5, "least": 0, "typical": 0, "most": 1}
    content = {"slope": 1.5, "intercept": 2, "lowest": -1, "highest": 1, "by_length": trend}
    built = record_from(Calibration, content)
    assert built == Calibration(1.5, 2.0, -1.0, 1.0, by_length=Trend(1.0, 0.5, 0.0, 0.0, 1.0))
    row = {"genre": None, "shortest": 1, "longest": None, "pairs": 5, "error": 0.5}
    with pytest.raises(KeyError, match="reliable"):
        record_from(TrackRecord, row)
    with pytest.raises(TypeError, match="pairs"):
        numbers = dict.fromkeys(("reliable_share", "reliable_error", "low", "high"), 0)
        record_from(TrackRecord, {**row, **numbers, "pairs": 0.5})


def test_the_card_of_a_stranger_is_decoded_whatever_it_holds(folder: Folder) -> None:
    (folder.path / "README.md").write_bytes(b"\xff card")
    assert "card" in describe_model(folder.path)[1]
