"""First stage: a shard of raw lines to tokenised documents, ordered by the bucket of their author.

All documents of an author are in one bucket, so the next stage can look at buckets one by one.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow
from pyarrow import parquet

from adhominem.files import write_whole
from adhominem.instrument.text.language import MIN_SHARE, english_share
from adhominem.instrument.text.tokenise import tokenise
from adhominem.instrument.text.tokenised import Tokenised, join
from adhominem.laboratory.corpus.build.settings import BuildSettings
from adhominem.laboratory.corpus.build.work import DROPPED, NAMES, Work, drop_table
from adhominem.laboratory.corpus.hashes import hash_texts
from adhominem.laboratory.corpus.markup import strip_markup
from adhominem.laboratory.corpus.readers.read import read_shard
from adhominem.laboratory.corpus.readers.rows import Found, Rejected
from adhominem.laboratory.corpus.readers.shards import Shard
from adhominem.laboratory.corpus.store import WRITE_OPTIONS, token_columns, write_table

_BATCH = 2_000  # documents tokenised together


def read(task: dict[str, Any]) -> dict[str, Any]:
    """Writes the documents, the dropped and the rejected lines of one shard, then their counts."""
    work = Work(Path(task["work"]))
    shard = Shard.from_dict(task["shard"])
    stage = _Reader(shard, task["source"], BuildSettings.from_dict(task["settings"]))
    batch: list[Found] = []
    for record in read_shard(shard, work.categories()):
        if isinstance(record, Rejected):
            stage.reject(record)
            continue
        batch.append(record)
        if len(batch) == _BATCH:
            stage.take(batch)
            batch = []
    stage.take(batch)
    return stage.save(work, n_buckets=task["n_buckets"])


class _Reader:
    def __init__(self, shard: Shard, source: str, settings: BuildSettings) -> None:
        self._shard = shard
        self._source = source
        self._settings = settings
        self._counts: Counter[str] = Counter()
        self._rejected: list[Rejected] = []
        self._dropped: list[tuple[int, str]] = []
        self._kept: list[Found] = []
        self._read: list[Tokenised] = []

    def reject(self, record: Rejected) -> None:
        self._rejected.append(record)
        self._counts["lines"] += 1

    def take(self, records: list[Found]) -> None:
        self._counts["lines"] += sum(record.part == 0 for record in records)
        self._counts["documents"] += len(records)
        clean = []
        for record in records:
            text = strip_markup(record.text)
            self._counts["with markup"] += text != record.text
            if text.strip():
                author = f"{self._source}/{record.author}" if record.is_local else record.author
                clean.append(Found(author, record.topic, text, record.line, record.part))
            else:
                self._dropped.append((record.line, "empty"))
        texts = tokenise(record.text for record in clean)
        steps = self._judge(texts)
        kept = np.flatnonzero(steps < 0)
        self._dropped += [(clean[i].line, DROPPED[steps[i]]) for i in np.flatnonzero(steps >= 0)]
        self._kept += [clean[i] for i in kept]
        self._read.append(texts.select(kept))

    def _judge(self, texts: Tokenised) -> npt.NDArray[np.int64]:
        """The step that drops each text, -1 where none does."""
        settings = self._settings
        n_tokens = texts.n_tokens
        steps = np.full(texts.n_documents, -1)
        if settings.english_only:
            steps[english_share(texts) < MIN_SHARE] = DROPPED.index("not English")
        steps[n_tokens > settings.max_tokens] = DROPPED.index("too long")
        steps[n_tokens < settings.min_tokens] = DROPPED.index("too short")
        steps[n_tokens == 0] = DROPPED.index("empty")
        return steps

    def save(self, work: Work, *, n_buckets: int) -> dict[str, Any]:
        number = self._shard.number
        buckets = hash_texts(r.author for r in self._kept) % np.uint64(n_buckets)
        order = np.argsort(buckets, kind="stable")
        table = self._table(order)
        ordered = buckets[order].astype(int)
        present = np.unique(ordered)
        edges = np.append(np.searchsorted(ordered, present), len(ordered))
        temporary = work.part(number).with_suffix(".tmp")
        with parquet.ParquetWriter(
            temporary, table.schema, compression="lz4", **WRITE_OPTIONS
        ) as writer:
            for start, stop in pairwise(edges):
                writer.write_table(table.slice(start, stop - start), row_group_size=stop - start)
        temporary.replace(work.part(number))
        write_table(
            drop_table(self._shard.source, self._dropped), work.dropped(f"read-{number:06d}")
        )
        write_whole(work.quarantine(number), self._quarantine())
        result = {
            "number": number,
            "source": self._shard.source,
            "buckets": present.tolist(),
            "counts": dict(self._counts),
            "rejected": dict(Counter(record.reason for record in self._rejected)),
            "dropped": dict(Counter(step for _, step in self._dropped)),
        }
        write_whole(work.read_result(number), json.dumps(result))
        return result

    def _table(self, order: npt.NDArray[np.int64]) -> pyarrow.Table:
        kept = [self._kept[i] for i in order]
        columns = {
            "author": pyarrow.array([r.author for r in kept], pyarrow.string()),
            "topic": pyarrow.array([r.topic for r in kept], pyarrow.string()),
            "text": pyarrow.array([r.text for r in kept], pyarrow.string()),
            "source": pyarrow.array([self._shard.source] * len(kept), pyarrow.int32()),
            "line": pyarrow.array([r.line for r in kept], pyarrow.int64()),
            "part": pyarrow.array([r.part for r in kept], pyarrow.int32()),
            "id": pyarrow.array([self._id(r) for r in kept], pyarrow.string()),
        }
        assert tuple(columns) == NAMES
        return pyarrow.table({**columns, **token_columns(join(self._read).select(order))})

    def _id(self, record: Found) -> str:
        if self._shard.files:
            return f"{self._source}/{self._shard.files[record.line - self._shard.first]}"
        part = f"#{record.part}" if self._shard.format == "pan" else ""
        return f"{self._source}:{record.line}{part}"

    def _quarantine(self) -> str:
        lines = []
        for record in self._rejected:
            entry = asdict(record)
            lines.append(json.dumps({"file": self._source, **entry}, ensure_ascii=False))
        return "".join(f"{line}\n" for line in lines)
