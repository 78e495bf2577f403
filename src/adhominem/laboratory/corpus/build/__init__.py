"""Raw data to a corpus, in stages: plan, tokenise, filter, compare, write.

Each stage has one task per shard or bucket and skips tasks that are done, so a build that was
killed continues where it stopped. The corpus folder appears when it is complete.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from pyarrow import parquet

from adhominem.errors import InputError
from adhominem.files import whole_file
from adhominem.laboratory.corpus import CorpusSettings, Progress
from adhominem.laboratory.corpus.build.corpus_folder import funnel_line, write_corpus
from adhominem.laboratory.corpus.build.engine import Engine, run_stage
from adhominem.laboratory.corpus.build.plan import Plan, WorkFolder, plan_shards, working
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
        plan = Plan(settings, *plan_shards(sources, settings.to_dict(), work, progress))
        return _Build(plan, work, engine, progress).run(output)


def _is_corpus(folder: Path) -> bool:
    """Whether a folder holds a corpus, of this version or another."""
    try:
        return str(Corpus(folder).manifest.get("format")).startswith("adhominem-corpus-")
    except InputError:
        return False


@dataclass(frozen=True, slots=True)
class _Build:
    """A build that is planned."""

    plan: Plan
    work: WorkFolder
    engine: Engine
    progress: Progress

    def run(self, output: Path) -> dict[str, Any]:
        """Run all stages after planning; return the manifest of the corpus."""
        plan, work, settings = self.plan, self.work, self.plan.settings
        common = {"work": str(work.path), "settings": asdict(settings)}
        tokenised = self._run_stage(
            "reading",
            "tokenise_shard:tokenise_shard",
            [
                {**common, "number": i, "shard": shard.to_dict(), "n_buckets": plan.n_buckets}
                for i, shard in enumerate(plan.shards)
            ],
            [work.shard_counts(i) for i in range(len(plan.shards))],
        )
        parts: dict[int, list[tuple[int, int]]] = {}
        for counts in tokenised:
            for group, bucket in enumerate(counts["buckets"]):
                parts.setdefault(bucket, []).append((counts["number"], group))
        if not parts:
            raise InputError(f"no document is left: {funnel_line(tokenised)}")
        buckets = sorted(parts)
        filtered = self._run_stage(
            "duplicates",
            "author_stages:filter_authors",
            [{**common, "bucket": b, "parts": parts[b]} for b in buckets],
            [work.bucket(b) / "counts.json" for b in buckets],
        )
        firsts = np.concatenate([[0], np.cumsum([c["documents"] for c in filtered])]).tolist()
        if not firsts[-1]:
            raise InputError(
                f"no author has {settings.min_documents} documents of {settings.min_tokens} to "
                f"{settings.max_tokens} tokens: {funnel_line([*tokenised, *filtered])}"
            )
        cuts = self._cut_authors(buckets)
        self._compare(buckets, firsts, cuts)
        if not work.copies.exists():
            self._save_copies(buckets, firsts)
        every = [*tokenised, *filtered]
        return write_corpus(plan, every, buckets, cuts, work, output, self.progress)

    def _run_stage(
        self, title: str, function: str, tasks: Sequence[dict[str, Any]], results: Sequence[Path]
    ) -> list[dict[str, Any]]:
        name = f"{__name__}.{function}"
        return run_stage(title, name, tasks, results, self.engine, self.progress)

    def _cut_authors(self, buckets: Sequence[int]) -> Cuts:
        """Return the cuts between splits and folds, for which all authors are needed."""
        settings, hashes = self.plan.settings, []
        for bucket in buckets:
            path = self.work.bucket(bucket) / "documents.parquet"
            names = parquet.read_table(path, columns=["author"]).column(0).unique().to_pylist()
            hashes.append(hash_texts(names, key=settings.seed))
        return Cuts.at_quantiles(
            np.concatenate(hashes), train=settings.train, dev=settings.dev, folds=settings.folds
        )

    def _compare(self, buckets: Sequence[int], firsts: Sequence[int], cuts: Cuts) -> None:
        """Find the n-grams that authors share, and count the words of training authors."""
        ranges = range(self.plan.n_buckets)
        step = 2**64 // len(ranges) + 1
        work = {"work": str(self.work.path)}
        shared = {"buckets": list(zip(buckets, firsts, strict=False))}
        comparisons = [
            {**work, **shared, "number": i, "low": i * step, "high": min((i + 1) * step, 2**64)}
            for i in ranges
        ]
        common = {"seed": self.plan.settings.seed, "split_cuts": cuts.split}
        counts = [{**work, **common, "bucket": b} for b in buckets]
        results = [self.work.shared(i) for i in ranges]
        results += [self.work.word_counts(b) for b in buckets]
        tasks = comparisons + counts
        self._run_stage("comparing", "author_stages:compare_or_count", tasks, results)

    def _save_copies(self, buckets: Sequence[int], firsts: Sequence[int]) -> None:
        """Write the pairs of documents that two authors share."""
        folders = [self.work.bucket(bucket) for bucket in buckets]
        whole, authors = (
            np.concatenate([np.load(folder / f"{name}.npy") for folder in folders])
            for name in ("whole", "author")
        )
        sampled = np.concatenate(
            [
                np.bincount(np.load(folder / "documents.npy"), minlength=last - first)
                for folder, (first, last) in zip(folders, pairwise(firsts), strict=True)
            ]
        )
        shared = [SharedNgrams.load(self.work.shared(i)) for i in range(self.plan.n_buckets)]
        share = self.plan.settings.copied_share
        with whole_file(self.work.copies) as file:
            np.save(file, find_copies(shared, sampled, whole, authors, share=share))
