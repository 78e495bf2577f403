"""The folder in which a corpus is made, beside its future place; it goes when the corpus is whole.

Every file takes its name when it is complete, and the JSON with the counts of a task comes last:
where it is, the task need not be done again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import pyarrow
from pyarrow import parquet

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
NAMES = ("author", "topic", "text", "source", "line", "part", "id")
_FOLDERS = ("raw", "parts", "gathered", "shared", "counts", "dropped")


@dataclass(frozen=True, slots=True)
class Work:
    path: Path

    def make(self) -> None:
        for name in _FOLDERS:
            (self.path / name).mkdir(parents=True, exist_ok=True)

    @property
    def plan(self) -> Path:
        return self.path / "plan.json"

    @property
    def raw(self) -> Path:
        return self.path / "raw"

    def part(self, number: int) -> Path:
        return self.path / "parts" / f"{number:06d}.parquet"

    def read_result(self, number: int) -> Path:
        return self.path / "parts" / f"{number:06d}.json"

    def quarantine(self, number: int) -> Path:
        return self.path / "parts" / f"{number:06d}.jsonl"

    def gathered(self, bucket: int) -> Path:
        return self.path / "gathered" / f"{bucket:05d}"

    def shared(self, number: int) -> Path:
        return self.path / "shared" / f"{number:05d}.npz"

    @property
    def copies(self) -> Path:
        """Pairs of documents that two authors share."""
        return self.path / "copies.npy"

    def types(self, bucket: int) -> Path:
        return self.path / "counts" / f"{bucket:05d}.parquet"

    def dropped(self, name: str) -> Path:
        return self.path / "dropped" / f"{name}.parquet"

    @property
    def products(self) -> Path:
        return self.path / "products.parquet"

    def categories(self) -> Mapping[str, str]:
        """Categories by product, where a metadata file was given."""
        return _categories(self.products) if self.products.exists() else {}


@lru_cache(maxsize=1)
def _categories(path: Path) -> dict[str, str]:
    table = parquet.read_table(path)
    return dict(zip(*(table.column(i).to_pylist() for i in range(2)), strict=True))


def drop_table(source: int | Sequence[int], rows: Sequence[tuple[int, str]]) -> pyarrow.Table:
    """Where each dropped document stood, and the step that dropped it."""
    sources = [source] * len(rows) if isinstance(source, int) else list(source)
    return pyarrow.table(
        {
            "source": pyarrow.array(sources, pyarrow.int32()),
            "line": pyarrow.array([line for line, _ in rows], pyarrow.int64()),
            "step": pyarrow.array([step for _, step in rows], pyarrow.string()),
        }
    )
