"""A case of 500 texts by the shipped model, and the same pairs one decision at a time.

    python benchmarks/case.py -o results/benchmark-case.json

Texts of 265 tokens are made from a seed, as in verifiers.py. Seconds are of the best round after
the model is loaded. One decision at a time is timed on a part of the pairs.
"""

from __future__ import annotations

import itertools
import json

import numpy as np
from timing import best_times, machine, new_parser, write_json
from verifiers import make_documents

import adhominem
from adhominem.bench.case.plane import draw_map
from adhominem.bench.case.study import case_dict, study
from adhominem.bench.case.texts import NamedText, candidates
from adhominem.bench.case.tree import grow_tree
from adhominem.instrument.evidence.attribution import rank
from adhominem.records import Document, Pair

N_TEXTS = 500
N_DECIDED = 60  # texts, of which every two are decided


def main() -> None:
    parser = new_parser(__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    before = machine()
    documents = make_documents(N_TEXTS // 4, np.random.default_rng(1))
    texts = [NamedText(f"text {n}", d.text, d.author) for n, d in enumerate(documents)]
    sides = [(Document(text.text),) for text in texts]
    pairs = [Pair(one, other) for one, other in itertools.combinations(sides[:N_DECIDED], 2)]
    verifier = adhominem.load()
    result = study(verifier, texts, "text 0")
    llr = result.evidence.llr
    ways = {
        "whole": lambda: study(verifier, texts, "text 0"),
        "decided": lambda: verifier.decide(pairs),
        "matrix": lambda: verifier.matrix(sides),
        "tree": lambda: grow_tree(llr, min_llr=verifier.min_llr),
        "map": lambda: draw_map(llr),
        "ranking": lambda: rank(verifier, texts[0].text, candidates(texts, "text 0")),
    }
    seconds = best_times(ways, rounds=arguments.rounds)
    seconds = {name: round(value, 2) for name, value in seconds.items()}
    report = {
        "benchmark": "case",
        "machine": before,
        "texts": len(texts),
        "pairs": len(texts) * (len(texts) - 1) // 2,
        "seconds": seconds["whole"],
        "of_which": {part: seconds[part] for part in ("matrix", "tree", "map", "ranking")},
        "one_decision_at_a_time": {"pairs": len(pairs), "seconds": seconds["decided"]},
        "json_megabytes": round(len(json.dumps(case_dict(result))) / 1e6, 1),
    }
    write_json(arguments.output, report)


if __name__ == "__main__":
    main()
