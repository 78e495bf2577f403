"""The list of parts names every dependency and the terms of every file of data."""

from __future__ import annotations

import importlib.util
import tomllib
from pathlib import Path

from adhominem.files import sha256

ROOT = Path(__file__).parents[1]


def test_every_part_is_named() -> None:
    spec = importlib.util.spec_from_file_location("sbom", ROOT / "docs" / "sbom.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    parts = {part["name"]: part for part in module.sbom()["components"]}
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert {line.partition(">=")[0] for line in needed} <= parts.keys()
    weights = parts["models/adhominem/weights.safetensors"]
    folder = ROOT / "src" / "adhominem" / "models" / "adhominem"
    assert weights["hashes"][0]["content"] == sha256(folder / "weights.safetensors")
    assert "research" in weights["licenses"][0]["license"]["name"]
    assert "research" in str(parts["instrument/linguistics/data/reference.json"]["licenses"])
