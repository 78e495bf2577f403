"""Settings and development errors of several runs, as one file.

python experiments/gather_runs.py runs/a runs/b -o results/attempts.json
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from adhominem.files import write_whole
from adhominem.laboratory.experiment.run import RunFolder


def describe(run: RunFolder) -> dict[str, Any]:
    """`vector_component` is the root mean square of the components of the word vectors, where they
    are there; `best_by_genre` are the errors of the best epoch, on pairs that the seed of the run
    drew; `common_draw` those on the pairs of one seed, where common.json has them."""
    settings = json.loads(run.experiment.read_text())
    history = json.loads(run.history.read_text())
    errors = [record["dev_error"] for record in history]
    best = history[errors.index(min(errors))]
    return {
        "name": run.path.name,
        "settings": {key: settings[key] for key in ("seed", "network", "training")},
        **_vector_component(run),
        "development_error": [round(error, 4) for error in errors],
        "best": round(min(errors), 4),
        "best_by_genre": {g: round(e, 4) for g, e in best.get("dev_errors", {}).items()},
        **_common_draw(run),
        "pairs_per_second": round(history[-1]["pairs_per_second"]),
    }


def _common_draw(run: RunFolder) -> dict[str, Any]:
    path = run.path / "common.json"
    return {"common_draw": json.loads(path.read_text())} if path.is_file() else {}


def _vector_component(run: RunFolder) -> dict[str, float]:
    if not run.vectors.is_dir():
        return {}
    vectors = np.load(run.vectors / "vectors.npy").astype(np.float64)
    return {"vector_component": round(float(np.sqrt((vectors[1:] ** 2).mean())), 3)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    report = {"runs": [describe(RunFolder(path)) for path in arguments.runs]}
    write_whole(arguments.output, json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
