"""Kills at random moments, full disks and flipped bits: what a fault leaves behind.

    python benchmarks/faults.py -o results/faults.json --kills 300 --flips 2000

Every command is killed several times at random moments and then run to its end; its output must
have the bytes of a run that was never killed, and nothing else may be left. A limit on the size of
files fails as a full disk does: the command must end with one line and leave nothing. Flipped bits
of every kind of file must be refused with an error of the package, or change nothing.
"""

from __future__ import annotations

import hashlib
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from generated import flipped
from timing import new_parser, write_json
from victims import Sources, Victim, adhominem, make_sources, make_victims

from adhominem.errors import AdhominemError

Arguments = tuple[str | Path, ...]
Command = Callable[[Path], Arguments]  # the arguments for an output
KILLS_IN_A_ROW = 5
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
        "train": lambda o: ("train", sources.experiment, "--corpus", corpus, "-o", o),
        "index": lambda o: ("index", sources.texts, "-o", o, "--model", model),
        "verify --pairs": lambda o: ("verify", "--pairs", sources.pairs, "-o", o, "--model", model),
        "case": lambda o: ("case", sources.texts, "-o", o.with_suffix(".zip"), "--model", model),
        "adapt": lambda o: ("adapt", model, corpus, "-o", o, "--epochs", "3"),
    }


def contents(folder: Path) -> dict[str, str]:
    """The hash of every file under a folder, but of those that hold times."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in _CHANGING
    }


def kill_and_rerun(
    command: Command, expected: dict[str, str], seconds: float, n_kills: int, draws: random.Random
) -> tuple[int, str | None]:
    """Number of kills that hit a running process, and what was wrong after the last run."""
    with tempfile.TemporaryDirectory() as name:
        arguments = command(Path(name) / "out")
        killed = 0
        for _ in range(n_kills):
            process = subprocess.Popen(
                [sys.executable, "-m", "adhominem", *map(str, arguments)],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "OMP_NUM_THREADS": "1"},
                start_new_session=True,
            )
            try:
                process.wait(draws.uniform(0.3, 1) * seconds)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                process.wait()
                killed += 1
        done = adhominem(*arguments)
        if done.returncode and "exists already" in done.stderr:  # the last kill came too late
            done = adhominem(*arguments, "--force")
        if done.returncode:
            return killed, done.stderr.strip()[-200:]
        found = contents(Path(name))
    if left := found.keys() - expected.keys():
        return killed, f"left behind: {sorted(left)[:5]}"
    if found != expected:
        return killed, f"other bytes: {[n for n in expected if found.get(n) != expected[n]][:5]}"
    return killed, None


def measure_kills(
    all_commands: dict[str, Command], n_kills: int, deadline: float
) -> dict[str, Any]:
    rows: dict[str, Any] = {}
    whole: dict[str, tuple[dict[str, str], float]] = {}
    for name, command in all_commands.items():
        with tempfile.TemporaryDirectory() as folder:
            began = time.monotonic()
            done = adhominem(*command(Path(folder) / "out"))
            assert not done.returncode, done.stderr
            whole[name] = contents(Path(folder)), time.monotonic() - began
        rows[name] = {"kills": 0, "reruns": 0, "problems": []}
    draws = random.Random(1)
    while sum(row["kills"] for row in rows.values()) < n_kills and time.monotonic() < deadline:
        name = min(rows, key=lambda each: rows[each]["kills"])
        killed, problem = kill_and_rerun(all_commands[name], *whole[name], KILLS_IN_A_ROW, draws)
        rows[name]["kills"] += killed
        rows[name]["reruns"] += 1
        rows[name]["problems"] += [problem] if problem else []
    return rows


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
                goes_on = name in ("train", "corpus build")  # from what is there
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
    return {**{name: dict(counts) for name, counts in rows.items()}, "problems": problems}


def main() -> None:
    parser = new_parser(__doc__)
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--flips", type=int, default=2000)
    parser.add_argument("--minutes", type=float, default=120, help="Stop killing after this time.")
    arguments = parser.parse_args()
    deadline = time.monotonic() + 60 * arguments.minutes
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        victims = make_victims(folder)
        flips = measure_flips(victims, arguments.flips)
        sources = Path(name) / "sources"
        sources.mkdir()
        all_commands = commands(make_sources(sources), folder / "corpus", folder / "run" / "model")
        full = measure_full_disk(all_commands)
        kills = measure_kills(all_commands, arguments.kills, deadline)
        shutil.rmtree(sources)
    report = {
        "command": f"benchmarks/faults.py --kills {arguments.kills} --flips {arguments.flips} "
        f"--minutes {arguments.minutes:g}",
        "kills": {"total": sum(row["kills"] for row in kills.values()), **kills},
        "full_disk": full,
        "flips": {"total": arguments.flips, **flips},
    }
    write_json(arguments.output, report)
    problems = [p for row in (*kills.values(), *full.values(), flips) for p in row["problems"]]
    print("\n".join(problems) or "no problem")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
