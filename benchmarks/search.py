"""The author of a text sought among many candidates, exactly.

    python benchmarks/search.py -o results/benchmark-search.json

The candidates are made from a seed: features as wide and as far apart as those of real texts, with
lengths and genres. The index is written to disk and opened as a user's is; a search reads the
questioned text and weighs every candidate. `indexing` is of real texts, made as in verifiers.py.
The first search also brings the features into memory.
"""

from __future__ import annotations

import resource
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
from pyarrow import parquet
from timing import machine, new_parser, write_json
from verifiers import make_documents

import adhominem
from adhominem.bench.case.index import (
    CANDIDATES,
    DESCRIPTION,
    FEATURES,
    SHINGLES,
    Index,
    open_index,
    search,
    write_index,
)
from adhominem.bench.case.texts import KnownTexts
from adhominem.files import read_sealed, sealed_json, sha256
from adhominem.instrument.neural import NeuralVerifier

N_TEXTS = 2000


def main() -> None:
    parser = new_parser(__doc__)
    parser.add_argument("--candidates", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=10)
    arguments = parser.parse_args()
    before = machine()
    verifier = adhominem.load()
    assert isinstance(verifier, NeuralVerifier)
    documents = make_documents(N_TEXTS // 4, np.random.default_rng(1))
    texts = [document.text for document in documents]
    verifier.read(texts[:50])
    with tempfile.TemporaryDirectory() as folder:
        small, large = Path(folder) / "small", Path(folder) / "large"
        begun = time.perf_counter()
        known = KnownTexts(tuple(map(str, range(N_TEXTS))), (1,) * N_TEXTS, iter(enumerate(texts)))
        write_index(verifier, known, small)
        indexing = time.perf_counter() - begun
        _enlarge(small, large, open_index(small, verifier), arguments.candidates)
        begun = time.perf_counter()
        index = open_index(large, verifier)
        opening = time.perf_counter() - begun
        seconds = []
        for number in range(arguments.rounds + 1):
            begun = time.perf_counter()
            ranking = search(verifier, texts[number], index, top=20)
            seconds.append(time.perf_counter() - begun)
            assert ranking.n_others == arguments.candidates - 20
        size = sum(path.stat().st_size for path in large.iterdir())
    report = {
        "benchmark": "search",
        "machine": before,
        "candidates": arguments.candidates,
        "width": int(index.features.shape[1]),
        "megabytes_on_disk": round(size / 1e6),
        "open_seconds": round(opening, 2),
        "first_search_seconds": round(seconds[0], 2),
        "search_seconds": {
            "best": round(min(seconds[1:]), 2),
            "median": round(float(np.median(seconds[1:])), 2),
            "worst": round(max(seconds[1:]), 2),
        },
        "peak_megabytes": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        "indexing": {"texts": N_TEXTS, "texts_per_second": round(N_TEXTS / indexing, 1)},
    }
    write_json(arguments.output, report)


def _enlarge(source: Path, target: Path, index: Index, n: int) -> None:
    """An index of `n` candidates about the features of real ones, in the same files."""
    rng = np.random.default_rng(2)
    target.mkdir()
    real = np.asarray(index.features)
    spread = real.std(axis=0)
    features = np.lib.format.open_memmap(
        target / FEATURES, mode="w+", dtype=np.float32, shape=(n, real.shape[1])
    )
    block = 50_000
    for start in range(0, n, block):
        rows = features[start : start + block]
        noise = rng.standard_normal(rows.shape, dtype=np.float32)
        rows[:] = real[rng.integers(len(real), size=len(rows))] + noise * spread
    features.flush()
    drawn = rng.integers(len(real), size=n)
    table = parquet.read_table(source / CANDIDATES).take(pyarrow.array(drawn))
    columns: dict[str, Any] = {name: table[name] for name in table.column_names}
    columns["name"] = [f"candidate {number}" for number in range(n)]
    columns["tokens"] = (10 ** rng.uniform(1.5, 3.5, n)).astype(np.int64)
    columns["genre"] = rng.choice(["hotels", "blogs", "reddit"], n)
    parquet.write_table(pyarrow.table(columns), target / CANDIDATES)
    (target / SHINGLES).write_bytes((source / SHINGLES).read_bytes())
    description = read_sealed((source / DESCRIPTION).read_bytes())
    hashes = {name: sha256(target / name) for name in description["sha256"]}
    (target / DESCRIPTION).write_bytes(sealed_json({**description, "sha256": hashes}))


if __name__ == "__main__":
    main()
