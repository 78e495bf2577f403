"""AdHominem against HRSN on the same pairs, for every corpus and seed of the stored scores.

    python experiments/networks.py -o results/networks.json

The differences are paired: authors are drawn with replacement, and p comes from exchanging the
answers of both networks author by author.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from adhominem.files import write_whole
from adhominem.laboratory.evaluation.answer_files import read_score_table
from adhominem.laboratory.evaluation.answers import align
from adhominem.laboratory.evaluation.evaluate import evaluate
from adhominem.laboratory.evaluation.intervals import exchange_p, interval, resample

RESULTS = Path(__file__).parents[1] / "results"
RUNS = {
    "hotels": "hotels",
    "hotels-seed-2": "hotels-2",
    "hotels-seed-3": "hotels-3",
    "blogs": "blogs",
    "reddit": "reddit",
}
ONE, OTHER = "adhominem", "hrsn"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    training = json.loads((RESULTS / "table-training.json").read_text())
    report = {name: describe(name, training[run]) for name, run in RUNS.items()}
    write_whole(arguments.output, json.dumps(report, indent=1) + "\n")


def describe(name: str, training: dict[str, Any]) -> dict[str, Any]:
    """Errors of both networks, their difference, and the epochs of the folds that both have."""
    scores = read_score_table(RESULTS / f"{name}.parquet")
    aligned = align({method: scores[method] for method in (ONE, OTHER)})
    drawn = resample(aligned)
    folds = training[ONE].keys() & training[OTHER].keys()
    return {
        "pairs": len(aligned[ONE]),
        "folds": len(folds),
        "error": {method: evaluate(own)["error"] for method, own in aligned.items()},
        "difference": {
            **interval(drawn[OTHER]["error"] - drawn[ONE]["error"]),
            "p": exchange_p(aligned[OTHER], aligned[ONE]),
        },
        "epochs": {
            method: [training[method][fold]["epochs"] for fold in sorted(folds)]
            for method in (ONE, OTHER)
        },
        "stopped_early": all(
            training[method][fold]["stopped_early"] for method in (ONE, OTHER) for fold in folds
        ),
    }


if __name__ == "__main__":
    main()
