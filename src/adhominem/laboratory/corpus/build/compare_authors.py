"""Third stage: the text that authors share, one range of hashes at a time; and the words that
training authors use."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
from pyarrow import parquet

from adhominem.instrument.text.vocabulary import RESERVED_WORDS
from adhominem.laboratory.corpus.build.work_folder import WorkFolder
from adhominem.laboratory.corpus.duplicates import find_shared, load_range
from adhominem.laboratory.corpus.labels import SPLITS, Cuts, author_hashes
from adhominem.laboratory.corpus.store import TOKENS, read_tokens, write_table


def compare_or_count(task: dict[str, Any]) -> dict[str, Any]:
    """Run a task of this stage, of which there are two kinds."""
    work = WorkFolder(Path(task["work"]))
    if "bucket" in task:
        _count_words(
            work, task["bucket"], Cuts(task["split_cuts"], task["fold_cuts"]), task["seed"]
        )
    else:
        # `buckets` lists the buckets and the number of the first document of each.
        folders = [work.bucket(bucket) for bucket, _ in task["buckets"]]
        firsts = [first for _, first in task["buckets"]]
        sample = load_range(folders, firsts, task["low"], task["high"])
        find_shared(sample).save(work.shared(task["number"]))
    return {}


def _count_words(work: WorkFolder, bucket: int, cuts: Cuts, seed: int) -> None:
    """Write how often the training authors of a bucket use each word."""
    path = work.bucket(bucket) / "documents.parquet"
    table = parquet.read_table(path, columns=["author", *TOKENS.names])
    authors = author_hashes(table.column("author").to_pylist(), seed=seed)
    training = np.flatnonzero(cuts.splits(authors) == SPLITS.index("train"))
    counts = read_tokens(table).select(training).counts()
    words = sorted(word for word in counts if word not in RESERVED_WORDS)
    columns = {
        "word": pyarrow.array(words, pyarrow.string()),
        "count": pyarrow.array([counts[word] for word in words], pyarrow.int64()),
    }
    write_table(pyarrow.table(columns), work.word_counts(bucket))
