"""Writes the sample validation reports in docs/samples, with the shipped model.

python docs/validation.py runs/kinds/prepared/test

The folder holds the test pairs of each kind of text, which `make shipped-prepared` makes. At most
400 pairs of each kind are taken, evenly spaced. The figures must be those of `adhominem model
evaluate` on the same pairs, and a report must hold no text: otherwise the command fails.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

SAMPLES = Path(__file__).parent / "samples"
KINDS = {
    "hotels": ("hotels", "Validation on hotel reviews"),
    "forum": ("ssvc_vanclub_forum", "Validation on posts of a forum"),
}
MOST_PAIRS, SHINGLE = 400, 6  # words of a text that a report must not hold in this order


def adhominem(*arguments: str | Path) -> None:
    command = [sys.executable, "-m", "adhominem", *map(str, arguments), "--force", "--quiet"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def chosen_pairs(path: Path) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        lines = file.readlines()
    n = min(MOST_PAIRS, len(lines))
    return [lines[i * len(lines) // n] for i in range(n)]


def shingles(text: str) -> set[str]:
    words = text.split()
    return {" ".join(words[i : i + SHINGLE]) for i in range(len(words) - SHINGLE + 1)}


def check_same(figures: Any, expected: Any, place: str = "") -> None:
    """Every figure of `evaluate` is a figure of the report."""
    if isinstance(expected, dict):
        for name, value in expected.items():
            check_same(figures[name], value, f"{place}.{name}")
    elif isinstance(expected, float):
        if abs(figures - expected) > 1e-9:
            sys.exit(f"validation: {place[1:]} is {figures}, evaluate says {expected}")
    elif figures != expected:
        sys.exit(f"validation: {place[1:]} is {figures}, evaluate says {expected}")


def write_sample(name: str, source: Path, title: str) -> None:
    lines = chosen_pairs(source)
    with tempfile.TemporaryDirectory() as folder:
        pairs = Path(folder) / f"{source.name.partition('.')[0]}.jsonl"
        pairs.write_text("".join(lines), encoding="utf-8")
        reports = [SAMPLES / f"validation-{name}.{form}" for form in ("html", "json")]
        for report in reports:
            adhominem("validate", pairs, "-o", report, "--title", title)
        evaluated = Path(folder) / "evaluated.json"
        adhominem("model", "evaluate", "adhominem", pairs, "-o", evaluated)
        check_same(json.loads(reports[1].read_bytes()), json.loads(evaluated.read_bytes()))
    told = set().union(*(shingles(report.read_text(encoding="utf-8")) for report in reports))
    for row in map(json.loads, lines):
        for side in (row["left"], row["right"]):
            texts = [side] if isinstance(side, str) else side
            if any(told & shingles(text) for text in texts):
                sys.exit(f"validation: the report of {name} holds words of a text")
    print(f"{name}: {len(lines)} pairs")


def main(folder: Path) -> None:
    SAMPLES.mkdir(exist_ok=True)
    for name, (kind, title) in KINDS.items():
        write_sample(name, folder / f"{kind}.pairs.jsonl.gz", title)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
