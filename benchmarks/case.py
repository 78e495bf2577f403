"""A case of 500 texts by the shipped model, and the same pairs one decision at a time.

    python benchmarks/case.py -o results/benchmark-case.json

Texts of 265 tokens are made from a seed, as in verifiers.py. Seconds are of the best round after
the model is loaded. One decision at a time is timed on a part of the pairs.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from timing import machine, write_json
from verifiers import make_documents

import adhominem
from adhominem.bench.case.plane import draw_map
from adhominem.bench.case.study import CaseResult, case_dict, study
from adhominem.bench.case.texts import NamedText, candidates
from adhominem.bench.case.tree import grow_tree
from adhominem.instrument.evidence.attribution import rank
from adhominem.records import Document, Pair

N_TEXTS = 500
N_DECIDED = 60  # texts, of which every two are decided


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    before = machine()
    documents = make_documents(N_TEXTS // 4, np.random.default_rng(1))
    texts = [NamedText(f"text {n}", d.text, d.author) for n, d in enumerate(documents)]
    sides = [(Document(text.text),) for text in texts]
    pairs = [Pair(one, other) for one, other in itertools.combinations(sides[:N_DECIDED], 2)]
    verifier = adhominem.load()
    study(verifier, texts[:20], "text 0")
    results: list[CaseResult] = []
    whole = _best(lambda: results.append(study(verifier, texts, "text 0")), arguments.rounds)
    llr = results[-1].evidence.llr
    decided = _best(lambda: verifier.decide(pairs), arguments.rounds)
    report = {
        "benchmark": "case",
        "machine": before,
        "texts": len(texts),
        "pairs": len(texts) * (len(texts) - 1) // 2,
        "seconds": whole,
        "of_which": {
            "matrix": _best(lambda: verifier.matrix(sides), arguments.rounds),
            "tree": _best(lambda: grow_tree(llr, min_llr=verifier.min_llr), arguments.rounds),
            "map": _best(lambda: draw_map(llr), arguments.rounds),
            "ranking": _best(
                lambda: rank(verifier, texts[0].text, candidates(texts, "text 0")),
                arguments.rounds,
            ),
        },
        "one_decision_at_a_time": {"pairs": len(pairs), "seconds": decided},
        "json_megabytes": round(len(json.dumps(case_dict(results[-1]))) / 1e6, 1),
    }
    write_json(arguments.output, report)
    print(json.dumps(report, indent=2))


def _best(work: Callable[[], object], rounds: int) -> float:
    seconds = []
    for _ in range(rounds):
        begun = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - begun)
    return round(min(seconds), 2)


if __name__ == "__main__":
    main()
