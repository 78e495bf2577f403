"""Size of the house: lines and files of each wing, a base installation, a cold `verify` in it.

    python benchmarks/house.py -o results/house.json

The package is built and installed, without extras, into an environment of its own. There a cold
`adhominem verify` and `import numpy, spacy` run in turn.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from startup import IMPORTS, TEXTS, measure

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "adhominem"
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--repeats", type=int, default=7)
    arguments = parser.parse_args()
    for variable in ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE"):
        os.environ.pop(variable, None)
    with tempfile.TemporaryDirectory() as folder:
        environment = Path(folder) / "base"
        install(environment, str(build_wheel(Path(folder))))
        programs = environment / "bin"
        commands = {
            "verify": [str(programs / "adhominem"), "verify", *TEXTS],
            "imports": [str(programs / "python"), *IMPORTS],
        }
        costs = measure(commands, arguments.repeats)
        report = {
            "python": count_lines("*.py"),
            "javascript": count_lines("*.js")["total"],
            "base_installation": describe_environment(environment),
            "verify_seconds": round(costs["verify"].seconds, 3),
            "verify_megabytes": round(costs["verify"].megabytes),
            "import_numpy_spacy_seconds": round(costs["imports"].seconds, 3),
            "verify_over_imports": round(costs["verify"].seconds / costs["imports"].seconds, 2),
            "repeats": arguments.repeats,
            "cores": os.cpu_count(),
            "python_version": platform.python_version(),
        }
    arguments.output.write_text(json.dumps(report, indent=2) + "\n")
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
