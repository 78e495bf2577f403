"""How long a user waits: `--help` of every verb, and a cold `verify`, with its memory.

    python benchmarks/startup.py -o results/benchmark-startup.json

Each command is started several times as its own process; the median is kept. It runs once before,
so that all modules are compiled, as they are after an installation. A process that does nothing,
and one that only imports torch, are measured in the same run, as floors.
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
from pathlib import Path

ROOT = Path(__file__).parents[1]
VERBS = ["verify", "explain", "train", "evaluate", "models"]


def measure(command: list[str], repeats: int) -> tuple[float, float]:
    """Median seconds, and the resident memory in MB of the largest process."""
    subprocess.run(command, stdout=subprocess.DEVNULL)
    seconds, memory = [], []
    for _ in range(repeats):
        began = time.perf_counter()
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{' '.join(command)} failed")
        seconds.append(time.perf_counter() - began)
        memory.append(usage.ru_maxrss / 1024)
    return statistics.median(seconds), max(memory)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as compiled:
        os.environ["PYTHONPYCACHEPREFIX"] = compiled
        report = measure_all(arguments.repeats)
    arguments.output.write_text(json.dumps(report, indent=2) + "\n")
    print(json.dumps(report, indent=2))


def measure_all(repeats: int) -> dict[str, object]:
    program = [str(Path(sys.executable).with_name("adhominem"))]
    floor, _ = measure([sys.executable, "-c", "pass"], repeats)
    imports, _ = measure([sys.executable, "-c", "import torch"], repeats)
    helps = {
        verb: measure([*program, *verb.split(), "--help"], repeats)[0] for verb in ["", *VERBS]
    }
    texts = [str(ROOT / "demo" / name) for name in ("left.txt", "right.txt")]
    seconds, megabytes = measure([*program, "verify", *texts], repeats)
    return {
        "python_seconds": floor,
        "import_torch_seconds": imports,
        "help_seconds": max(helps.values()),
        "help_seconds_of": {verb or "adhominem": value for verb, value in helps.items()},
        "verify_seconds": seconds,
        "verify_megabytes": megabytes,
        "cores": os.cpu_count(),
    }


if __name__ == "__main__":
    main()
