"""Kills at random moments, full disks and flipped bits: what a fault leaves behind.

    python benchmarks/faults.py -o results/faults.json --kills 300 --flips 2000

Every command is killed several times at random moments and then run to its end; its output must
have the bytes of a run by a fresh process that was never killed, and nothing else may be left. The
killed processes are forked after the imports, so that each kill hits the work. A limit on the size
of files fails as a full disk does: the command must end with one line and leave nothing. Flipped
bits of every kind of file must be refused with an error of the package, or change nothing.

The report is written after each round of kills; the same command goes on, and --minutes ends it
between two rounds.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import math
import os
import pkgutil
import random
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from generated import flipped
from timing import new_parser
from victims import Sources, Victim, adhominem, make_sources, make_victims

import adhominem as package
from adhominem.cli.app import main as main_of_the_command_line
from adhominem.errors import AdhominemError
from adhominem.instrument.text.tokenise import tokenise

Arguments = tuple[str | Path, ...]
Command = Callable[[Path], Arguments]  # the arguments for an output
KILLS_IN_A_ROW = 5
LONGEST = 300.0  # seconds of a run, after which it hangs
_CHANGING = ("history.json", "checkpoint.safetensors")  # hold times of the run
_SIZES = (100, 2_000, 20_000)  # bytes of the largest file on a full disk


def commands(sources: Sources, corpus: Path, model: Path) -> dict[str, Command]:
    return {
        "corpus build": lambda o: (
            "corpus",
            "build",
            sources.reviews,
            "-o",
            o,
            "--min-tokens",
            "20",
        ),
        "model train": lambda o: (
            "model",
            "train",
            sources.experiment,
            "--corpus",
            corpus,
            "-o",
            o,
        ),
        "index": lambda o: ("index", sources.texts, "-o", o, "--model", model),
        "verify --pairs": lambda o: ("verify", "--pairs", sources.pairs, "-o", o, "--model", model),
        "case": lambda o: ("case", sources.texts, "-o", o.with_suffix(".zip"), "--model", model),
        "model adapt": lambda o: ("model", "adapt", model, corpus, "-o", o, "--epochs", "3"),
    }


def contents(folder: Path) -> dict[str, str]:
    """The hash of every file under a folder, but of those that hold times."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in _CHANGING
    }


def import_once() -> None:
    """Import what the commands import, so that forked processes need not."""
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not module.name.endswith(("__main__", ".kernels")):  # the kernels need a GPU
            importlib.import_module(module.name)
    for name in ("matplotlib.pyplot", "lir", "torch._dynamo", "safetensors.torch"):
        importlib.import_module(name)
    tokenise(["spaCy is loaded by the first text."])


def forked(arguments: Arguments, errors: Path, seconds: float = math.inf) -> tuple[int, float]:
    """Run the command line in a forked process and kill its group after a time; return its status,
    -9 where it was killed, and the seconds that it took."""
    began = time.monotonic()
    if not (child := os.fork()):
        os.setsid()
        sys.argv = ["adhominem", *map(str, arguments)]
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
        try:
            main_of_the_command_line()
        except SystemExit as end:
            os._exit(int(end.code or 0))
        os._exit(0)
    while not (ended := os.waitpid(child, os.WNOHANG))[0]:
        if time.monotonic() - began > seconds:
            with suppress(ProcessLookupError):
                os.killpg(child, 9)
            ended = os.waitpid(child, 0)
            break
        time.sleep(0.002)
    return os.waitstatus_to_exitcode(ended[1]), time.monotonic() - began


def kill_and_rerun(
    command: Command, expected: dict[str, str], seconds: float, draws: random.Random
) -> tuple[int, str | None]:
    """Number of kills that hit a running process, and what was wrong after the last run."""
    with tempfile.TemporaryDirectory() as name, tempfile.NamedTemporaryFile() as errors:
        arguments, said = command(Path(name) / "out"), Path(errors.name)
        killed = 0
        for _ in range(KILLS_IN_A_ROW):
            killed += forked(arguments, said, draws.random() * seconds)[0] == -9
        status, _ = forked(arguments, said, LONGEST)
        if status and "exists already" in said.read_text():  # the last kill came too late
            status, _ = forked((*arguments, "--force"), said, LONGEST)
        if status:
            return killed, f"status {status}: " + said.read_text().strip()[-200:]
        found = contents(Path(name))
    if left := found.keys() - expected.keys():
        return killed, f"left behind: {sorted(left)[:5]}"
    if found != expected:
        return killed, f"other bytes: {[n for n in expected if found.get(n) != expected[n]][:5]}"
    return killed, None


def whole_run(command: Command) -> tuple[dict[str, str], float]:
    """What a fresh process writes, and the seconds that a forked one takes for the same."""
    with tempfile.TemporaryDirectory() as folder:
        done = adhominem(*command(Path(folder) / "out"))
        assert not done.returncode, done.stderr
        expected = contents(Path(folder))
    with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile() as errors:
        status, seconds = forked(command(Path(folder) / "out"), Path(errors.name))
        assert not status and contents(Path(folder)) == expected, Path(errors.name).read_text()
    return expected, seconds


def measure_kills(
    all_commands: dict[str, Command], kills: dict[str, Any], n_kills: int
) -> Iterator[None]:
    """Add to the counts of each command, those that were killed least first; pauses after each
    round."""
    import_once()
    whole = {name: whole_run(command) for name, command in all_commands.items()}
    for name, (_, seconds) in whole.items():
        row = kills.setdefault(name, {"kills": 0, "reruns": 0, "problems": []})
        row["seconds_of_a_run"] = round(seconds, 2)
    while sum(row["kills"] for row in kills.values()) < n_kills:
        name = min(kills, key=lambda each: kills[each]["kills"])
        row = kills[name]
        draws = random.Random(f"{name} {row['reruns']}")
        killed, problem = kill_and_rerun(all_commands[name], *whole[name], draws)
        row["kills"] += killed
        row["reruns"] += 1
        row["problems"] += [problem] if problem else []
        yield


def measure_full_disk(all_commands: dict[str, Command]) -> dict[str, Any]:
    """Exit status and lines of every command that may write small files only."""
    rows: dict[str, Any] = {}
    for name, command in all_commands.items():
        rows[name] = {"runs": 0, "failed": 0, "problems": []}
        for size in _SIZES:
            with tempfile.TemporaryDirectory() as folder:
                limit = lambda size=size: resource.setrlimit(  # noqa: E731
                    resource.RLIMIT_FSIZE, (size, size)
                )
                done = adhominem(*command(Path(folder) / "out"), preexec_fn=limit)
                rows[name]["runs"] += 1
                rows[name]["failed"] += done.returncode != 0
                lines = [line for line in done.stderr.splitlines() if line.startswith("adhominem:")]
                if done.returncode and (done.returncode != 1 or len(lines) != 1):
                    problem = f"{size}: status {done.returncode}, {done.stderr.strip()[-200:]}"
                    rows[name]["problems"].append(problem)
                goes_on = name in ("model train", "corpus build")  # from what is there
                if done.returncode and not goes_on and contents(Path(folder)):
                    rows[name]["problems"].append(f"{size}: left {contents(Path(folder))}")
    return rows


@contextmanager
def replaced(path: Path, data: bytes) -> Iterator[None]:
    whole = path.read_bytes()
    path.write_bytes(data)
    try:
        yield
    finally:
        path.write_bytes(whole)


def measure_flips(victims: list[Victim], n_flips: int) -> dict[str, Any]:
    """For each kind of file the flips that were refused, without effect, and anything else."""
    draws = random.Random(2)
    rows = {victim.name: Counter[str]() for victim in victims}
    problems: list[str] = []
    expected = {victim.name: victim.read() for victim in victims}
    places = [(victim, path) for victim in victims for path in victim.files]
    for number in range(n_flips):
        victim, path = places[number % len(places)]
        with replaced(path, flipped(path.read_bytes(), draws)):
            try:
                same = victim.read() == expected[victim.name]
            except AdhominemError as error:
                rows[victim.name]["refused"] += 1
                if len(str(error).splitlines()) != 1:
                    problems.append(f"{path.name}: {str(error)[:200]}")
            except Exception as error:
                problems.append(f"{path.name}: {type(error).__name__}: {str(error)[:200]}")
            else:
                rows[victim.name]["without effect" if same else "accepted"] += 1
                problems += [] if same else [f"{path.name}: accepted with another meaning"]
    counted = {name: dict(counts) for name, counts in rows.items()}
    return {"total": n_flips, **counted, "problems": problems}


def main() -> None:
    parser = new_parser(__doc__)
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--flips", type=int, default=2000)
    parser.add_argument("--minutes", type=float, default=math.inf)
    arguments = parser.parse_args()
    end = time.monotonic() + 60 * arguments.minutes
    output: Path = arguments.output
    command = f"benchmarks/faults.py --kills {arguments.kills} --flips {arguments.flips}"
    report = json.loads(output.read_text()) if output.exists() else {}
    if report.get("command") != command:
        report = {"command": command, "kills": {}}

    def store() -> None:
        report["killed"] = sum(row["kills"] for row in report["kills"].values())
        print(f"{report['killed']} kills", flush=True)
        output.write_text(json.dumps(report, indent=2) + "\n")

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        victims = make_victims(folder)
        sources = folder / "sources"
        sources.mkdir()
        all_commands = commands(make_sources(sources), folder / "corpus", folder / "run" / "model")
        if "flips" not in report:
            report["flips"] = measure_flips(victims, arguments.flips)
            store()
        if "full_disk" not in report:
            report["full_disk"] = measure_full_disk(all_commands)
            store()
        for _ in measure_kills(all_commands, report["kills"], arguments.kills):
            store()
            if time.monotonic() > end:
                break
    rows = (*report["kills"].values(), *report["full_disk"].values(), report["flips"])
    problems = [problem for row in rows for problem in row["problems"]]
    print("\n".join(problems) or "no problem")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
