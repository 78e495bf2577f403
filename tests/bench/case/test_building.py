"""An index of many files is made in shards, goes on after a kill and has the same bytes."""

from __future__ import annotations

import json
from copy import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pyarrow import parquet

from adhominem.bench.case import building
from adhominem.bench.case.building import build_index
from adhominem.bench.case.index import open_index
from adhominem.bench.case.search import search
from adhominem.errors import InputError
from adhominem.instrument.verifier import Verifier
from adhominem.laboratory.corpus.build.engine import Engine
from adhominem.records import Document, Pair


@pytest.fixture(scope="module")
def documents(dev_pairs: list[Pair]) -> list[Document]:
    rows = {d.text: d for pair in dev_pairs for d in (*pair.left, *pair.right)}
    return list(rows.values())


@pytest.fixture(scope="module")
def source(documents: list[Document], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Lines in no order of authors, two of them bad."""
    lines = [json.dumps({"author": d.author, "text": d.text}) for d in documents]
    lines[5:5] = ["{broken", json.dumps({"author": "nobody"})]
    path: Path = tmp_path_factory.mktemp("texts") / "texts.jsonl"
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture(scope="module")
def model(small: Verifier, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder: Path = tmp_path_factory.mktemp("model") / "model"
    copy(small).save(folder, name="small")
    return str(folder)


@pytest.fixture(autouse=True)
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adhominem.laboratory.corpus.build.plan.SHARD_BYTES", 6000)


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def build(source: Path, output: Path, model: str, **options: Any) -> dict[str, Any]:
    return build_index([str(source)], output, Engine(1), model=model, **options)


def test_lines_that_cannot_be_read_are_counted(
    source: Path, model: str, documents: list[Document], tmp_path: Path
) -> None:
    counts = build(source, tmp_path / "index", model, each_text=True)
    assert counts["candidates"] == counts["texts"] == len(documents)
    assert counts["rejected"] == {"missing text": 1, "not JSON": 1}
    quarantine = (tmp_path / "index" / "quarantine.jsonl").read_text().splitlines()
    assert [json.loads(line)["line"] for line in quarantine] == [6, 7]
    assert len(list((tmp_path / "index").glob("*.parquet"))) > 2
    network = building._network(model)
    index = open_index(tmp_path / "index", network)
    [best] = search(network, documents[7].text, index, top=1).candidates
    assert best.name == f"{documents[7].author}/texts.jsonl:10"
    assert list(tmp_path.iterdir()) == [tmp_path / "index"]
    features = parquet.read_table(tmp_path / "index" / "00000.parquet")["features"].to_pylist()
    assert np.allclose(features[0], network.features([documents[0].text])[0], atol=1e-5)


def test_a_build_that_was_stopped_goes_on_to_the_same_bytes(
    source: Path, model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(source, tmp_path / "whole", model, each_text=True)
    call, calls = building.index_shard, []

    def stop(task: dict[str, Any]) -> dict[str, Any]:
        calls.append(task["number"])
        if calls in ([0, 1, 2], [0, 1, 2, 2, 3]):
            raise KeyboardInterrupt
        return call(task)

    monkeypatch.setattr(building, "index_shard", stop)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            build(source, tmp_path / "index", model, each_text=True)
        assert not (tmp_path / "index").exists()
    build(source, tmp_path / "index", model, each_text=True)
    assert content(tmp_path / "index") == content(tmp_path / "whole")
    assert calls[:6] == [0, 1, 2, 2, 3, 3]
    assert calls[5:] == list(range(3, calls[-1] + 1))


def test_authors_are_indexed_of_a_corpus_only(source: Path, model: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"anywhere in .*: give --each-text, or build a corpus"):
        build(source, tmp_path / "index", model)


def test_a_source_without_texts_is_refused(model: str, tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text('{"author": "smith", "text": 1}\n')
    with pytest.raises(InputError, match=r"no text in .*wrong type"):
        build(tmp_path / "bad.jsonl", tmp_path / "index", model, each_text=True)
    assert list(tmp_path.iterdir()) == [tmp_path / "bad.jsonl"]
