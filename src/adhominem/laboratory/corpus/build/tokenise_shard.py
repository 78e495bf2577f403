"""First stage: the documents of a shard, cleaned, tokenised and ordered by the bucket of their
author.

All documents of an author are in one bucket, so the next stage can process buckets one by one.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow
from pyarrow import parquet

from adhominem.files import whole_file, write_whole
from adhominem.instrument.text.language import MIN_SHARE, english_share
from adhominem.instrument.text.tokenise import tokenise
from adhominem.instrument.text.tokenised import Tokenised, join
from adhominem.laboratory.corpus.build.work_folder import DROPPED, WorkFolder, dropped_table
from adhominem.laboratory.corpus.hashes import hash_texts
from adhominem.laboratory.corpus.markup import strip_markup
from adhominem.laboratory.corpus.readers import READERS
from adhominem.laboratory.corpus.readers.reader import RawDocument, Rejected, Shard
from adhominem.laboratory.corpus.settings import CorpusSettings
from adhominem.laboratory.corpus.store import WRITE_OPTIONS, token_columns, write_table

_BATCH = 2_000  # documents tokenised together


def tokenise_shard(task: dict[str, Any]) -> dict[str, Any]:
    """Write the documents, the dropped ones and the rejected lines of a shard, then their counts,
    and return these."""
    shard = Shard.from_dict(task["shard"])
    documents = _ShardDocuments(shard, CorpusSettings.from_dict(task["settings"]))
    batch: list[RawDocument] = []
    for record in READERS[shard.source.format].read(shard):
        if isinstance(record, Rejected):
            documents.reject(record)
            continue
        batch.append(record)
        if len(batch) == _BATCH:
            documents.add(batch)
            batch = []
    documents.add(batch)
    return documents.save(WorkFolder(Path(task["work"])), task["number"], task["n_buckets"])


class _ShardDocuments:
    """The documents of a shard that are kept so far, and a record of all others."""

    def __init__(self, shard: Shard, settings: CorpusSettings) -> None:
        self._shard = shard
        self._settings = settings
        self._counts: Counter[str] = Counter()
        self._rejected: list[Rejected] = []
        self._dropped_lines: list[int] = []
        self._dropped_steps: list[str] = []
        self._kept: list[RawDocument] = []
        self._tokenised: list[Tokenised] = []

    def reject(self, record: Rejected) -> None:
        self._rejected.append(record)
        self._counts["lines"] += 1

    def add(self, documents: list[RawDocument]) -> None:
        """Clean and tokenise documents and keep those that pass the filters."""
        self._counts["lines"] += sum(document.part == 0 for document in documents)
        self._counts["documents"] += len(documents)
        clean = []
        for document in documents:
            text = strip_markup(document.text)
            self._counts["with markup"] += text != document.text
            if text.strip():
                prefix = f"{self._shard.source.name}/" if document.is_local else ""
                clean.append(replace(document, text=text, author=prefix + document.author))
            else:
                self._drop(document, "empty")
        texts = tokenise(document.text for document in clean)
        steps = self._dropping_steps(texts)
        for i in np.flatnonzero(steps >= 0):
            self._drop(clean[i], DROPPED[steps[i]])
        kept = np.flatnonzero(steps < 0)
        self._kept += [clean[i] for i in kept]
        self._tokenised.append(texts.select(kept))

    def _drop(self, document: RawDocument, step: str) -> None:
        self._dropped_lines.append(document.line)
        self._dropped_steps.append(step)

    def _dropping_steps(self, texts: Tokenised) -> npt.NDArray[np.int64]:
        """Return the index of the step that drops each text, -1 for texts that are kept."""
        settings = self._settings
        n_tokens = texts.n_tokens
        steps = np.full(texts.n_documents, -1)
        if settings.english_only:
            steps[english_share(texts) < MIN_SHARE] = DROPPED.index("not English")
        steps[n_tokens > settings.max_tokens] = DROPPED.index("too long")
        steps[n_tokens < settings.min_tokens] = DROPPED.index("too short")
        steps[n_tokens == 0] = DROPPED.index("empty")
        return steps

    def save(self, work: WorkFolder, number: int, n_buckets: int) -> dict[str, Any]:
        """Write all files of the shard and return its counts."""
        buckets = hash_texts(d.author for d in self._kept) % np.uint64(n_buckets)
        order = np.argsort(buckets, kind="stable")
        table = self._table(order)
        ordered = buckets[order].astype(int)
        present = np.unique(ordered)
        edges = np.append(np.searchsorted(ordered, present), len(ordered))
        with (
            whole_file(work.documents(number)) as file,
            parquet.ParquetWriter(file, table.schema, compression="lz4", **WRITE_OPTIONS) as writer,
        ):
            for start, stop in pairwise(edges):
                writer.write_table(table.slice(start, stop - start), row_group_size=stop - start)
        source = self._shard.source.number
        sources = [source] * len(self._dropped_lines)
        dropped = dropped_table(sources, self._dropped_lines, self._dropped_steps)
        write_table(dropped, work.dropped(f"shard-{number:06d}"))
        write_whole(work.quarantine(number), self._quarantine())
        counts = {
            "number": number,
            "source": source,
            "buckets": present.tolist(),
            "counts": dict(self._counts),
            "rejected": dict(Counter(record.reason for record in self._rejected)),
            "dropped": dict(Counter(self._dropped_steps)),
        }
        write_whole(work.shard_counts(number), json.dumps(counts))
        return counts

    def _table(self, order: npt.NDArray[np.int64]) -> pyarrow.Table:
        reader, kept = READERS[self._shard.source.format], [self._kept[i] for i in order]
        sources = [self._shard.source.number] * len(kept)
        ids = [reader.document_id(self._shard, document) for document in kept]
        columns = {
            "author": pyarrow.array([d.author for d in kept], pyarrow.string()),
            "topic": pyarrow.array([d.topic for d in kept], pyarrow.string()),
            "text": pyarrow.array([d.text for d in kept], pyarrow.string()),
            "source": pyarrow.array(sources, pyarrow.int32()),
            "line": pyarrow.array([d.line for d in kept], pyarrow.int64()),
            "part": pyarrow.array([d.part for d in kept], pyarrow.int32()),
            "id": pyarrow.array(ids, pyarrow.string()),
        }
        return pyarrow.table({**columns, **token_columns(join(self._tokenised).select(order))})

    def _quarantine(self) -> str:
        entries = [{"file": self._shard.source.name, **asdict(r)} for r in self._rejected]
        return "".join(f"{json.dumps(entry, ensure_ascii=False)}\n" for entry in entries)
