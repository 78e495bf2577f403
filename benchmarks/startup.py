"""Seconds that a user waits: `--help` of the verbs, and a cold `verify` with its memory.

    python benchmarks/startup.py -o results/benchmark-startup.json

Each command runs several times as a process of its own, in turn with the others, after one run that
does not count: modules are compiled then, as after an installation. A process that does nothing and
one that imports numpy and spaCy are measured in the same rounds, for comparison.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

DEMO = Path(__file__).parents[1] / "demo"
TEXTS = [str(DEMO / name) for name in ("left.txt", "right.txt")]
IMPORTS = ["-c", "import numpy, spacy"]
VERBS = ["verify", "explain", "train", "evaluate", "models"]


@dataclass(frozen=True)
class Cost:
    """Median seconds of a process, and the largest resident memory of any run."""

    seconds: float
    megabytes: float


def measure(commands: Mapping[str, Sequence[str]], repeats: int) -> dict[str, Cost]:
    """Run the commands in turn, `repeats` times after a first round that does not count."""
    runs: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    for _ in range(repeats + 1):
        for name, command in commands.items():
            runs[name].append(_run(command))
    return {
        name: Cost(statistics.median(s for s, _ in costs[1:]), max(m for _, m in costs[1:]))
        for name, costs in runs.items()
    }


def _run(command: Sequence[str]) -> tuple[float, float]:
    """Seconds and megabytes of one process."""
    began = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed")
    return time.perf_counter() - began, usage.ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    program = [str(Path(sys.executable).with_name("adhominem"))]
    commands = {
        "nothing": [sys.executable, "-c", "pass"],
        "imports": [sys.executable, *IMPORTS],
        "verify": [*program, "verify", *TEXTS],
        "adhominem --help": [*program, "--help"],
        **{f"{verb} --help": [*program, verb, "--help"] for verb in VERBS},
    }
    with tempfile.TemporaryDirectory() as compiled:
        os.environ["PYTHONPYCACHEPREFIX"] = compiled
        costs = measure(commands, arguments.repeats)
    helps = {name.split()[0]: costs[name].seconds for name in commands if "--help" in name}
    report = {
        "python_seconds": costs["nothing"].seconds,
        "import_numpy_spacy_seconds": costs["imports"].seconds,
        "help_seconds": max(helps.values()),
        "help_seconds_of": helps,
        "verify_seconds": costs["verify"].seconds,
        "verify_megabytes": costs["verify"].megabytes,
        "cores": os.cpu_count(),
    }
    arguments.output.write_text(json.dumps(report, indent=2) + "\n")
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
