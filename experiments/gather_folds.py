"""How the networks of cross-validated runs were trained: the development error of every epoch.

    python experiments/gather_folds.py runs/tables -o results/table-training.json

Reads CORPUS/METHOD/fold-K/history.json below the folder. An entry that the output has already and
that is not below the folder stays.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from adhominem.files import write_whole


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    output: Path = arguments.output
    found: dict[str, Any] = json.loads(output.read_text()) if output.exists() else {}
    for path in sorted(arguments.runs.glob("*/*/fold-*/history.json")):
        corpus, method, fold = path.parts[-4:-1]
        if (path.parent / "answers.parquet").exists():  # it was trained to its end
            settings = json.loads((path.parent / "experiment.json").read_text())["training"]
            own = found.setdefault(corpus, {}).setdefault(method, {})
            own[fold] = describe(json.loads(path.read_text()), settings["patience"])
    write_whole(output, json.dumps(found) + "\n")


def describe(history: list[dict[str, Any]], patience: int) -> dict[str, Any]:
    """The lowest development error, and whether so many epochs without a lower one ended it."""
    errors = [round(record["dev_error"], 4) for record in history]
    best = errors.index(min(errors))
    return {
        "epochs": len(errors),
        "stopped_early": len(errors) - 1 - best >= patience,
        "best_epoch": best,
        "development_error": errors,
    }


if __name__ == "__main__":
    main()
