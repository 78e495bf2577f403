"""Second and third stage of a build, which work on buckets of authors.

The second stage drops duplicates, then authors with too few documents, then documents beyond the
cap per author. The third stage counts the words of the training authors.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
from pyarrow import parquet

from adhominem.arrays import Integers
from adhominem.files import whole_folder
from adhominem.instrument.text.vocabulary import RESERVED_WORDS
from adhominem.laboratory.corpus import CorpusSettings, duplicates
from adhominem.laboratory.corpus.build.plan import DROPPED, WorkFolder, dropped_table
from adhominem.laboratory.corpus.hashes import Hashes, hash_texts
from adhominem.laboratory.corpus.labels import SPLITS, part_of
from adhominem.laboratory.corpus.pairs import ranges_of_runs
from adhominem.laboratory.corpus.store import TOKENS, read_tokens, token_columns, write_table


def filter_authors(task: dict[str, Any]) -> dict[str, Any]:
    """Write the kept documents of a bucket and a table of the dropped ones; return their counts.
    `parts` of the task lists the shards and row groups with documents of the bucket."""
    work, bucket = WorkFolder(Path(task["work"])), task["bucket"]
    settings = CorpusSettings(**task["settings"])
    table = pyarrow.concat_tables(
        parquet.ParquetFile(work.documents(shard)).read_row_group(group)
        for shard, group in task["parts"]
    )
    table = table.sort_by([(name, "ascending") for name in ("author", "source", "line", "part")])
    texts = read_tokens(table)
    table = table.drop_columns(TOKENS.names)
    words = hash_texts(texts.types)
    authors = hash_texts(table.column("author").to_pylist())
    whole = hash_texts(table.column("text").to_pylist())
    exact = duplicates.exact_duplicates(whole, authors)
    unique = np.flatnonzero(~exact)
    part, share = texts.select(unique), settings.repeated_share
    edges = part.sentences[part.documents]
    near = duplicates.near_duplicates(words[part.tokens], edges, authors[unique], share=share)
    steps = np.full(len(authors), -1)  # index in DROPPED of the step that drops each document
    steps[exact] = DROPPED.index("exact duplicate")
    steps[unique[near]] = DROPPED.index("near duplicate")
    _drop_few_and_many(steps, authors, table.column("id").to_pylist(), settings)
    gone, kept = np.flatnonzero(steps >= 0), np.flatnonzero(steps < 0)
    sources, lines = (table.column(name).to_numpy()[gone] for name in ("source", "line"))
    dropped = dropped_table(sources, lines, [DROPPED[step] for step in steps[gone]])
    write_table(dropped, work.dropped(f"authors-{bucket:05d}"))
    table, texts = table.take(pyarrow.array(kept)), texts.select(kept)
    edges = texts.sentences[texts.documents]
    sample = duplicates.sample_ngrams(words[texts.tokens], edges, authors[kept])
    counts = {
        "bucket": bucket,
        "documents": len(kept),
        "dropped": {step: int(np.sum(steps == i)) for i, step in enumerate(DROPPED) if i in steps},
    }
    with whole_folder(work.bucket(bucket)) as folder:
        columns = {name: table.column(name) for name in ("id", "author", "topic", "text")}
        columns |= token_columns(texts)
        write_table(pyarrow.table(columns), folder / "documents.parquet")
        sample.save(folder)
        np.save(folder / "whole.npy", whole[kept])
        np.save(folder / "author.npy", authors[kept])
        np.save(folder / "n_tokens.npy", texts.n_tokens)
        (folder / "counts.json").write_text(json.dumps(counts))
    return counts


def _drop_few_and_many(
    steps: Integers, authors: Hashes, ids: Sequence[str], settings: CorpusSettings
) -> None:
    """Set the steps of authors with too few documents and of documents beyond the cap; documents
    are kept in the order of the hashes of their ids, with the seed as key."""
    left = np.flatnonzero(steps < 0)
    _, author, counts = np.unique(authors[left], return_inverse=True, return_counts=True)
    few = counts[author] < settings.min_documents
    steps[left[few]] = DROPPED.index("author with too few documents")
    many = counts[author] > settings.max_documents
    left, author = left[many], author[many]
    order = np.lexsort((hash_texts((ids[int(i)] for i in left), key=settings.seed), author))
    rank = np.arange(len(left)) - ranges_of_runs(author[order])[0]
    beyond = left[order][rank >= settings.max_documents]
    steps[beyond] = DROPPED.index("beyond the cap per author")


def count_words(task: dict[str, Any]) -> dict[str, Any]:
    """Write the word counts of the training authors of a bucket."""
    work = WorkFolder(Path(task["work"]))
    path = work.bucket(task["bucket"]) / "documents.parquet"
    table = parquet.read_table(path, columns=["author", *TOKENS.names])
    authors = hash_texts(table.column("author").to_pylist(), key=task["settings"]["seed"])
    training = np.flatnonzero(part_of(authors, task["split_cuts"]) == SPLITS.index("train"))
    counts = read_tokens(table).select(training).counts()
    words = sorted(word for word in counts if word not in RESERVED_WORDS)
    schema = pyarrow.schema([("word", pyarrow.string()), ("count", pyarrow.int64())])
    table = pyarrow.table([words, [counts[word] for word in words]], schema=schema)
    write_table(table, work.word_counts(task["bucket"]))
    return {}
