"""What the tasks counted, put together: labels, funnel, vocabulary, quarantine, manifest."""

from __future__ import annotations

import importlib.metadata
import json
import shutil
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
from pyarrow import parquet

from adhominem.errors import InputError
from adhominem.files import sha256, whole_folder
from adhominem.laboratory.corpus.build.compare import load_shared
from adhominem.laboratory.corpus.build.plan import Plan
from adhominem.laboratory.corpus.build.settings import BuildSettings
from adhominem.laboratory.corpus.build.work import DROPPED, Work
from adhominem.laboratory.corpus.folds import SPLITS, Cuts, author_places
from adhominem.laboratory.corpus.labels import Labels
from adhominem.laboratory.corpus.store import (
    COPIES,
    FORMAT,
    LABELS,
    MANIFEST,
    QUARANTINE,
    Corpus,
    write_table,
)

Results = Sequence[dict[str, Any]]
_PACKAGES = ("adhominem", "numpy", "pyarrow", "spacy")


@dataclass(frozen=True, slots=True)
class Built:
    """What the stages counted, the buckets that hold documents, and where authors are divided."""

    results: Results
    buckets: Sequence[int]
    cuts: Cuts


def assemble(
    plan: Plan,
    built: Built,
    work: Work,
    output: Path,
    progress: Callable[[str, int, int], None],
) -> dict[str, Any]:
    """Puts the documents in their place and writes labels and manifest beside them."""
    with whole_folder(output) as target:
        (target / "documents").mkdir()
        labels = _label_table(plan.settings, built, work)
        write_table(labels, target / LABELS)
        left, right = np.load(work.copies).T
        write_table(pyarrow.table({"left": left, "right": right}), target / COPIES)
        types = _merge_types([work.types(bucket) for bucket in built.buckets])
        write_table(types, target / "types.parquet")
        _join_quarantine(plan, work, target / QUARANTINE)
        _join_tables(sorted((work.path / "dropped").glob("*.parquet")), target / "dropped.parquet")
        manifest = _manifest(plan, built, work, types, Corpus(target))
        for i, bucket in enumerate(built.buckets):
            progress("merging", i, len(built.buckets))
            name = f"{i:05d}.parquet"
            source = work.gathered(bucket) / "documents.parquet"
            manifest["store"][name] = sha256(source)
            _link(source, target / "documents" / name)
        (target / MANIFEST).write_text(
            json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
        )
    return manifest


def _link(source: Path, target: Path) -> None:
    """The work folder keeps its file, so that a build that is killed here can go on."""
    try:
        target.hardlink_to(source)
    except OSError:  # not on this file system
        shutil.copyfile(source, target)


def _label_table(settings: BuildSettings, built: Built, work: Work) -> pyarrow.Table:
    """A row for each document in the order of the files."""
    tables, places = [], []
    for bucket in built.buckets:
        folder = work.gathered(bucket)
        table = parquet.read_table(folder / "documents.parquet", columns=["author", "topic"])
        tables.append(
            table.append_column("n_tokens", pyarrow.array(np.load(folder / "n_tokens.npy")))
        )
        places.append(author_places(table.column("author").to_pylist(), seed=settings.seed))
    table, place = pyarrow.concat_tables(tables), np.concatenate(places)
    copied = np.zeros(len(table), dtype=bool)
    copied[np.load(work.copies).ravel()] = True
    for name, column in (
        ("split", built.cuts.splits(place)),
        ("fold", built.cuts.folds(place)),
        ("copied", copied),
    ):
        table = table.append_column(name, pyarrow.array(column))
    return table


def _manifest(
    plan: Plan, built: Built, work: Work, types: pyarrow.Table, corpus: Corpus
) -> dict[str, Any]:
    settings, labels = plan.settings, corpus.labels
    topics = Counter(corpus.label("topic"))
    without_topic = topics.pop(None, 0)
    tokens = np.array(corpus.label("n_tokens"))
    pairs, warnings = _pairs(labels, settings)
    shared = [load_shared(work.shared(i)) for i in range(plan.n_buckets)]
    copied = int(labels.copied.sum())
    rejected = _total(built.results, "rejected")
    return {
        "format": FORMAT,
        "settings": settings.as_dict(),
        "versions": {name: importlib.metadata.version(name) for name in _PACKAGES},
        "sources": _sources(plan, built.results),
        "funnel": funnel(built.results),
        "rejected": rejected,
        "documents": {
            "total": len(tokens),
            **{name: len(labels.places(name)) for name in SPLITS},
        },
        "authors": {
            "total": len(np.unique(labels.authors)),
            **{name: len(np.unique(labels.authors[labels.places(name)])) for name in SPLITS},
        },
        "tokens": {
            "total": int(tokens.sum()),
            "mean": float(tokens.mean()),
            "deviation": float(tokens.std()),
        },
        "vocabulary": _vocabulary(types, settings),
        "topics": dict(sorted(topics.items(), key=lambda item: (-item[1], item[0]))),
        "without_topic": without_topic,
        "with_markup": _total(built.results, "counts").get("with markup", 0),
        "copied": {
            "documents": copied,
            "pairs": len(np.load(work.copies)),
            "boilerplate": sum(len(part.boilerplate) for part in shared),
        },
        "pairs": pairs,
        "warnings": [
            *_damages(rejected),
            *_warnings(topics, without_topic, copied, len(tokens)),
            *warnings,
        ],
        "store": {},
    }


def funnel(results: Results) -> list[dict[str, Any]]:
    """How many documents each step took away (or found in a line), and how many were left."""
    counts = _total(results, "counts")
    rejected = sum(_total(results, "rejected").values())
    dropped = _total(results, "dropped")
    left = counts.get("lines", 0)
    steps = [{"step": "lines read", "removed": 0, "left": left}]
    left -= rejected
    steps.append({"step": "not readable", "removed": rejected, "left": left})
    more = counts.get("documents", 0) - left
    if more:
        left += more
        steps.append({"step": "further documents in a line", "removed": -more, "left": left})
    for step in DROPPED:
        removed = dropped.get(step, 0)
        left -= removed
        steps.append({"step": step, "removed": removed, "left": left})
    return steps


def funnel_text(results: Results) -> str:
    """One line for an error message."""
    steps = [step for step in funnel(results) if step["removed"] > 0]
    reasons = ", ".join(f"{reason} {n:,}" for reason, n in _total(results, "rejected").items())
    parts = [f"{funnel(results)[0]['left']:,} lines read"]
    parts += [f"{step['step']} {step['removed']:,}" for step in steps]
    return ", ".join(parts) + (f" ({reasons})" if reasons else "")


def _total(results: Results, name: str) -> dict[str, int]:
    total: Counter[str] = Counter()
    for result in results:
        if isinstance(result.get(name), dict):
            total.update(result[name])
    return dict(sorted(total.items()))


def _sources(plan: Plan, results: Results) -> list[dict[str, Any]]:
    counts: dict[int, Counter[str]] = {}
    for result in results:
        if "source" in result:
            found = {key: result["counts"].get(key, 0) for key in ("lines", "documents")}
            found["rejected"] = sum(result["rejected"].values())
            counts.setdefault(result["source"], Counter()).update(found)
    return [{**source, **counts.get(i, {})} for i, source in enumerate(plan.sources)]


def _pairs(
    labels: Labels, settings: BuildSettings
) -> tuple[dict[str, dict[str, int] | None], list[str]]:
    """How many pairs an epoch has in each cell."""
    counts: dict[str, dict[str, int] | None] = {}
    warnings = []
    for split in SPLITS:
        try:
            table = labels.draw(labels.places(split), seed=settings.seed, epoch=0)
        except InputError as error:
            counts[split] = None
            warnings.append(f"{split}: {error}")
            continue
        counts[split] = table.cells()
    return counts, warnings


def _damages(rejected: Mapping[str, int]) -> list[str]:
    """A file that breaks off is one rejected line, and may be half of the corpus."""
    return [
        f"{kind}: {rejected[kind]:,}, named in {QUARANTINE}"
        for kind in ("damaged file", "empty file")
        if kind in rejected
    ]


def _warnings(topics: Counter[str], without_topic: int, copied: int, n: int) -> list[str]:
    found = []
    if len(topics) == 1:
        found.append(
            f"one topic only ({next(iter(topics))}): pairs have no cells by topic, and what tells "
            "authors apart may be what they write about"
        )
    if len(topics) > 1 and without_topic:
        found.append(f"{without_topic:,} of {n:,} documents have no topic: no pair is made of them")
    if copied:
        found.append(
            f"{copied:,} of {n:,} documents share text with another author: no pair is made of them"
        )
    return found


def _vocabulary(types: pyarrow.Table, settings: BuildSettings) -> dict[str, int]:
    """Types of the training authors before and after the cut."""
    counts = types.column("count").to_numpy()
    characters: Counter[str] = Counter()
    for batch in types.to_batches(100_000):
        for word, n in zip(batch.column(0).to_pylist(), batch.column(1).to_pylist(), strict=True):
            for character in word:
                characters[character] += n
    return {
        "words": len(counts),
        "words_kept": int(np.sum(counts >= settings.min_word_count)),
        "characters": len(characters),
        "characters_kept": sum(n >= settings.min_character_count for n in characters.values()),
    }


def _merge_types(paths: Sequence[Path]) -> pyarrow.Table:
    """Counts added up, most frequent first; a few tables at a time, so that memory stays low."""
    total = parquet.read_table(paths[0])
    for i in range(1, len(paths), 8):
        tables = [total, *(parquet.read_table(path) for path in paths[i : i + 8])]
        grouped = pyarrow.concat_tables(tables).group_by("word").aggregate([("count", "sum")])
        total = grouped.select(["word", "count_sum"]).rename_columns(["word", "count"])
    return total.sort_by([("count", "descending"), ("word", "ascending")])


def _join_quarantine(plan: Plan, work: Work, path: Path) -> None:
    with path.open("wb") as target:
        for shard in plan.shards:
            target.write(work.quarantine(shard.number).read_bytes())


def _join_tables(paths: Sequence[Path], path: Path) -> None:
    schema = parquet.read_schema(paths[0])
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        for part in paths:
            writer.write_table(parquet.read_table(part))
