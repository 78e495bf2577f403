"""Second stage: a bucket of authors with all their documents, down to those that stay.

Repeated texts go, then authors with too few documents, then what an author has beyond the cap.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow
import pyarrow.compute
from pyarrow import parquet

from adhominem.files import whole_folder
from adhominem.instrument.text.tokenised import Tokenised
from adhominem.laboratory.corpus.build.settings import BuildSettings
from adhominem.laboratory.corpus.build.work import DROPPED, Work, drop_table
from adhominem.laboratory.corpus.copies import make_sketch
from adhominem.laboratory.corpus.duplicates import exact_duplicates, near_duplicates
from adhominem.laboratory.corpus.hashes import Hashes, hash_texts
from adhominem.laboratory.corpus.store import TOKENS, read_tokens, token_columns, write_table

Integers = npt.NDArray[np.int64]


def gather(task: dict[str, Any]) -> dict[str, Any]:
    """`parts` lists the shards that have documents of this bucket and where in them."""
    work = Work(Path(task["work"]))
    settings = BuildSettings.from_dict(task["settings"])
    table = _ordered(
        pyarrow.concat_tables(
            parquet.ParquetFile(work.part(number)).read_row_group(group)
            for number, group in task["parts"]
        )
    )
    texts = read_tokens(table)
    table = table.drop_columns(TOKENS.names)
    words = hash_texts(texts.types)
    names = table.column("author").to_pylist()
    authors, whole = hash_texts(names), hash_texts(table.column("text").to_pylist())
    steps = _repeated(texts, words, whole, authors, settings)
    _few_or_many(steps, authors, table.column("id").to_pylist(), settings)
    _save_dropped(table, steps, work.dropped(f"gather-{task['bucket']:05d}"))
    kept = np.flatnonzero(steps < 0)
    table, texts = table.take(pyarrow.array(kept)), texts.select(kept)
    sketch = make_sketch(words[texts.tokens], texts.sentences[texts.documents], authors[kept])
    result = {
        "bucket": task["bucket"],
        "documents": len(kept),
        "dropped": {step: int(np.sum(steps == i)) for i, step in enumerate(DROPPED) if i in steps},
    }
    with whole_folder(work.gathered(task["bucket"])) as folder:
        columns = {name: table.column(name) for name in ("id", "author", "topic", "text")}
        write_table(
            pyarrow.table({**columns, **token_columns(texts)}), folder / "documents.parquet"
        )
        sketch.save(folder)
        np.save(folder / "whole.npy", whole[kept])
        np.save(folder / "author.npy", authors[kept])
        np.save(folder / "n_tokens.npy", texts.n_tokens)
        (folder / "result.json").write_text(json.dumps(result))
    return result


def _ordered(table: pyarrow.Table) -> pyarrow.Table:
    """By author, then in the order of the sources: not in that of the shards' arrival."""
    keys = [(name, "ascending") for name in ("author", "source", "line", "part")]
    return table.take(pyarrow.compute.sort_indices(table, sort_keys=keys))


def _repeated(
    texts: Tokenised, words: Hashes, whole: Hashes, authors: Hashes, settings: BuildSettings
) -> Integers:
    """The step that drops each document, -1 where none does."""
    exact = exact_duplicates(whole, authors)
    unique = np.flatnonzero(~exact)
    part = texts.select(unique) if exact.any() else texts
    near = near_duplicates(
        words[part.tokens],
        part.sentences[part.documents],
        authors[unique],
        share=settings.repeated_share,
    )
    steps = np.full(len(authors), -1)
    steps[exact] = DROPPED.index("exact duplicate")
    steps[unique[near]] = DROPPED.index("near duplicate")
    return steps


def _few_or_many(
    steps: Integers, authors: Hashes, ids: Sequence[str], settings: BuildSettings
) -> None:
    """An author over the cap keeps the documents whose ids the seed puts first."""
    left = np.flatnonzero(steps < 0)
    _, author, counts = np.unique(authors[left], return_inverse=True, return_counts=True)
    few = counts[author] < settings.min_documents
    steps[left[few]] = DROPPED.index("author with too few documents")
    many = counts[author] > settings.max_documents
    left, author = left[many], author[many]
    order = np.lexsort((hash_texts((ids[int(i)] for i in left), key=settings.seed), author))
    left, author = left[order], author[order]
    starts = np.flatnonzero(np.diff(author, prepend=-1))
    place = np.arange(len(left)) - np.repeat(starts, np.diff(np.append(starts, len(left))))
    steps[left[place >= settings.max_documents]] = DROPPED.index("beyond the cap per author")


def _save_dropped(table: pyarrow.Table, steps: Integers, path: Path) -> None:
    places = np.flatnonzero(steps >= 0)
    sources = table.column("source").to_numpy()[places].tolist()
    lines = table.column("line").to_numpy()[places].tolist()
    rows = [(line, DROPPED[steps[i]]) for line, i in zip(lines, places, strict=True)]
    write_table(drop_table(sources, rows), path)
