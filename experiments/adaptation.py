"""What adapting to a new kind of text brings, by the number of its authors.

    python experiments/adaptation.py MODEL imdb.parquet --authors 50 200 1000 -o results/adapt.json

For each number the texts of so many authors (the first by the hash of their names) are built into a
corpus and the model is adapted to it, all by the commands of the package.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.compute
from pyarrow import parquet

from adhominem.files import write_whole


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("documents", type=Path, help="parquet with author and text")
    parser.add_argument("--authors", type=int, nargs="+", default=[50, 200, 1000])
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    rows = {}
    for n_authors in arguments.authors:
        with tempfile.TemporaryDirectory() as folder:
            rows[str(n_authors)] = _adapt(
                arguments.model, arguments.documents, n_authors, Path(folder)
            )
    report = {"model": arguments.model, "documents": arguments.documents.name, "authors": rows}
    write_whole(arguments.output, json.dumps(report, indent=2) + "\n")


def _adapt(model: str, documents: Path, n_authors: int, folder: Path) -> dict[str, Any]:
    table = parquet.read_table(documents, columns=["author", "text"])
    names = sorted(
        set(table.column("author").to_pylist()),
        key=lambda name: hashlib.sha256(name.encode()).digest(),
    )
    chosen = pyarrow.array(names[:n_authors])
    keep = pyarrow.compute.is_in(table.column("author"), value_set=chosen)
    parquet.write_table(table.filter(keep), folder / "some.parquet")
    _run("corpus", "build", str(folder / "some.parquet"), "-o", str(folder / "corpus"))
    begun = time.perf_counter()
    _run("model", "adapt", model, str(folder / "corpus"), "-o", str(folder / "model"))
    report = json.loads((folder / "model" / "adaptation.json").read_text())
    figures = {
        stage: {key: report[stage][key] for key in ("pairs", "error", "auc", "cllr")}
        for stage in ("before", "recalibrated", "after")
    }
    print(n_authors, json.dumps(figures), flush=True)
    return {
        "split": report["authors"],
        "share_of_the_way": report["share_of_the_way"],
        "seconds": round(time.perf_counter() - begun),
        **figures,
    }


def _run(*arguments: str) -> None:
    command = [sys.executable, "-m", "adhominem", *arguments]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
