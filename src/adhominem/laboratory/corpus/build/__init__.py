"""Raw data to a corpus, in stages: plan, tokenise, filter, compare, write.

Each stage has one task per shard or bucket and skips tasks that are done, so a build that was
killed continues where it stopped. The corpus folder appears when it is complete.
"""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from pyarrow import parquet

from adhominem.errors import InputError
from adhominem.files import whole_file
from adhominem.instrument.text.tokenised import offsets
from adhominem.laboratory.corpus import CorpusSettings, Progress
from adhominem.laboratory.corpus.build.corpus_folder import funnel_line, write_corpus
from adhominem.laboratory.corpus.build.engine import Engine, run_stage
from adhominem.laboratory.corpus.build.plan import count_buckets, plan_shards, working
from adhominem.laboratory.corpus.duplicates import SharedNgrams, find_copies
from adhominem.laboratory.corpus.hashes import hash_texts
from adhominem.laboratory.corpus.labels import Cuts
from adhominem.laboratory.corpus.readers import find_sources
from adhominem.laboratory.corpus.store import Corpus


def build_corpus(
    patterns: Sequence[str],
    output: Path,
    settings: CorpusSettings = CorpusSettings(),
    *,
    engine: Engine = Engine(),
    force: bool = False,
    progress: Progress = lambda *_: None,
) -> dict[str, Any]:
    """Build the corpus of the given files, folders and globs at `output`; return its manifest."""
    if output.exists() and not (force and _is_corpus(output)):
        problem = "is not a corpus: --force replaces no other folder" if force else "exists already"
        raise InputError(f"{output} {problem}: give another name{'' if force else ' or --force'}")
    sources = find_sources(patterns, settings.columns)
    with working(output) as work:
        described, shards = plan_shards(sources, settings.to_dict(), work, progress)
        n_buckets = count_buckets(shards)
        common = {"work": str(work.path), "settings": asdict(settings)}

        def run(
            title: str, function: str, tasks: Sequence[dict[str, Any]], results: Sequence[Path]
        ) -> list[dict[str, Any]]:
            whole = [common | task for task in tasks]
            return run_stage(title, f"{__name__}.{function}", whole, results, engine, progress)

        tokenised = run(
            "reading",
            "tokenise_shard:tokenise_shard",
            [
                {"number": i, "shard": shard.to_dict(), "n_buckets": n_buckets}
                for i, shard in enumerate(shards)
            ],
            [work.shard_counts(i) for i in range(len(shards))],
        )
        parts: dict[int, list[tuple[int, int]]] = {}
        for counts in tokenised:
            for group, bucket in enumerate(counts["buckets"]):
                parts.setdefault(bucket, []).append((counts["number"], group))
        if not parts:
            raise InputError(f"no document is left: {funnel_line(tokenised)}")
        buckets = sorted(parts)
        folders = [work.bucket(bucket) for bucket in buckets]
        filtered = run(
            "duplicates",
            "author_stages:filter_authors",
            [{"bucket": bucket, "parts": parts[bucket]} for bucket in buckets],
            [folder / "counts.json" for folder in folders],
        )
        every = [*tokenised, *filtered]
        sizes = [counts["documents"] for counts in filtered]
        if not sum(sizes):
            raise InputError(
                f"no author has {settings.min_documents} documents of {settings.min_tokens} to "
                f"{settings.max_tokens} tokens: {funnel_line(every)}"
            )
        names = [
            parquet.read_table(folder / "documents.parquet", columns=["author"]).column(0).unique()
            for folder in folders
        ]
        hashes = [hash_texts(own.to_pylist(), key=settings.seed) for own in names]
        cuts = Cuts(
            np.concatenate(hashes), train=settings.train, dev=settings.dev, folds=settings.folds
        )
        step = 2**64 // n_buckets + 1
        placed = list(zip(buckets, offsets(sizes).tolist(), strict=False))  # with first documents
        shared = [work.shared(i) for i in range(n_buckets)]
        run(
            "comparing",
            "author_stages:compare_or_count",
            [
                {
                    "number": i,
                    "buckets": placed,
                    "low": i * step,
                    "high": min((i + 1) * step, 2**64),
                }
                for i in range(n_buckets)
            ]
            + [{"bucket": bucket, "split_cuts": cuts.split} for bucket in buckets],
            [*shared, *(work.word_counts(bucket) for bucket in buckets)],
        )
        if not work.copies.exists():
            whole, authors = (
                np.concatenate([np.load(folder / f"{name}.npy") for folder in folders])
                for name in ("whole", "author")
            )
            sampled = [
                np.bincount(np.load(folder / "documents.npy"), minlength=size)
                for folder, size in zip(folders, sizes, strict=True)
            ]
            ngrams, share = [SharedNgrams.load(path) for path in shared], settings.copied_share
            copies = find_copies(ngrams, np.concatenate(sampled), whole, authors, share=share)
            with whole_file(work.copies) as file:
                np.save(file, copies)
        return write_corpus(settings, described, every, cuts, work, output, progress)


def _is_corpus(folder: Path) -> bool:
    """Whether a folder holds a corpus, of this version or another."""
    try:
        return str(Corpus(folder).manifest.get("format")).startswith("adhominem-corpus-")
    except InputError:
        return False
