"""Raw dumps to a corpus: plan, read, gather, compare, count, merge.

Each stage is one task per shard or bucket and remembers what is done, so a build that was killed
goes on where it stopped. The corpus folder appears when everything is in it.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from pyarrow import parquet

from adhominem.errors import InputError
from adhominem.laboratory.corpus.build.compare import load_shared
from adhominem.laboratory.corpus.build.engine import Engine, UnfinishedError, run_tasks
from adhominem.laboratory.corpus.build.merge import Built, assemble, funnel_text
from adhominem.laboratory.corpus.build.plan import Plan, make_plan
from adhominem.laboratory.corpus.build.settings import BuildSettings
from adhominem.laboratory.corpus.build.work import Work
from adhominem.laboratory.corpus.copies import find_copies
from adhominem.laboratory.corpus.folds import Cuts, author_places, cut
from adhominem.laboratory.corpus.store import Corpus

Progress = Callable[[str, int, int], None]  # stage, done, total
_ROOM = "adhominem.laboratory.corpus.build"


def build_corpus(
    patterns: Sequence[str],
    output: Path,
    settings: BuildSettings = BuildSettings(),
    *,
    engine: Engine = Engine(),
    force: bool = False,
    progress: Progress = lambda *_: None,
) -> dict[str, Any]:
    """Builds the corpus at `output` and returns its manifest."""
    if output.exists() and not (force and _is_corpus(output)):
        problem = "is not a corpus: --force replaces no other folder" if force else "exists already"
        raise InputError(f"{output} {problem}: give another name{'' if force else ' or --force'}")
    work = Work(output.absolute().parent / f".{output.name}.work")
    try:
        with _alone(work):
            plan = make_plan(patterns, settings, work, progress)
            try:
                built = _run_stages(plan, work, engine, progress)
            except UnfinishedError:
                raise
            except InputError:  # the same command would end here again
                shutil.rmtree(work.path)
                raise
            manifest = assemble(plan, built, work, output, progress)
            shutil.rmtree(work.path)
    except OSError as error:
        raise InputError(
            f"{error.filename or output}: {error.strerror or error}; the same command goes on "
            "from here"
        ) from None
    return manifest


def _is_corpus(folder: Path) -> bool:
    """Of this version or another; many folders have a manifest of their own."""
    try:
        return str(Corpus(folder).manifest.get("format")).startswith("adhominem-corpus-")
    except InputError:
        return False


@contextmanager
def _alone(work: Work) -> Iterator[None]:
    """One build at a time in a work folder; the lock goes with the process."""
    try:
        import fcntl
    except ImportError:  # not on this system
        yield
        return
    work.path.parent.mkdir(parents=True, exist_ok=True)
    lock = work.path.with_suffix(".lock")
    with lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(f"another build is at work on {work.path}: wait for it") from None
        try:
            yield
        finally:
            lock.unlink(missing_ok=True)


def _run_stages(plan: Plan, work: Work, engine: Engine, progress: Progress) -> Built:
    settings = plan.settings
    common = {"work": str(work.path), "settings": settings.as_dict()}
    sources = [source["name"] for source in plan.sources]
    read = _stage(
        "reading",
        f"{_ROOM}.read:read",
        [
            {
                **common,
                "shard": shard.as_dict(),
                "source": sources[shard.source],
                "n_buckets": plan.n_buckets,
            }
            for shard in plan.shards
        ],
        [work.read_result(shard.number) for shard in plan.shards],
        engine,
        progress,
    )
    parts: dict[int, list[tuple[int, int]]] = {}
    for result in read:
        for group, bucket in enumerate(result["buckets"]):
            parts.setdefault(bucket, []).append((result["number"], group))
    if not parts:
        raise InputError(f"no document is left: {funnel_text(read)}")
    buckets = sorted(parts)
    gathered = _stage(
        "duplicates",
        f"{_ROOM}.gather:gather",
        [{**common, "bucket": b, "parts": parts[b]} for b in buckets],
        [work.gathered(b) / "result.json" for b in buckets],
        engine,
        progress,
    )
    firsts = np.concatenate([[0], np.cumsum([r["documents"] for r in gathered])]).tolist()
    if not firsts[-1]:
        raise InputError(
            f"no author has {settings.min_documents} documents of {settings.min_tokens} to "
            f"{settings.max_tokens} tokens: {funnel_text([*read, *gathered])}"
        )
    cuts = _cut_authors(buckets, work, settings)
    numbers = range(plan.n_buckets)
    step = 2**64 // plan.n_buckets + 1
    _stage(
        "comparing",
        f"{_ROOM}.compare:compare_or_count",
        [
            {
                "work": str(work.path),
                "number": i,
                "buckets": list(zip(buckets, firsts, strict=False)),
                "low": i * step,
                "high": min((i + 1) * step, 2**64),
            }
            for i in numbers
        ]
        + [
            {
                "work": str(work.path),
                "bucket": b,
                "seed": settings.seed,
                "split_cuts": cuts.split,
                "fold_cuts": cuts.fold,
            }
            for b in buckets
        ],
        [*(work.shared(i) for i in numbers), *(work.types(b) for b in buckets)],
        engine,
        progress,
    )
    _find_copies(buckets, firsts, plan, work)
    return Built([*read, *gathered], buckets, cuts)


def _stage(
    title: str,
    function: str,
    tasks: Sequence[dict[str, Any]],
    results: Sequence[Path],
    engine: Engine,
    progress: Progress,
) -> list[dict[str, Any]]:
    """Does what is not done yet; the results in the order of the tasks."""
    todo = [task for task, path in zip(tasks, results, strict=True) if not path.exists()]
    done = len(tasks) - len(todo)
    progress(title, done, len(tasks))
    for _ in run_tasks(function, todo, engine):
        done += 1
        progress(title, done, len(tasks))
    return [json.loads(p.read_text(encoding="utf-8")) for p in results if p.suffix == ".json"]


def _find_copies(buckets: Sequence[int], firsts: Sequence[int], plan: Plan, work: Work) -> None:
    """Marks the documents that two authors share."""
    if work.copies.exists():
        return
    whole, authors = (
        np.concatenate([np.load(work.gathered(b) / f"{name}.npy") for b in buckets])
        for name in ("whole", "author")
    )
    sampled = np.concatenate(
        [
            np.bincount(np.load(work.gathered(b) / "documents.npy"), minlength=last - first)
            for b, (first, last) in zip(buckets, pairwise(firsts), strict=True)
        ]
    )
    shared = [load_shared(work.shared(i)) for i in range(plan.n_buckets)]
    copies = find_copies(shared, sampled, whole, authors, share=plan.settings.copied_share)
    temporary = work.copies.with_suffix(".tmp.npy")
    np.save(temporary, copies)
    temporary.replace(work.copies)


def _cut_authors(buckets: Sequence[int], work: Work, settings: BuildSettings) -> Cuts:
    """Where the authors are divided, of whom no worker knows all."""
    places = []
    for bucket in buckets:
        path = work.gathered(bucket) / "documents.parquet"
        names = parquet.read_table(path, columns=["author"]).column(0).unique().to_pylist()
        places.append(author_places(names, seed=settings.seed))
    return cut(np.concatenate(places), train=settings.train, dev=settings.dev, folds=settings.folds)
