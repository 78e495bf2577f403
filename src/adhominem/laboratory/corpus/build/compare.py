"""Third stage: what authors share, one range of hashes after the other; and, once it is known who
trains, what words the training authors use."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
from pyarrow import parquet

from adhominem.instrument.text.vocabulary import RESERVED_WORDS
from adhominem.laboratory.corpus.build.work import Work
from adhominem.laboratory.corpus.copies import Shared, find_shared, load_range
from adhominem.laboratory.corpus.folds import SPLITS, Cuts, author_places
from adhominem.laboratory.corpus.store import TOKENS, read_tokens, write_table


def compare_or_count(task: dict[str, Any]) -> dict[str, Any]:
    return count(task) if "bucket" in task else compare(task)


def compare(task: dict[str, Any]) -> dict[str, Any]:
    """`buckets` lists the buckets and the number of the first document of each."""
    work = Work(Path(task["work"]))
    folders = [work.gathered(bucket) for bucket, _ in task["buckets"]]
    rows = load_range(folders, [first for _, first in task["buckets"]], task["low"], task["high"])
    save_shared(find_shared(rows), work.shared(task["number"]))
    return {"number": task["number"]}


def save_shared(shared: Shared, path: Path) -> None:
    temporary = path.with_suffix(".tmp")
    with temporary.open("wb") as file:
        np.savez(file, **{name: getattr(shared, name) for name in Shared.__slots__})
    temporary.replace(path)


def load_shared(path: Path) -> Shared:
    with np.load(path, allow_pickle=False) as arrays:
        return Shared(**{name: arrays[name] for name in Shared.__slots__})


def count(task: dict[str, Any]) -> dict[str, Any]:
    """How often each word occurs with the training authors of a bucket."""
    work, bucket = Work(Path(task["work"])), task["bucket"]
    cuts = Cuts(tuple(task["split_cuts"]), tuple(task["fold_cuts"]))
    path = work.gathered(bucket) / "documents.parquet"
    table = parquet.read_table(path, columns=["author", *TOKENS.names])
    places = author_places(table.column("author").to_pylist(), seed=task["seed"])
    training = np.flatnonzero(cuts.splits(places) == SPLITS.index("train"))
    counts = read_tokens(table).select(training).counts()
    words = sorted(word for word in counts if word not in RESERVED_WORDS)
    columns = {
        "word": pyarrow.array(words, pyarrow.string()),
        "count": pyarrow.array([counts[word] for word in words], pyarrow.int64()),
    }
    write_table(pyarrow.table(columns), work.types(bucket))
    return {"bucket": bucket}
