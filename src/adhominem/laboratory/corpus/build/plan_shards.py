"""The plan of a build: the sources, and the shards they are split into."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adhominem import __version__
from adhominem.files import write_whole
from adhominem.laboratory.corpus.build.work_folder import WorkFolder
from adhominem.laboratory.corpus.readers import READERS, find_sources
from adhominem.laboratory.corpus.readers.reader import Shard
from adhominem.laboratory.corpus.settings import CorpusSettings

SHARD_BYTES = 16 * 1024 * 1024
_MOST_BUCKETS = 256


@dataclass(frozen=True, slots=True)
class Plan:
    """`sources` has the name, format, size and hash of every source."""

    settings: CorpusSettings
    sources: list[dict[str, Any]]
    shards: list[Shard]

    @property
    def n_buckets(self) -> int:
        """The number of buckets of authors, each about as large as a shard."""
        size = sum(shard.size for shard in self.shards)
        return min(1 + size // SHARD_BYTES, _MOST_BUCKETS)


def plan_shards(
    patterns: Sequence[str],
    settings: CorpusSettings,
    work: WorkFolder,
    progress: Callable[[str, int, int], None],
) -> Plan:
    """Return the plan in the work folder if it is for the same sources and settings, else empty
    the work folder and write a new one."""
    sources = find_sources(patterns, settings.columns)
    described = []
    for source in sources:
        progress("looking", source.number, len(sources))
        described.append(READERS[source.format].describe(source))
    paths = [str(source.path) for source in sources]
    content = json.dumps([__version__, settings.to_dict(), described, paths], sort_keys=True)
    key = hashlib.sha256(content.encode()).hexdigest()
    shards = _planned_shards(work.plan, key)
    if shards is None:
        shutil.rmtree(work.path, ignore_errors=True)
        shards = []
        for source in sources:
            for shard in READERS[source.format].split(source, work.raw, SHARD_BYTES):
                shards.append(shard)
                progress("splitting", source.number, len(sources))
        plan = {"key": key, "shards": [shard.to_dict() for shard in shards]}
        write_whole(work.plan, json.dumps(plan))
    return Plan(settings, described, shards)


def _planned_shards(path: Path, key: str) -> list[Shard] | None:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if content.get("key") != key:
        return None
    return [Shard.from_dict(shard) for shard in content["shards"]]
