"""Raw data to a corpus, in stages: plan, tokenise, filter, count words, compare, write.

Up to the counting of words a stage has one task per shard of the sources or bucket of authors.
Finished tasks are skipped, so a build that was killed continues where it stopped. Comparing and
writing are fast. The corpus folder appears when it is complete.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
from pyarrow import parquet

from adhominem.arrays import Integers
from adhominem.errors import InputError
from adhominem.instrument.text.tokenised import offsets
from adhominem.laboratory.corpus import CorpusSettings, Progress
from adhominem.laboratory.corpus.build.corpus_folder import funnel_line, write_corpus
from adhominem.laboratory.corpus.build.engine import Engine, run_stage
from adhominem.laboratory.corpus.build.plan import count_buckets, plan_shards, working
from adhominem.laboratory.corpus.duplicates import find_copies, find_shared, load_range
from adhominem.laboratory.corpus.hashes import hash_texts
from adhominem.laboratory.corpus.labels import cut_authors
from adhominem.laboratory.corpus.readers import find_sources
from adhominem.laboratory.corpus.store import Corpus

Tasks = Mapping[Path, dict[str, Any]]  # arguments of each task, by the file of its result


def build_corpus(
    patterns: Sequence[str],
    output: Path,
    settings: CorpusSettings = CorpusSettings(),
    *,
    engine: Engine = Engine(),
    force: bool = False,
    progress: Progress = lambda *_: None,
) -> dict[str, Any]:
    """Build a corpus from files, folders and globs in the folder `output`; return its manifest."""
    if output.exists() and not (force and _is_corpus(output)):
        problem = "is not a corpus: --force replaces no other folder" if force else "exists already"
        raise InputError(f"{output} {problem}: give another name{'' if force else ' or --force'}")
    sources = find_sources(patterns, settings.columns)
    with working(output) as work:
        described, shards = plan_shards(sources, settings.to_dict(), work, progress)
        n_buckets = count_buckets(shards)
        common = {"work": str(work.path), "settings": asdict(settings)}

        def run(title: str, function: str, tasks: Tasks) -> list[dict[str, Any]]:
            whole = {path: common | task for path, task in tasks.items()}
            return run_stage(title, f"{__name__}.{function}", whole, engine, progress)

        reading = {
            work.shard_counts(i): {"number": i, "shard": shard.to_dict(), "n_buckets": n_buckets}
            for i, shard in enumerate(shards)
        }
        tokenised = run("reading", "tokenise_shard:tokenise_shard", reading)
        parts: dict[int, list[tuple[int, int]]] = {}
        for counts in tokenised:
            for group, bucket in enumerate(counts["buckets"]):
                parts.setdefault(bucket, []).append((counts["number"], group))
        if not parts:
            raise InputError(f"no document is left: {funnel_line(tokenised)}")
        folders = {bucket: work.bucket(bucket) for bucket in sorted(parts)}
        filtering = {
            folder / "counts.json": {"bucket": bucket, "parts": parts[bucket]}
            for bucket, folder in folders.items()
        }
        filtered = run("duplicates", "author_stages:filter_authors", filtering)
        every = [*tokenised, *filtered]
        sizes = [counts["documents"] for counts in filtered]
        if not sum(sizes):
            raise InputError(
                f"no author has {settings.min_documents} documents of {settings.min_tokens} to "
                f"{settings.max_tokens} tokens: {funnel_line(every)}"
            )
        kept = [folder / "documents.parquet" for folder in folders.values()]
        names = pyarrow.concat_tables(parquet.read_table(f, columns=["author"]) for f in kept)
        hashes = hash_texts(names.column("author").unique().to_pylist(), key=settings.seed)
        train, folds = settings.train, settings.folds
        cuts = {
            "split": cut_authors(hashes, [train, train + settings.dev]),
            "fold": cut_authors(hashes, [i / folds for i in range(1, folds)]),
        }
        counting = {
            work.word_counts(bucket): {"bucket": bucket, "split_cuts": cuts["split"]}
            for bucket in folders
        }
        run("counting", "author_stages:count_words", counting)
        copies = _copies([*folders.values()], sizes, settings.copied_share, progress)
        return write_corpus(settings, described, every, cuts, copies, work, output, progress)


def _copies(
    folders: Sequence[Path], sizes: Sequence[int], share: float, progress: Progress
) -> Integers:
    """Return the pairs of documents (n, 2) that are copies, given the folders of all buckets and
    their numbers of documents. As many ranges of hashes are compared as there are buckets."""
    firsts, step, shared = offsets(sizes)[:-1].tolist(), 2**64 // len(folders) + 1, []
    for i in range(len(folders)):
        progress("comparing", i, len(folders))
        sample = load_range(folders, firsts, i * step, min((i + 1) * step, 2**64))
        shared.append(find_shared(sample))
    whole, authors = (
        np.concatenate([np.load(folder / f"{name}.npy") for folder in folders])
        for name in ("whole", "author")
    )
    sampled = [
        np.bincount(np.load(folder / "documents.npy"), minlength=size)
        for folder, size in zip(folders, sizes, strict=True)
    ]
    return find_copies(shared, np.concatenate(sampled), whole, authors, share=share)


def _is_corpus(folder: Path) -> bool:
    """Whether a folder holds a corpus of any version."""
    try:
        return str(Corpus(folder).manifest.get("format")).startswith("adhominem-corpus-")
    except InputError:
        return False
