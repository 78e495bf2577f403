"""Size of the house: lines and files of each wing, a base installation, and how fast it starts.

    python benchmarks/house.py -o results/house.json

The package is built and installed, without extras, into an environment of its own. There a cold
`adhominem verify`, the help of some verbs and `import numpy, spacy` run in turn, each as a process
of its own; the first round, which compiles modules, does not count.
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from timing import new_parser, write_json

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "adhominem"
TEXTS = [str(ROOT / "demo" / name) for name in ("left.txt", "right.txt")]
VERBS = ("verify", "explain", "model train", "model evaluate", "model list")
PIP = [sys.executable, "-m", "pip", "--quiet"]


def count_lines(pattern: str) -> dict[str, dict[str, int]]:
    """Files and lines (as `wc -l` counts them) of each wing; "shared" stands beside the wings."""
    files: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    for path in SOURCE.rglob(pattern):
        inner = path.relative_to(SOURCE).parts
        for name in (inner[0] if len(inner) > 1 else "shared", "total"):
            files[name] += 1
            lines[name] += path.read_bytes().count(b"\n")
    return {name: {"files": files[name], "lines": lines[name]} for name in sorted(files)}


def build_wheel(folder: Path) -> Path:
    """Build the package into a folder."""
    options = ["--no-deps", "--no-build-isolation", "--wheel-dir", str(folder)]
    subprocess.run([*PIP, "wheel", *options, str(ROOT)], check=True)
    [wheel] = folder.glob("adhominem-*.whl")
    return wheel


def install(environment: Path, requirement: str) -> None:
    """Install a requirement with pinned versions; the environment is created if needed."""
    if not environment.exists():
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    options = ["--constraint", str(ROOT / "constraints.txt"), requirement]
    python = ["--python", str(environment / "bin" / "python")]
    subprocess.run([*PIP, *python, "install", *options], check=True)


def megabytes(folder: Path) -> float:
    """Size of a folder on disk; links are not followed."""
    return sum(path.lstat().st_blocks * 512 for path in folder.rglob("*")) / 1e6


def describe_environment(environment: Path) -> dict[str, object]:
    """Size of an environment, its number of packages and the five largest folders."""
    [packages] = environment.glob("lib/python*/site-packages")
    sizes = {path.name: round(megabytes(path)) for path in packages.iterdir() if path.is_dir()}
    largest = sorted(sizes, key=lambda name: -sizes[name])[:5]
    return {
        "megabytes": round(megabytes(environment)),
        "packages": len(list(packages.glob("*.dist-info"))),
        "largest": {name: sizes[name] for name in largest},
    }


@dataclass(frozen=True)
class Cost:
    """Median seconds of a command, and the memory of the largest process in any run."""

    seconds: float
    megabytes: float


def measure(commands: Mapping[str, Sequence[str]], repeats: int) -> dict[str, Cost]:
    """Run the commands in turn, `repeats` times after a first round that does not count."""
    runs: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    for _ in range(repeats + 1):
        for name, command in commands.items():
            runs[name].append(_run(command))
    return {
        name: Cost(
            round(statistics.median(seconds for seconds, _ in costs[1:]), 3),
            round(max(memory for _, memory in costs[1:])),
        )
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


def measure_start(environment: Path, repeats: int) -> dict[str, object]:
    """Cold `verify`, the slowest help page, and imports for comparison, in an environment."""
    program, python = (str(environment / "bin" / name) for name in ("adhominem", "python"))
    costs = measure(
        {
            "verify": [program, "verify", *TEXTS],
            "imports": [python, "-c", "import numpy, spacy"],
            "nothing": [python, "-c", "pass"],
            "--help": [program, "--help"],
            **{f"{verb} --help": [program, *verb.split(), "--help"] for verb in VERBS},
        },
        repeats,
    )
    return {
        "verify_seconds": costs["verify"].seconds,
        "verify_megabytes": costs["verify"].megabytes,
        "import_numpy_spacy_seconds": costs["imports"].seconds,
        "verify_over_imports": round(costs["verify"].seconds / costs["imports"].seconds, 2),
        "help_seconds": max(cost.seconds for name, cost in costs.items() if "--help" in name),
        "python_seconds": costs["nothing"].seconds,
        "repeats": repeats,
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 2),
    }


def main() -> None:
    parser = new_parser(__doc__)
    parser.add_argument("--repeats", type=int, default=7)
    arguments = parser.parse_args()
    for variable in ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE"):
        os.environ.pop(variable, None)
    report = {
        "python": count_lines("*.py"),
        "javascript": count_lines("*.js")["total"],
        "python_version": platform.python_version(),
    }
    with tempfile.TemporaryDirectory() as folder:
        environment = Path(folder) / "base"
        install(environment, str(build_wheel(Path(folder))))
        report["base_installation"] = describe_environment(environment)
        report |= measure_start(environment, arguments.repeats)
    write_json(arguments.output, report)


if __name__ == "__main__":
    main()
