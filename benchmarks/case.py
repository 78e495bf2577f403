"""A case of 500 texts by the shipped model, the same pairs one decision at a time, and the time and
memory of larger and larger cases.

    python benchmarks/case.py -o results/benchmark-case.json
    python benchmarks/case.py --growth 5000 -o results/benchmark-case.json    one row anew

Texts of 265 tokens are made from a seed, as in verifiers.py. Seconds are of the best round after
the model is loaded. One decision at a time is timed on a part of the pairs. Larger cases are
studied once, each in a process of its own, which then writes every kind of output; the peak of its
memory is that of the whole process. Their `seconds` depend on what else the machine does, their
`core_seconds` hardly. The report is written anew after each of them.
"""

from __future__ import annotations

import itertools
import json
import multiprocessing
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from timing import best_times, machine, megabytes, new_parser, write_json
from verifiers import make_documents

import adhominem
from adhominem.bench.case.bundle import case_bundle
from adhominem.bench.case.page import case_page
from adhominem.bench.case.pairs import write_pairs
from adhominem.bench.case.plane import draw_map
from adhominem.bench.case.study import case_dict, study
from adhominem.bench.case.texts import MAX_TEXTS, NamedText, candidates
from adhominem.bench.case.tree import grow_tree, leaf_order
from adhominem.instrument.evidence.attribution import rank
from adhominem.records import Document, Pair

N_TEXTS = 500
N_DECIDED = 60  # texts, of which every two are decided
SIZES = (250, 500, 1_000, 2_000, MAX_TEXTS)  # of the growing case


def main() -> None:
    parser = new_parser(__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--growth", type=int, nargs="*", help="only cases of these sizes")
    arguments = parser.parse_args()
    sizes = SIZES if arguments.growth is None else arguments.growth
    if arguments.growth is None:
        report = measure_parts(arguments.rounds)
    else:
        report = json.loads(arguments.output.read_text())
    rows = {row["texts"]: row for row in report.get("growth", ())}
    texts = make_texts(max(sizes))
    for n in sizes:
        rows[n] = in_own_process(texts[:n])
        report["growth"] = [rows[size] for size in sorted(rows)]
        write_json(arguments.output, report)


def measure_parts(rounds: int) -> dict[str, Any]:
    """The time of a case of 500 texts and of its parts."""
    before = machine()
    texts = make_texts(N_TEXTS)
    sides = [(Document(text.text),) for text in texts]
    pairs = [Pair(one, other) for one, other in itertools.combinations(sides[:N_DECIDED], 2)]
    verifier = adhominem.load()
    result = study(verifier, texts, "text 0")
    llr = result.evidence.llr
    ways = {
        "whole": lambda: study(verifier, texts, "text 0"),
        "decided": lambda: verifier.decide(pairs),
        "matrix": lambda: verifier.matrix(sides),
        "tree": lambda: leaf_order(llr, grow_tree(llr, min_llr=verifier.min_llr)),
        "map": lambda: draw_map(llr),
        "ranking": lambda: rank(verifier, texts[0].text, candidates(texts, "text 0")),
    }
    seconds = best_times(ways, rounds=rounds)
    seconds = {name: round(value, 2) for name, value in seconds.items()}
    return {
        "benchmark": "case",
        "machine": before,
        "texts": len(texts),
        "pairs": len(texts) * (len(texts) - 1) // 2,
        "seconds": seconds["whole"],
        "of_which": {part: seconds[part] for part in ("matrix", "tree", "map", "ranking")},
        "one_decision_at_a_time": {"pairs": len(pairs), "seconds": seconds["decided"]},
        "json_megabytes": round(len(json.dumps(case_dict(result))) / 1e6, 1),
    }


def make_texts(n: int) -> list[NamedText]:
    documents = make_documents(-(-n // 4), np.random.default_rng(1))[:n]
    return [NamedText(f"text {i}", d.text, d.author) for i, d in enumerate(documents)]


def in_own_process(texts: list[NamedText]) -> dict[str, Any]:
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=fresh) as process:
        return process.submit(measure_case, texts).result()


def measure_case(texts: list[NamedText]) -> dict[str, Any]:
    """Time, memory and sizes of the files of a case with a questioned text."""
    verifier = adhominem.load()
    begun, working = time.perf_counter(), time.process_time()
    result = study(verifier, texts, "text 0")
    seconds, core_seconds = time.perf_counter() - begun, time.process_time() - working
    studied = megabytes("VmHWM")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pairs.parquet"
        write_pairs(result.names, result.evidence, path)
        sizes = {
            "html": len(case_page(case_dict(result.drawn()))),
            "json": len(json.dumps(case_dict(result))),
            "zip": len(case_bundle(texts, result)),
            "parquet": path.stat().st_size,
        }
    return {
        "texts": len(texts),
        "pairs": len(texts) * (len(texts) - 1) // 2,
        "seconds": round(seconds, 1),
        "core_seconds": round(core_seconds, 1),
        "peak_megabytes": {"studied": studied, "written": megabytes("VmHWM")},
        "file_megabytes": {kind: round(size / 1e6, 2) for kind, size in sizes.items()},
    }


if __name__ == "__main__":
    main()
