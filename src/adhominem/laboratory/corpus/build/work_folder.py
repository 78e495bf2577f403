"""The folder in which a corpus is built, beside its future place; it is removed at the end.

Every file appears complete, and the JSON file with the counts of a task is written last: a task
that has one is not run again.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow

# The steps that drop documents, in order.
DROPPED = (
    "empty",
    "too short",
    "too long",
    "not English",
    "exact duplicate",
    "near duplicate",
    "author with too few documents",
    "beyond the cap per author",
)


class WorkFolder:
    """The paths of all files of a build.

    plan        the shards, and a hash of sources and settings
    raw         pieces of compressed sources
    copies      pairs of documents that two authors share
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.plan = path / "plan.json"
        self.raw = path / "raw"
        self.copies = path / "copies.npy"
        self.all_dropped = path / "dropped"

    def documents(self, shard: int) -> Path:
        """The documents of a shard, ordered by the bucket of their author."""
        return self.path / "parts" / f"{shard:06d}.parquet"

    def shard_counts(self, shard: int) -> Path:
        return self.path / "parts" / f"{shard:06d}.json"

    def quarantine(self, shard: int) -> Path:
        """The lines of a shard that could not be read."""
        return self.path / "parts" / f"{shard:06d}.jsonl"

    def bucket(self, bucket: int) -> Path:
        """The documents of a bucket of authors that are kept, and arrays about them."""
        return self.path / "buckets" / f"{bucket:05d}"

    def shared(self, number: int) -> Path:
        """The n-grams in a range of hashes that authors share."""
        return self.path / "shared" / f"{number:05d}.npz"

    def word_counts(self, bucket: int) -> Path:
        return self.path / "counts" / f"{bucket:05d}.parquet"

    def dropped(self, name: str) -> Path:
        return self.all_dropped / f"{name}.parquet"


def dropped_table(
    sources: Sequence[int], lines: Sequence[int], steps: Sequence[str]
) -> pyarrow.Table:
    """Return the source and line of each dropped document, and the step that dropped it."""
    return pyarrow.table(
        {
            "source": pyarrow.array(sources, pyarrow.int32()),
            "line": pyarrow.array(lines, pyarrow.int64()),
            "step": pyarrow.array(steps, pyarrow.string()),
        }
    )
