"""Builds an index in shards by the engine of the corpus build.

All texts of an author are in one shard of a corpus, so its authors can be candidates; in other
files every text is a candidate. A build that was killed can be continued, and one machine and a
cluster write the same bytes.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adhominem.bench.case.index import QUARANTINE, SHARD, describe, reader_of, write_shard
from adhominem.errors import InputError, optional_imports
from adhominem.files import link, whole_folder, write_whole
from adhominem.instrument.feature_verifier import FeatureVerifier

if TYPE_CHECKING:
    from adhominem.laboratory.corpus import Progress
    from adhominem.laboratory.corpus.build.engine import Engine


def build_index(
    sources: Sequence[str],
    output: Path,
    engine: "Engine",
    progress: "Progress" = lambda *_: None,
    *,
    author: str | None = None,
    text: str | None = None,
    model: str | None = None,
    genre: str | None = None,
    each_text: bool = False,
) -> dict[str, Any]:
    """Index the texts of corpora, files, folders and globs; return counts.

    author, text   names of these columns if they are not the usual ones
    each_text      whether every text is a candidate, instead of every author
    """
    with optional_imports():
        from adhominem.laboratory.corpus import Columns
        from adhominem.laboratory.corpus.build.plan import map_shards, working
        from adhominem.laboratory.corpus.readers import find_sources
    network = _network(model)
    genre = genre and network.check_genre(genre)
    found = find_sources(sources, Columns(author, "", text))
    if other := [source.path for source in found if source.format != "corpus" and not each_text]:
        problem = f"texts of one author may stand anywhere in {other[0]}"
        raise InputError(f"{problem}: give --each-text, or build a corpus and index that")
    with working(output) as work:
        sha256 = network.identity and network.identity.sha256
        settings = {"model": model, "sha256": sha256, "genre": genre, "each_text": each_text}
        read = map_shards(f"{__name__}:index_shard", found, settings, work, engine, progress)
        filled = [i for i, counts in enumerate(read) if counts["candidates"]]
        rejected = sum((Counter(counts["rejected"]) for counts in read), Counter[str]())
        if not filled:
            raise InputError(f"no text in {' '.join(sources)}: {dict(rejected)}")
        counts: dict[str, Any] = {"rejected": dict(sorted(rejected.items()))}
        counts |= {name: sum(one[name] for one in read) for name in ("candidates", "texts")}
        with whole_folder(output) as target:
            for place, i in enumerate(filled):
                link(work.documents(i), target / SHARD.format(place))
            with (target / QUARANTINE).open("wb") as lines:
                for i in range(len(read)):
                    lines.write(work.quarantine(i).read_bytes())
            describe(network, target, counts, genre)
    return counts


@cache
def _network(model: str | None) -> FeatureVerifier:
    from adhominem import load

    return reader_of(load(model))


def index_shard(task: dict[str, Any]) -> dict[str, Any]:
    """Write a shard of the index and the lines that could not be read; return their counts."""
    from adhominem.laboratory.corpus.build.plan import WorkFolder, write_quarantine
    from adhominem.laboratory.corpus.readers import READERS
    from adhominem.laboratory.corpus.readers.reader import RawDocument, Rejected, Shard

    work, number = WorkFolder(Path(task["work"])), task["number"]
    shard, rejected = Shard.from_dict(task["shard"]), list[Rejected]()
    reader = READERS[shard.source.format]

    def texts() -> Iterator[tuple[str, str]]:
        for record in reader.read(shard):
            if isinstance(record, RawDocument):
                name = record.author
                if task["each_text"]:
                    part = f":{record.part}" if record.part else ""
                    name += f"/{reader.document_id(shard, record)}{part}"
                yield name, record.text
            else:
                rejected.append(record)

    by_name = groupby(texts(), itemgetter(0))  # a corpus is in the order of its authors
    known = ((name, [text for _, text in own]) for name, own in by_name)
    counts = write_shard(_network(task["model"]), known, work.documents(number), task["genre"])
    counts["rejected"] = write_quarantine(work, number, shard.source.name, rejected)
    write_whole(work.shard_counts(number), json.dumps(counts))
    return counts
