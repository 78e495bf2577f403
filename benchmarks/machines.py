"""The sensitive part of the suite, and the scores of fixed pairs, under six settings of a machine.

    python benchmarks/machines.py -o results/machines.json

A setting chooses the instructions of torch and of NumPy's linear algebra, the number of threads,
the seed of hashes, time zone, language and home folder. The scores are compared with those of the
first setting. A kernel that the processor does not have is left out, and the JSON says so.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
TESTS = (
    "tests/instrument/text",
    "tests/instrument/evidence",
    "tests/instrument/explain",
    "tests/instrument/test_verifier.py",
    "tests/instrument/test_attention.py",
    "tests/instrument/test_pair_files.py",
    "tests/laboratory/network",
    "tests/laboratory/training/test_checkpoint.py",
    "tests/bench/case/test_search.py",
    "tests/bench/case/test_study.py",
    "tests/test_files.py",
    "tests/test_contract.py",
    "tests/test_shipped_model.py",
    "tests/cli/test_index.py",
)
NEVER_WRITABLE = "/proc"  # not even for root
SETTINGS: dict[str, dict[str, str]] = {
    "as it is": {},
    "Haswell, one thread": {
        **{"OPENBLAS_CORETYPE": "Haswell", "ATEN_CPU_CAPABILITY": "avx2"},
        **{"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "1"},
    },
    "SkylakeX, two threads": {
        **{"OPENBLAS_CORETYPE": "SkylakeX", "OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "2"},
    },
    "Zen, four threads": {
        **{"OPENBLAS_CORETYPE": "Zen", "ATEN_CPU_CAPABILITY": "default"},
        **{"OMP_NUM_THREADS": "4", "OPENBLAS_NUM_THREADS": "4", "PYTHONHASHSEED": "2"},
    },
    "another time zone, language C": {
        **{"TZ": "Pacific/Kiritimati", "LANG": "C", "LC_ALL": "C", "PYTHONHASHSEED": "3"},
    },
    "home that cannot be written": {"HOME": NEVER_WRITABLE, "XDG_CACHE_HOME": NEVER_WRITABLE},
}
TOLERANCE = 1e-6  # of log10 LR between settings
_SCORES = """
import json, sys
from adhominem import load
from adhominem.records import Pair
pairs = [Pair.of_texts(*texts) for texts in json.load(sys.stdin)]
verifier = load()
print(json.dumps([float(llr) for llr in verifier.decide(pairs, distinct=True).llr]))
"""


def available(setting: dict[str, str]) -> bool:
    """Whether the processor has the instructions of the setting."""
    if setting.get("OPENBLAS_CORETYPE") != "SkylakeX":
        return True
    try:
        return "avx512" in Path("/proc/cpuinfo").read_text()
    except OSError:
        return False


def fixed_pairs(n: int, *, seed: int = 1) -> list[tuple[str, str]]:
    """Pairs of texts of all lengths, of the words of the sample texts."""
    draws = random.Random(seed)
    words = [(ROOT / "demo" / f"{side}.txt").read_text().split() for side in ("left", "right")]

    def text(side: int) -> str:
        first = draws.randrange(len(words[side]))
        drawn = draws.choices(words[side], k=draws.randint(25, 600))
        return " ".join((words[side][first:] + drawn)[: draws.randint(25, 600)])

    return [(text(i % 2), text(draws.randrange(2))) for i in range(n)]


def scores(setting: dict[str, str], pairs: list[tuple[str, str]]) -> list[float]:
    """log10 LR of each pair, by a process of its own under the setting."""
    environment = os.environ | setting
    done = subprocess.run(
        [sys.executable, "-c", _SCORES],
        input=json.dumps(pairs),
        capture_output=True,
        text=True,
        env=environment,
        check=True,
    )
    found: list[float] = json.loads(done.stdout)
    return found


def run_tests(setting: dict[str, str]) -> dict[str, Any]:
    """Numbers of passed, failed and skipped tests, and the names of the failed ones."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-p",
            "no:cacheprovider",
            "-q",
            "-n",
            "0",
            *TESTS,
        ]
        subprocess.run(
            [*command, f"--junitxml={report}"],
            env=os.environ | setting,
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            check=False,
        )
        cases = list(ElementTree.parse(report).iter("testcase"))
    failed = [
        f"{c.get('classname')}::{c.get('name')}" for c in cases if _has(c, "failure", "error")
    ]
    skipped = sum(_has(case, "skipped") for case in cases)
    return {
        "passed": len(cases) - len(failed) - skipped,
        "failed": failed,
        "skipped": skipped,
        "seconds": round(time.monotonic() - start),
    }


def _has(case: ElementTree.Element, *kinds: str) -> bool:
    return any(case.find(kind) is not None for kind in kinds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--only", nargs="*", choices=list(SETTINGS), help="again, into the file")
    arguments = parser.parse_args()
    pairs = fixed_pairs(arguments.pairs)
    rows: dict[str, Any] = {}
    if arguments.only:
        rows = json.loads(arguments.output.read_text())["settings"]
    first = scores({}, pairs)
    for name in arguments.only or SETTINGS:
        setting = SETTINGS[name]
        if not available(setting):
            rows[name] = {"environment": setting, "left_out": "this processor has no AVX-512"}
            continue
        found = scores(setting, pairs)
        difference = max(abs(a - b) for a, b in zip(first, found, strict=True))
        rows[name] = {"environment": setting, "difference": difference, **run_tests(setting)}
        print(f"{name}: {rows[name]}", flush=True)
    report = {
        "command": "python benchmarks/machines.py -o results/machines.json",
        "machine": {"processor": platform.machine(), "python": platform.python_version()},
        "pairs": len(pairs),
        "tolerance": TOLERANCE,
        "settings": rows,
    }
    arguments.output.write_text(json.dumps(report, indent=2) + "\n")
    run = [row for row in rows.values() if "left_out" not in row]
    sys.exit(any(row["failed"] or row["difference"] > TOLERANCE for row in run))


if __name__ == "__main__":
    main()
