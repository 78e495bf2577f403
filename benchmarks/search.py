"""The author of a text sought among many candidates.

    python benchmarks/search.py -o results/benchmark-search.json
    python benchmarks/search.py blogs.parquet reddit.parquet -o ...     real texts, column `text`

The candidates are made from a seed: vectors as wide and as far apart as those of the texts that are
given, or of texts made as in verifiers.py, with lengths and genres. The index is written to disk
and opened as a user's is; a search reads the questioned text and weighs every candidate. The first
search also brings the index into memory. `core_seconds` is the time of all cores together, which
other work on the machine changes little.

`exactness` compares, on the given texts, log10 LR by the stored bytes with those in full precision,
and the 20 best candidates. `first_stage` says how many of the 20 best a search by the numbers of
the network alone would keep, if it weighed only some shares of the candidates by all views.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
from pyarrow import parquet
from timing import machine, megabytes, new_parser, write_json
from verifiers import make_documents

import adhominem
from adhominem.bench.case.index import (
    _ROWS,
    SHARD,
    Index,
    dequantise,
    describe,
    open_index,
    quantise,
    write_index,
)
from adhominem.bench.case.search import search
from adhominem.instrument.evidence.decision import decide
from adhominem.instrument.evidence.sides import Sides
from adhominem.instrument.neural import NeuralVerifier

N_TEXTS, N_QUESTIONED = 2000, 100
TOP = 20
SHARES = (0.002, 0.01, 0.02, 0.05)
SHARD_ROWS = 50_000


def main() -> None:
    parser = new_parser(__doc__)
    parser.add_argument("texts", nargs="*", type=Path)
    parser.add_argument("--candidates", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=20)
    arguments = parser.parse_args()
    before = machine()
    verifier = adhominem.load()
    assert isinstance(verifier, NeuralVerifier)
    texts = read_texts(arguments.texts)
    with tempfile.TemporaryDirectory() as folder:
        small, large = Path(folder) / "small", Path(folder) / "large"
        begun = time.perf_counter()
        write_index(verifier, ((str(i), [text]) for i, text in enumerate(texts)), small)
        indexing = time.perf_counter() - begun
        exactness = measure_exactness(verifier, texts)
        index = open_index(small, verifier)
        width = verifier.side(verifier.read(texts[:1]))[0].size
        per_text = sum(path.stat().st_size for path in small.iterdir()) / len(texts)
        enlarge(verifier, index, large, arguments.candidates)
        Path("/proc/self/clear_refs").write_text("5")  # the peak of memory starts anew
        memory = megabytes("VmRSS")
        begun = time.perf_counter()
        index = open_index(large, verifier)
        opening = time.perf_counter() - begun
        seconds, used = [], []
        for number in range(arguments.rounds + 1):
            begun, working = time.perf_counter(), time.process_time()
            ranking = search(verifier, texts[number], index, top=TOP)
            seconds.append(time.perf_counter() - begun)
            used.append(time.process_time() - working)
            assert ranking.n_others == arguments.candidates - TOP
        size = sum(path.stat().st_size for path in large.iterdir())
        after = megabytes("VmHWM")
    report = {
        "benchmark": "search",
        "machine": before,
        "candidates": arguments.candidates,
        "width": width,
        "bytes_per_text": round(per_text),
        "megabytes_on_disk": round(size / 1e6),
        "open_seconds": round(opening, 2),
        "first_search_seconds": round(seconds[0], 2),
        "search_seconds": {
            "best": round(min(seconds[1:]), 2),
            "median": round(float(np.median(seconds[1:])), 2),
            "p95": round(float(np.quantile(seconds[1:], 0.95)), 2),
        },
        "core_seconds": round(float(np.median(used[1:])), 2),
        "peak_megabytes": {"before_opening": memory, "searching": after},
        **exactness,
        "indexing": {"texts": len(texts), "texts_per_second": round(len(texts) / indexing, 1)},
    }
    write_json(arguments.output, report)


def read_texts(paths: list[Path]) -> list[str]:
    rng = np.random.default_rng(1)
    if not paths:
        return [document.text for document in make_documents(N_TEXTS // 4, rng)]
    texts: list[str] = []
    for path in paths:
        column = parquet.read_table(path, columns=["text"])["text"]
        drawn = rng.permutation(len(column))[: N_TEXTS // len(paths)]
        texts += column.take(pyarrow.array(drawn)).to_pylist()
    return texts


def measure_exactness(verifier: NeuralVerifier, texts: list[str]) -> dict[str, Any]:
    """Stored bytes, and a first stage by the network, against all numbers in full precision."""
    vectors, readings = zip(*(verifier.side([read]) for read in verifier.read(texts)), strict=True)
    full, sides = np.stack(vectors), Sides.of(readings)
    data, scales = quantise(full)
    columns = (pyarrow.chunked_array([[row.tobytes() for row in part]]) for part in (data, scales))
    sizes = (data.shape[1], 2 * scales.shape[1])
    packed = [c.cast(pyarrow.binary(size)) for c, size in zip(columns, sizes, strict=True)]
    stored = dequantise(*packed)[:, : full.shape[1]]
    stored[:, verifier.profile] = full[:, verifier.profile]  # as an index has it
    calibrations, limits = verifier.calibrations(), verifier.limits()
    errors, kept, recall = [], [], []
    for place in np.random.default_rng(2).permutation(len(texts))[:N_QUESTIONED]:
        one, others = sides.select(np.array([place])), np.arange(len(texts)) != place

        def ranked(table: Any, terms: slice = slice(None)) -> tuple[Any, Any]:
            similarity, parts = verifier.similarity(table, full[place], sides, one)  # noqa: B023
            if terms.stop:
                similarity = parts[:, terms].sum(axis=-1)
            decisions = decide(similarity, (sides, one), calibrations, limits)  # noqa: B023
            llr = np.where(decisions.judged & others, decisions.llr, -np.inf)  # noqa: B023
            return decisions, np.lexsort((-similarity, -llr))

        exact, order = ranked(full)
        found, order_found = ranked(stored)
        judged = exact.judged & others & (exact.llr != 0) & (found.llr != 0)
        if not judged.any():
            continue
        errors.append(np.abs(exact.llr - found.llr)[judged].max())
        best = set(order[:TOP].tolist())
        kept.append(len(best & set(order_found[:TOP].tolist())) / TOP)
        _, by_network = ranked(full, slice(0, 2))
        sizes_kept = [max(round(share * len(texts)), 1) for share in SHARES]
        recall.append([len(best & set(by_network[:n].tolist())) / TOP for n in sizes_kept])
    return {
        "exactness": {
            "texts": len(texts),
            "questioned": len(errors),
            "largest_llr_error": round(float(max(errors)), 4),
            "same_best_20": round(float(np.mean(kept)), 4),
        },
        "first_stage": {
            "shares": SHARES,
            "recall_of_best_20": np.mean(recall, axis=0).round(3).tolist(),
        },
    }


def enlarge(verifier: NeuralVerifier, index: Index, target: Path, n: int) -> None:
    """An index of `n` candidates about the vectors of real ones, in shards."""
    rng = np.random.default_rng(3)
    target.mkdir()
    tables = [block.read(pyarrow_names(block)) for block in index.blocks]
    table = pyarrow.concat_tables(tables).combine_chunks()
    real = dequantise(table["bytes"], table["scales"])
    spread = real.std(axis=0)
    for shard, start in enumerate(range(0, n, SHARD_ROWS)):
        stop = min(start + SHARD_ROWS, n)
        writer = None
        for first in range(start, stop, _ROWS):
            size = min(_ROWS, stop - first)
            drawn = rng.integers(len(real), size=size)
            noise = rng.standard_normal((size, real.shape[1]), dtype=np.float32)
            data, scales = quantise(real[drawn] + noise * spread)
            part = table.take(pyarrow.array(drawn))
            columns: dict[str, Any] = {name: part[name] for name in part.column_names}
            columns["name"] = [f"candidate {number}" for number in range(first, first + size)]
            columns["tokens"] = (10 ** rng.uniform(1.5, 3.5, size)).astype(np.int64)
            for name, values in (("bytes", data), ("scales", scales)):
                rows_of = [row.tobytes() for row in values]
                columns[name] = pyarrow.array(rows_of, part.schema.field(name).type)
            block = pyarrow.table(columns, schema=part.schema)
            if writer is None:
                path = target / SHARD.format(shard)
                writer = parquet.ParquetWriter(path, block.schema, compression="none")
            writer.write_table(block)
        assert writer is not None
        writer.close()
    describe(verifier, target, {"candidates": n, "texts": n}, None)


def pyarrow_names(block: Any) -> list[str]:
    return list(block.metadata.schema.to_arrow_schema().names)


if __name__ == "__main__":
    main()
