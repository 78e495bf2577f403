"""Small corpora to build: English enough, and nobody repeats himself."""

from __future__ import annotations

import gc
import json
import random
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from adhominem.laboratory.corpus import CorpusSettings
from adhominem.laboratory.corpus.build import build_corpus
from adhominem.laboratory.corpus.build.engine import Engine

Row = dict[str, Any]

_WORDS = (  # noqa: SIM905
    "the a of and to in is it that was for on are with as his they be at one have this from or had "
    "not but what all were we when your can said there use an each which she do how their if will "
    "room hotel river lamp table garden bridge letter window story kettle ship market teacher road "
    "winter music paper train cloud stone apple harbour street summer doctor engine ticket forest"
).split()
_TOPICS = ("Rome", "Oslo", "Lima")


class Maker:
    """Rows, files and corpora; the same each time."""

    settings = CorpusSettings(min_tokens=20, max_tokens=100, max_documents=8)

    def text(self, rng: random.Random, n_words: int = 30) -> str:
        return " ".join(rng.choice(_WORDS) for _ in range(n_words)).capitalize() + "."

    def rows(
        self, n_authors: int = 40, *, seed: int = 1, topics: Iterable[str] = _TOPICS
    ) -> list[Row]:
        """Six documents for each author, the authors mixed."""
        rng = random.Random(seed)
        names = list(topics)
        rows: list[Row] = [
            {"author": f"author{a}", "topic": names[i % len(names)], "text": self.text(rng)}
            for a in range(n_authors)
            for i in range(6)
        ]
        rng.shuffle(rows)
        return rows

    def write(self, rows: Iterable[Row], path: Path) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
        return path

    def build(
        self, source: Path, output: Path, settings: CorpusSettings | None = None, **options: Any
    ) -> dict[str, Any]:
        options = {"engine": Engine(workers=1), **options}
        return build_corpus([str(source)], output, settings or self.settings, **options)

    def files(self, folder: Path) -> dict[str, bytes]:
        """Every file below, by its path."""
        return {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }


@pytest.fixture(scope="session")
def make() -> Maker:
    return Maker()


@pytest.fixture
def source(make: Maker, tmp_path: Path) -> Path:
    """Eight files of thirty documents."""
    rows = make.rows()
    for i in range(8):
        make.write(rows[30 * i : 30 * (i + 1)], tmp_path / "source" / f"{i}.jsonl")
    return tmp_path / "source"


@pytest.fixture
def _collected() -> Iterator[None]:
    """Daft leaves the pipes of its processes to the collector, which complains of them."""
    yield
    gc.collect()


@pytest.fixture
def small_shards(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Cuts small sources into many shards and buckets, as large ones are."""

    def cut(n_bytes: int) -> None:
        stage = "adhominem.laboratory.corpus.build.plan"
        monkeypatch.setattr(f"{stage}.SHARD_BYTES", n_bytes)

    return cut
