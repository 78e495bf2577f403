"""First stage of a build: the documents of a shard are cleaned, tokenised and sorted by bucket.

All documents of an author are in one bucket, so the next stage can process buckets one by one.
"""

import html
import json
import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
from pyarrow import parquet

from adhominem.files import whole_file, write_whole
from adhominem.instrument.text.language import MIN_SHARE, english_share
from adhominem.instrument.text.tokenise import tokenise
from adhominem.instrument.text.tokenised import Tokenised, join
from adhominem.laboratory.corpus import CorpusSettings
from adhominem.laboratory.corpus.build import plan
from adhominem.laboratory.corpus.build.plan import DROPPED, WorkFolder
from adhominem.laboratory.corpus.hashes import hash_texts
from adhominem.laboratory.corpus.readers import READERS
from adhominem.laboratory.corpus.readers.reader import RawDocument, Rejected, Shard
from adhominem.laboratory.corpus.store import WRITE_OPTIONS, token_columns, write_table

_BATCH = 2_000  # documents tokenised together
_ELEMENTS = (
    "abbr|a|big|blockquote|br|b|center|cite|code|dd|del|div|dl|dt|em|font|h[1-6r]|img|ins|i|link|"
    "li|ol|pre|p|q|script|small|span|strike|strong|style|sub|sup|s|table|tbody|td|thead|th|tr|tt|"
    "ul|u"
)
_BREAKS = {"br", "p", "div", "li", "tr", "hr", "ul", "ol", "table", "blockquote", "pre", "dt"}
# Attributes of a tag have an equals sign, unlike "if a <b and c> d".
_TAG = re.compile(
    rf"<(/?)({_ELEMENTS})\b(?:\s[^<>=]{{0,100}}+=[^<>]{{0,2000}}+|\s{{0,100}}+/?)>", re.IGNORECASE
)
_HIDDEN = re.compile(
    r"<(script|style)\b[^<>]{0,2000}>(?:[^<]|<(?!/?\1\b)){0,100000}+</\1\s*>"
    r"|<!--(?:[^<-]|<(?!!--)|-(?!->)){0,10000}+-->",
    re.IGNORECASE,
)
_PRODUCT = re.compile(r"\[\[(?:ASIN:\w{10} ?([^\[\]]{0,300})|VIDEOID:[^\[\]]{0,100})\]\]")
_HUGE = re.compile(r"&#[0-9]{1000,};?")  # more digits than html.unescape can read


def tokenise_shard(task: dict[str, Any]) -> dict[str, Any]:
    """Write documents, dropped documents and rejected lines of a shard; return their counts."""
    shard, settings = Shard.from_dict(task["shard"]), CorpusSettings(**task["settings"])
    work, number = WorkFolder(Path(task["work"])), task["number"]
    source, reader = shard.source, READERS[shard.source.format]
    records = list(reader.read(shard))
    rejected = [record for record in records if isinstance(record, Rejected)]
    documents = [record for record in records if isinstance(record, RawDocument)]
    counts = Counter(documents=len(documents), lines=len(rejected))
    counts["lines"] += sum(document.part == 0 for document in documents)
    kept: list[RawDocument] = []
    tokenised: list[Tokenised] = []
    dropped: list[tuple[int, str]] = []  # line and step
    for start in range(0, max(len(documents), 1), _BATCH):
        clean = []
        for document in documents[start : start + _BATCH]:
            text = strip_markup(document.text)
            counts["with markup"] += text != document.text
            if text.strip():
                prefix = f"{source.name}/" if document.is_local else ""
                clean.append(replace(document, text=text, author=prefix + document.author))
            else:
                dropped.append((document.line, "empty"))
        texts = tokenise(document.text for document in clean)
        n_tokens, steps = texts.n_tokens, np.full(len(clean), -1)
        if settings.english_only:
            steps[english_share(texts) < MIN_SHARE] = DROPPED.index("not English")
        steps[n_tokens > settings.max_tokens] = DROPPED.index("too long")
        steps[n_tokens < settings.min_tokens] = DROPPED.index("too short")
        steps[n_tokens == 0] = DROPPED.index("empty")
        dropped += [(clean[i].line, DROPPED[steps[i]]) for i in np.flatnonzero(steps >= 0)]
        passed = np.flatnonzero(steps < 0)
        kept += [clean[i] for i in passed]
        tokenised.append(texts.select(passed))
    lines, reasons = [line for line, _ in dropped], [step for _, step in dropped]
    gone = plan.dropped_table([source.number] * len(dropped), lines, reasons)
    write_table(gone, work.dropped(f"shard-{number:06d}"))
    path = work.documents(number)
    result = {
        "number": number,
        "source": source.number,
        "buckets": _write_documents(kept, join(tokenised), shard, task["n_buckets"], path),
        "counts": dict(counts),
        "rejected": plan.write_quarantine(work, number, source.name, rejected),
        "dropped": dict(Counter(reasons)),
    }
    write_whole(work.shard_counts(number), json.dumps(result))
    return result


def _write_documents(
    documents: list[RawDocument], texts: Tokenised, shard: Shard, n_buckets: int, path: Path
) -> list[int]:
    """Write a row group of documents for each bucket; return the buckets."""
    buckets = hash_texts(document.author for document in documents) % np.uint64(n_buckets)
    order = np.argsort(buckets, kind="stable")
    rows = [documents[i] for i in order]
    reader = READERS[shard.source.format]
    columns = {
        "author": pyarrow.array([row.author for row in rows], pyarrow.string()),
        "topic": pyarrow.array([row.topic for row in rows], pyarrow.string()),
        "text": pyarrow.array([row.text for row in rows], pyarrow.string()),
        "source": pyarrow.array([shard.source.number] * len(rows), pyarrow.int32()),
        "line": pyarrow.array([row.line for row in rows], pyarrow.int64()),
        "part": pyarrow.array([row.part for row in rows], pyarrow.int32()),
        "id": pyarrow.array([reader.document_id(shard, row) for row in rows], pyarrow.string()),
    }
    table = pyarrow.table({**columns, **token_columns(texts.select(order))})
    present, starts = np.unique(buckets[order], return_index=True)
    with (
        whole_file(path) as file,
        parquet.ParquetWriter(file, table.schema, compression="lz4", **WRITE_OPTIONS) as writer,
    ):
        for start, stop in pairwise([*starts.tolist(), len(rows)]):
            writer.write_table(table.slice(start, stop - start), row_group_size=stop - start)
    return [*map(int, present)]


def strip_markup(text: str) -> str:
    """Return the text without HTML tags, entities and the product references of Amazon's dumps.
    Only names of HTML elements count as tags: `<3`, `a < b > c` and `a <b and c> d` are kept."""
    if not any(sign in text for sign in ("<", "&", "[[")):
        return text
    plain = _HIDDEN.sub(" ", text) if "<" in text else text
    plain = _TAG.sub(lambda tag: "\n" if tag[2].lower() in _BREAKS else "", plain)
    plain = _PRODUCT.sub(lambda match: match[1] or "", plain)
    return html.unescape(_HUGE.sub("\ufffd", plain)) if "&" in plain else plain
