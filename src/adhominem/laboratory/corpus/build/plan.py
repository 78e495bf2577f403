"""What is to be read and how it is cut into shards; the same for the same sources and settings."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow

from adhominem import __version__
from adhominem.files import sha256, write_whole
from adhominem.instrument.lines import iterate_lines, open_bytes
from adhominem.laboratory.corpus.build.settings import BuildSettings
from adhominem.laboratory.corpus.build.work import Work
from adhominem.laboratory.corpus.readers.amazon import product_category
from adhominem.laboratory.corpus.readers.rows import RecordError, parse_object
from adhominem.laboratory.corpus.readers.shards import SHARD_BYTES, Shard, split_sources
from adhominem.laboratory.corpus.readers.sources import Source, find_sources
from adhominem.laboratory.corpus.store import write_table

_MOST_BUCKETS = 256


@dataclass(frozen=True, slots=True)
class Plan:
    """`sources` has name, format, size and hash of every input, `key` a hash of all of it."""

    key: str
    settings: BuildSettings
    sources: list[dict[str, Any]]
    shards: list[Shard]

    @property
    def n_buckets(self) -> int:
        """So many that a bucket of authors is about as large as a shard."""
        size = sum(shard.size for shard in self.shards)
        return min(1 + size // SHARD_BYTES, _MOST_BUCKETS)


def make_plan(
    patterns: Sequence[str],
    settings: BuildSettings,
    work: Work,
    progress: Callable[[str, int, int], None],
) -> Plan:
    """The plan that lies in the work folder if it is for the same build, else a new one."""
    sources = find_sources(patterns, settings.columns)
    described = []
    for i, source in enumerate(sources):
        progress("looking", i, len(sources))
        described.append(_describe(source))
    paths = [str(source.path.absolute()) for source in sources]  # shards point there
    content = json.dumps([__version__, settings.as_dict(), described, paths], sort_keys=True)
    key = hashlib.sha256(content.encode()).hexdigest()
    shards = _shards_of(work.plan, key)
    if shards is None:
        shutil.rmtree(work.path, ignore_errors=True)
        work.make()
        _save_products(sources, work)
        shards = []
        for shard in split_sources(sources, work.raw):
            shards.append(shard)
            progress("splitting", shard.source, len(sources))
        plan = {"key": key, "shards": [shard.as_dict() for shard in shards]}
        write_whole(work.plan, json.dumps(plan))
    return Plan(key, settings, described, shards)


def _shards_of(path: Path, key: str) -> list[Shard] | None:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if content.get("key") != key:
        return None
    return [Shard.from_dict(shard) for shard in content["shards"]]


def _describe(source: Source) -> dict[str, Any]:
    files = [source.path] if source.path.is_file() else sorted(source.path.rglob("*.txt"))
    files = [path for path in files if path.is_file()]
    digest = sha256(source.path) if source.path.is_file() else _hash_folder(source.path, files)
    described = {
        "name": source.name,
        "format": source.format,
        "bytes": sum(path.stat().st_size for path in files),
        "sha256": digest,
    }
    if source.truth:
        described["truth"] = {"name": source.truth.name, "sha256": sha256(source.truth)}
    return described


def _hash_folder(folder: Path, files: Sequence[Path]) -> str:
    digest = hashlib.sha256()
    for path in files:
        digest.update(f"{path.relative_to(folder).as_posix()}\0{sha256(path)}\n".encode())
    return digest.hexdigest()


def _save_products(sources: Sequence[Source], work: Work) -> None:
    """The category of every product in the metadata files, if there are any."""
    categories: dict[str, str] = {}
    for source in sources:
        if source.format != "metadata":
            continue
        with open_bytes(source.path) as stream:
            for line in iterate_lines(stream):
                try:
                    found = product_category(parse_object(line.data))
                except RecordError:
                    continue
                if found:
                    categories.setdefault(*found)
    if categories:
        columns = {"product": list(categories), "category": list(categories.values())}
        write_table(pyarrow.table(columns), work.products)
