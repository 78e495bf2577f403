"""Mutation testing: small faults are planted in the code, and the tests must notice them.

    python benchmarks/mutation.py -o results/mutation.json --mutants 450

The sample of mutants (`mutants.py`) is drawn by a seed. Each is imported by a forked process of its
own, which runs the tests that call the changed function until one fails. A mutant is killed
when a test fails or the time is over. `equivalent_mutants.json` names those that no test can
notice, with the reason; they are counted apart. The report is written after each mutant, and the
same command goes on; with --survivors, those of the report are tried again.
"""

from __future__ import annotations

import gc
import json
import math
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest
from mutants import ROOT, Mutant, Planted, mutants
from timing import new_parser

ROOMS = ("text", "evidence", "views")
TESTS = (
    *(f"tests/instrument/{room}" for room in ROOMS),
    *sorted(str(p.relative_to(ROOT)) for p in (ROOT / "tests/instrument").glob("test_*.py")),
    *("tests/bench/case/test_search.py", "tests/bench/case/test_study.py"),
)
PYTEST = (
    *("-q", "--assert=plain", "-p", "no:cacheprovider", "-p", "_hypothesis_pytestplugin"),
    *("-p", "no:unraisableexception", "--hypothesis-seed=1", f"--rootdir={ROOT}"),
)
HEAVY = ("numpy", "scipy.stats", "spacy", "torch", "pyarrow.parquet", "hypothesis", "safetensors")
LIMIT = 120  # seconds of a mutant
FIRST = 15  # tests before all others, because most mutants do not survive them
EQUIVALENT = Path(__file__).with_name("equivalent_mutants.json")


class Traced:
    """A pytest plugin that notes which functions a test or its fixtures call, and how long it
    takes."""

    def __init__(self) -> None:
        self.called: dict[str, set[CodeType]] = defaultdict(set)
        self.seconds: dict[str, float] = defaultdict(float)
        self.fixtures: dict[str, list[str]] = {}
        self._running: list[str] = []

    def _trace(self, frame: FrameType, _event: str, _argument: Any) -> None:
        if self._running:
            self.called[self._running[-1]].add(frame.f_code)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Function) -> Iterator[None]:
        self.fixtures[item.nodeid] = [f"fixture {name}" for name in item.fixturenames]
        yield from self._noted(item.nodeid)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Iterator[None]:
        yield from self._noted(f"fixture {fixturedef.argname}")

    def _noted(self, name: str) -> Iterator[None]:
        self._running.append(name)
        sys.settrace(self._trace)
        began = time.monotonic()
        yield
        self.seconds[name] += time.monotonic() - began
        self._running.pop()

    def tests_by_function(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for test, fixtures in self.fixtures.items():
            for code in set().union(*(self.called[name] for name in (test, *fixtures))):
                if code.co_filename.startswith(f"{ROOT}/src/"):
                    file = Path(code.co_filename).relative_to(ROOT)
                    found[f"{file}:{code.co_firstlineno}"].append(test)
        return found


def in_a_child(work: Callable[[], int]) -> int:
    """Run a function in a forked process; its result, or the signal as a negative number."""
    if not (child := os.fork()):
        signal.alarm(LIMIT)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        os._exit(int(work()))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def trace_tests() -> dict[str, Any]:
    """The tests that call each function, and the seconds of each test."""
    with tempfile.TemporaryDirectory() as folder:
        stored = Path(folder) / "traced.json"

        def work() -> int:
            signal.alarm(0)
            traced = Traced()
            status = pytest.main([*PYTEST, *TESTS], plugins=[traced])
            stored.write_text(json.dumps([traced.tests_by_function(), traced.seconds]))
            return int(status)

        if status := in_a_child(work):
            raise RuntimeError(f"the tests fail without any mutant (status {status})")
        functions, seconds = json.loads(stored.read_text())
    return {"functions": functions, "seconds": seconds}


def tests_of(mutant: Mutant, traced: dict[str, Any], enough: float) -> list[str]:
    """The tests that call the function of a mutant, then others that call any of its file, since
    some functions are called once and remembered; those of its room first, the shortest first."""
    seconds, functions = traced["seconds"], traced["functions"]
    room = f"tests/{Path(mutant.file).parent.relative_to('src/adhominem')}/"
    callers = set(functions.get(f"{mutant.file}:{mutant.function}", ()))
    found = {t for p, tests in functions.items() if p.startswith(f"{mutant.file}:") for t in tests}

    def order(test: str) -> tuple[bool, bool, float, str]:
        return test not in callers, not test.startswith(room), seconds[test], test

    chosen, total = [], 0.0
    for test in sorted(found, key=order):
        total += seconds[test]
        if total < enough:
            chosen.append(test)
    return chosen


def outcome(mutant: Mutant, tests: list[str]) -> str:
    if not tests:
        return "survived"

    def work(chosen: list[str]) -> int:
        sys.meta_path.insert(0, Planted(mutant))
        return pytest.main([*PYTEST, "-x", *chosen])

    for chosen in (tests[:FIRST], tests[FIRST:]):
        if chosen and (status := in_a_child(lambda chosen=chosen: work(chosen))):
            return "timed out" if status == -signal.SIGALRM else "killed"
    return "survived"


def report_of(outcomes: dict[str, str], drawn: dict[str, Mutant], seed: int) -> dict[str, Any]:
    known = json.loads(EQUIVALENT.read_text())
    survivors = [name for name, each in outcomes.items() if each == "survived"]
    gaps = [name for name in survivors if name not in known]
    counts, n = Counter(outcomes.values()), len(outcomes)
    n_equivalent = len(survivors) - len(gaps)
    return {
        "command": f"benchmarks/mutation.py --mutants {len(drawn)} --seed {seed}",
        "rooms": {
            room: dict(Counter(o for name, o in outcomes.items() if f"/{room}/" in name))
            for room in ROOMS
        },
        "mutants": n,
        "killed": counts["killed"] + counts["timed out"],
        "equivalent": n_equivalent,
        "survived": len(gaps),
        "score": round(1 - len(gaps) / max(n - n_equivalent, 1), 4),
        "survivors": [f"{drawn[name].file}:{drawn[name].line}: {name}" for name in gaps],
        "equivalent_survivors": {name: known[name] for name in survivors if name in known},
        "outcomes": outcomes,
    }


def main() -> None:
    parser = new_parser(__doc__)
    parser.add_argument("--mutants", type=int, default=450)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--survivors", action="store_true", help="try those of the report again")
    parser.add_argument("--traced", type=Path, help="where the calls of each test are kept")
    parser.add_argument("--enough", type=float, default=40.0, help="seconds of tests of a mutant")
    parser.add_argument("--minutes", type=float, default=math.inf)
    arguments = parser.parse_args()
    os.chdir(ROOT)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # their import takes longer than most tests
    every = [
        mutant
        for room in ROOMS
        for path in sorted((ROOT / "src/adhominem/instrument" / room).glob("*.py"))
        for mutant in mutants(path)
    ]
    sample = random.Random(arguments.seed).sample(every, min(arguments.mutants, len(every)))
    drawn = {mutant.name: mutant for mutant in sample}
    output: Path = arguments.output
    outcomes = json.loads(output.read_text())["outcomes"] if output.exists() else {}
    outcomes = {
        name: each
        for name, each in outcomes.items()
        if name in drawn and not (arguments.survivors and each == "survived")
    }
    for module in HEAVY:
        __import__(module)
    gc.collect()
    gc.freeze()  # so that no child looks through what it shares with its parent
    kept: Path | None = arguments.traced
    traced = json.loads(kept.read_text()) if kept and kept.exists() else trace_tests()
    if kept:
        kept.write_text(json.dumps(traced))
    end = time.monotonic() + 60 * arguments.minutes
    for name, mutant in drawn.items():
        if name not in outcomes and time.monotonic() < end:
            outcomes[name] = outcome(mutant, tests_of(mutant, traced, arguments.enough))
            report = report_of(outcomes, drawn, arguments.seed)
            output.write_text(json.dumps(report, indent=1) + "\n")
            print(f"{len(outcomes)} of {len(drawn)}: {outcomes[name]}  {name}", flush=True)


if __name__ == "__main__":
    main()
