"""The plan of a build (sources and their shards) and its work folder.

The work folder stands beside the output and is removed at the end. Every file in it appears
complete, and the JSON file with the counts of a task is written last: it marks the task as done.
"""

import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow

from adhominem import __version__
from adhominem.errors import InputError
from adhominem.files import write_whole
from adhominem.laboratory.corpus import Progress
from adhominem.laboratory.corpus.build.engine import Engine, UnfinishedError, run_stage
from adhominem.laboratory.corpus.readers import READERS
from adhominem.laboratory.corpus.readers.reader import Rejected, Shard, Source

SHARD_BYTES = 16 * 1024 * 1024
_MOST_BUCKETS = 256
DROPPED = (  # steps that drop documents, in order
    *("empty", "too short", "too long", "not English", "exact duplicate", "near duplicate"),
    *("author with too few documents", "beyond the cap per author"),
)


class WorkFolder:
    """The paths of all files of a build."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.plan = path / "plan.json"  # shards, and a hash of sources and settings
        self.raw = path / "raw"  # pieces of compressed sources
        self.all_dropped = path / "dropped"

    def documents(self, shard: int) -> Path:
        """Documents of a shard, sorted by the bucket of their author."""
        return self.path / "parts" / f"{shard:06d}.parquet"

    def shard_counts(self, shard: int) -> Path:
        return self.path / "parts" / f"{shard:06d}.json"

    def quarantine(self, shard: int) -> Path:
        """Rejected lines of a shard."""
        return self.path / "parts" / f"{shard:06d}.jsonl"

    def answers(self, shard: int) -> Path:
        """Answers to the pairs of a shard."""
        return self.path / "parts" / f"{shard:06d}.answers.jsonl"

    def bucket(self, bucket: int) -> Path:
        """Kept documents of a bucket of authors, and arrays about them."""
        return self.path / "buckets" / f"{bucket:05d}"

    def word_counts(self, bucket: int) -> Path:
        return self.path / "counts" / f"{bucket:05d}.parquet"

    def dropped(self, name: str) -> Path:
        return self.all_dropped / f"{name}.parquet"


@contextmanager
def working(output: Path) -> Iterator[WorkFolder]:
    """Open the work folder of an output, locked against other processes. It is removed at the end
    and after errors that would occur again; after others the same command continues."""
    work = WorkFolder(output.absolute().parent / f".{output.name}.work")
    try:
        with _locked(work.path):
            try:
                yield work
            except InputError as error:
                if not isinstance(error, UnfinishedError):
                    shutil.rmtree(work.path, ignore_errors=True)
                raise
            shutil.rmtree(work.path)
    except OSError as error:
        problem = f"{error.filename or output}: {error.strerror or error}"
        raise InputError(f"{problem}; the same command goes on from here") from None


@contextmanager
def _locked(work: Path) -> Iterator[None]:
    """Lock the work folder; the lock ends with the process."""
    try:
        import fcntl
    except ImportError:  # not on this system
        yield
        return
    work.parent.mkdir(parents=True, exist_ok=True)
    lock = work.with_suffix(".lock")
    with lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(f"another build is at work on {work}: wait for it") from None
        try:
            yield
        finally:
            lock.unlink(missing_ok=True)


def dropped_table(
    sources: Sequence[int], lines: Sequence[int], steps: Sequence[str]
) -> pyarrow.Table:
    """Return the source and line of each dropped document and the step that dropped it."""
    schema = [("source", pyarrow.int32()), ("line", pyarrow.int64()), ("step", pyarrow.string())]
    return pyarrow.table([sources, lines, steps], schema=pyarrow.schema(schema))


def count_buckets(shards: Sequence[Shard]) -> int:
    """Return the number of buckets, so that a bucket is about as large as a shard."""
    return min(1 + sum(shard.size for shard in shards) // SHARD_BYTES, _MOST_BUCKETS)


def plan_shards(
    sources: Sequence[Source], settings: Any, work: WorkFolder, progress: Progress
) -> tuple[list[dict[str, Any]], list[Shard]]:
    """Return the description of each source, and the shards. A plan in the work folder for the same
    sources and settings is used; otherwise the folder is emptied and a new plan is written."""
    described = []
    for source in sources:
        progress("looking", source.number, len(sources))
        described.append(READERS[source.format].describe(source))
    paths = [str(source.path) for source in sources]
    content = json.dumps([__version__, settings, described, paths], sort_keys=True)
    key = hashlib.sha256(content.encode()).hexdigest()
    with suppress(OSError, ValueError):
        planned = json.loads(work.plan.read_text(encoding="utf-8"))
        if planned["key"] == key:
            return described, [Shard.from_dict(s) for s in planned["shards"]]
    shutil.rmtree(work.path, ignore_errors=True)
    shards = []
    for source in sources:
        for shard in READERS[source.format].split(source, work.raw, SHARD_BYTES):
            shards.append(shard)
            progress("splitting", source.number, len(sources))
    write_whole(work.plan, json.dumps({"key": key, "shards": [s.to_dict() for s in shards]}))
    return described, shards


def map_shards(
    function: str,
    sources: Sequence[Source],
    settings: dict[str, Any],
    work: WorkFolder,
    engine: Engine,
    progress: Progress,
) -> list[dict[str, Any]]:
    """Run a function with settings on each shard of the sources; return its results in order."""
    _, shards = plan_shards(sources, settings, work, progress)
    common = {**settings, "work": str(work.path)}
    tasks = {
        work.shard_counts(i): {**common, "number": i, "shard": shard.to_dict()}
        for i, shard in enumerate(shards)
    }
    return run_stage("reading", function, tasks, engine, progress)


def write_quarantine(
    work: WorkFolder, number: int, source: str, rejected: Sequence[Rejected]
) -> dict[str, int]:
    """Write the rejected lines of a shard; return their number by reason."""
    entries = [{"file": source, **asdict(record)} for record in rejected]
    lines = "".join(f"{json.dumps(entry, ensure_ascii=False)}\n" for entry in entries)
    write_whole(work.quarantine(number), lines)
    return dict(Counter(record.reason for record in rejected))
