"""Last stage of a build: labels, word counts, quarantine and manifest of the corpus folder."""

import importlib.metadata
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
from pyarrow import parquet

from adhominem.arrays import Integers
from adhominem.errors import InputError
from adhominem.files import link, sealed_json, sha256, whole_folder
from adhominem.instrument.text.settings import PAPER
from adhominem.laboratory.corpus import CorpusSettings, Progress, store
from adhominem.laboratory.corpus.build.plan import DROPPED, WorkFolder
from adhominem.laboratory.corpus.hashes import hash_texts
from adhominem.laboratory.corpus.labels import SPLITS, part_of
from adhominem.laboratory.corpus.store import labels_of, write_table

Counts = Sequence[dict[str, Any]]  # results of the tasks of all stages
_PACKAGES = ("adhominem", "numpy", "pyarrow", "spacy")


def write_corpus(
    settings: CorpusSettings,
    sources: Sequence[dict[str, Any]],
    counts: Counts,
    cuts: Mapping[str, Sequence[int]],
    copies: Integers,
    work: WorkFolder,
    output: Path,
    progress: Progress,
) -> dict[str, Any]:
    """Write the corpus folder and return its manifest. `cuts` are the bounds of the splits and of
    the folds, as in `cut_authors`, and `copies` pairs of documents, as in `find_copies`."""
    buckets = [task["bucket"] for task in counts if "bucket" in task]
    with whole_folder(output) as target:
        (target / "documents").mkdir()
        tables = []
        for folder in map(work.bucket, buckets):
            table = parquet.read_table(folder / "documents.parquet", columns=["author", "topic"])
            n_tokens = pyarrow.array(np.load(folder / "n_tokens.npy"))
            tables.append(table.append_column("n_tokens", n_tokens))
        labels = pyarrow.concat_tables(tables)
        authors = hash_texts(labels.column("author").to_pylist(), key=settings.seed)
        copied = np.isin(np.arange(len(labels)), copies)
        parts = {name: part_of(authors, bounds) for name, bounds in cuts.items()}
        for name, column in {**parts, "copied": copied}.items():
            labels = labels.append_column(name, pyarrow.array(column))
        write_table(labels, target / store.LABELS)
        write_table(pyarrow.table([*copies.T], ["left", "right"]), target / store.COPIES)
        words = _add_up([work.word_counts(bucket) for bucket in buckets])
        write_table(words, target / "types.parquet")
        with (target / store.QUARANTINE).open("wb") as lines:
            for task in counts:
                if "source" in task:
                    lines.write(work.quarantine(task["number"]).read_bytes())
        dropped = sorted(work.all_dropped.glob("*.parquet"))
        schema = parquet.read_schema(dropped[0])
        with parquet.ParquetWriter(target / "dropped.parquet", schema, compression="zstd") as file:
            for path in dropped:
                file.write_table(parquet.read_table(path))
        manifest = _manifest(settings, sources, counts, labels, words, len(copies))
        for i, bucket in enumerate(buckets):
            progress("merging", i, len(buckets))
            name = f"{i:05d}.parquet"
            source = work.bucket(bucket) / "documents.parquet"
            manifest["store"][name] = sha256(source)
            link(source, target / "documents" / name)
        manifest["files"] = {path.name: sha256(path) for path in sorted(target.glob("*.parquet"))}
        (target / store.MANIFEST).write_bytes(sealed_json(manifest))
    return manifest


def _manifest(
    settings: CorpusSettings,
    sources: Sequence[dict[str, Any]],
    counts: Counts,
    table: pyarrow.Table,
    words: pyarrow.Table,
    copies: int,
) -> dict[str, Any]:
    labels, topics = labels_of(table), Counter(table.column("topic").to_pylist())
    without_topic = topics.pop(None, 0)
    tokens = table.column("n_tokens").to_numpy()
    pairs: dict[str, dict[str, int] | None] = dict.fromkeys(SPLITS)  # pairs per epoch and cell
    pair_warnings = []
    for split in SPLITS:
        try:
            pairs[split] = labels.draw(labels.indices(split), seed=settings.seed, epoch=0).cells()
        except InputError as error:
            pair_warnings.append(f"{split}: {error}")
    n_copied = int(labels.copied.sum())
    rejected = _total(counts, "rejected")
    splits = {name: labels.indices(name) for name in SPLITS}
    of_source: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for task in counts:
        if "source" in task:
            n = {key: task["counts"].get(key, 0) for key in ("lines", "documents")}
            of_source[task["source"]].update(n, rejected=sum(task["rejected"].values()))
    return {
        "format": store.FORMAT,
        "settings": settings.to_dict(),
        "versions": {name: importlib.metadata.version(name) for name in _PACKAGES},
        "sources": [{**source, **of_source.get(i, {})} for i, source in enumerate(sources)],
        "funnel": funnel(counts),
        "rejected": rejected,
        "documents": {"total": len(tokens), **{name: len(i) for name, i in splits.items()}},
        "authors": {
            "total": len(np.unique(labels.authors)),
            **{name: len(np.unique(labels.authors[i])) for name, i in splits.items()},
        },
        "tokens": {
            "total": int(tokens.sum()),
            "mean": float(tokens.mean()),
            "deviation": float(tokens.std()),
        },
        "vocabulary": _vocabulary(words),
        "topics": dict(sorted(topics.items(), key=lambda item: (-item[1], item[0]))),
        "without_topic": without_topic,
        "with_markup": _total(counts, "counts").get("with markup", 0),
        "copied": {"documents": n_copied, "pairs": copies},
        "pairs": pairs,
        "warnings": _warnings(rejected, topics, without_topic, n_copied, len(tokens))
        + pair_warnings,
        "store": {},
    }


def funnel(counts: Counts) -> list[dict[str, Any]]:
    """Return the number of documents that each step removed and left."""
    read, dropped = _total(counts, "counts"), _total(counts, "dropped")
    rejected = sum(_total(counts, "rejected").values())
    left = read.get("lines", 0)
    removed = {"lines read": 0, "not readable": rejected}
    if more := read.get("documents", 0) - (left - rejected):
        removed["further documents in a line"] = -more
    steps = []
    for step, n in (removed | {step: dropped.get(step, 0) for step in DROPPED}).items():
        left -= n
        steps.append({"step": step, "removed": n, "left": left})
    return steps


def funnel_line(counts: Counts) -> str:
    """Return the funnel as one line, for an error message."""
    first, *steps = funnel(counts)
    reasons = ", ".join(f"{reason} {n:,}" for reason, n in _total(counts, "rejected").items())
    parts = [f"{first['left']:,} lines read"]
    parts += [f"{step['step']} {step['removed']:,}" for step in steps if step["removed"] > 0]
    return ", ".join(parts) + (f" ({reasons})" if reasons else "")


def _total(counts: Counts, name: str) -> dict[str, int]:
    total = sum((Counter(task.get(name, {})) for task in counts), Counter[str]())
    return dict(sorted(total.items()))


def _warnings(
    rejected: Mapping[str, int], topics: Counter[str], without_topic: int, copied: int, n: int
) -> list[str]:
    """Return warnings about damaged files, missing topics and copied documents."""
    warnings = [
        f"{kind}: {rejected[kind]:,}, named in {store.QUARANTINE}"
        for kind in ("damaged file", "empty file")
        if kind in rejected
    ]
    if len(topics) == 1:
        warnings.append(
            f"one topic only ({next(iter(topics))}): pairs have no cells by topic, and what tells "
            "authors apart may be what they write about"
        )
    counts = {"have no topic": without_topic * (len(topics) > 1)}
    counts["share text with another author"] = copied
    return warnings + [
        f"{count:,} of {n:,} documents {problem}: no pair is made of them"
        for problem, count in counts.items()
        if count
    ]


def _vocabulary(words: pyarrow.Table) -> dict[str, int]:
    """Return the number of distinct words and characters, in total and frequent enough for the
    vocabulary of a network with the settings of the paper."""
    characters: Counter[str] = Counter()
    for batch in words.to_batches(100_000):
        for word, n in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            for character in word:
                characters[character] += n
    return {
        "words": len(words),
        "words_kept": int(np.sum(words.column("count").to_numpy() >= PAPER.min_word_count)),
        "characters": len(characters),
        "characters_kept": sum(n >= PAPER.min_character_count for n in characters.values()),
    }


def _add_up(paths: Sequence[Path]) -> pyarrow.Table:
    """Return the sum of word counts, most frequent first; a few tables are read at a time."""
    total = parquet.read_table(paths[0])
    for i in range(1, len(paths), 8):
        tables = [total, *(parquet.read_table(path) for path in paths[i : i + 8])]
        grouped = pyarrow.concat_tables(tables).group_by("word").aggregate([("count", "sum")])
        total = grouped.select(["word", "count_sum"]).rename_columns(["word", "count"])
    return total.sort_by([("count", "descending"), ("word", "ascending")])
