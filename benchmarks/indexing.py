"""Many texts indexed in shards: speed, memory as the index grows, and a kill in the middle.

    python benchmarks/indexing.py -o results/benchmark-indexing.json
    python benchmarks/indexing.py --documents 1000000 --workers 2 --sentences 7 -o ...

Texts are drawn from sentences of 14 tokens that are made from a seed, as in verifiers.py, one JSON
object a line, a thousandth of the lines broken. `adhominem index --each-text` reads them with one
worker, or with several, on as many cores; the memory of all its processes is sampled twice a
second, and its peak told for each tenth of the time. Then the first texts, about three shards, are
indexed twice: at once, and with a SIGKILL in the middle and a second run; the bytes of both indexes
are compared.
"""

from __future__ import annotations

import hashlib
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from timing import machine, new_parser, write_json
from verifiers import make_documents

from adhominem.instrument.text.tokenise import tokenise

BROKEN = 1000  # one line of so many
KILLED = 456_000  # sentences of the run that is killed: about three shards


def main() -> None:
    parser = new_parser(__doc__)
    parser.add_argument("--documents", type=int, default=60_000, help="at least three shards")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--sentences", type=int, default=19, help="of a text")
    arguments = parser.parse_args()
    before = machine()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "texts.jsonl"
        tokens = write_texts(source, arguments.documents, arguments.sentences)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        began = time.perf_counter()
        memory = run(source, folder / "whole", workers=arguments.workers)
        seconds = time.perf_counter() - began
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime
        description = json.loads((folder / "whole" / "index.json").read_text())
        size = sum(path.stat().st_size for path in (folder / "whole").iterdir())
        killed = run_killed(source, folder, KILLED // arguments.sentences)
    tenths = [int(max(part)) for part in np.array_split(memory, 10)]
    report = {
        "benchmark": "indexing",
        "machine": before,
        "workers": arguments.workers,
        "tokens_per_text": tokens,
        "documents": description["texts"],
        "quarantined": sum(description["rejected"].values()),
        "shards": len(description["sha256"]),
        "seconds": round(seconds, 1),
        "cpu_seconds": round(cpu, 1),
        "documents_per_second_and_core": round(description["texts"] / cpu, 1),
        "bytes_per_text": round(size / description["texts"]),
        "megabytes_by_tenth_of_the_time": tenths,
        "killed": killed,
    }
    write_json(arguments.output, report)
    if not killed["same_bytes"]:
        sys.exit("the indexes differ")


def write_texts(path: Path, n: int, n_sentences: int) -> int:
    """Write the texts; return the mean number of tokens."""
    rng = np.random.default_rng(1)
    texts = [document.text for document in make_documents(500, rng)]
    sentences = np.array([part for text in texts for part in text.split(". ")])
    with path.open("w", encoding="utf-8") as file:
        for number in range(n):
            text = ". ".join(sentences[rng.integers(len(sentences), size=n_sentences)]) + "."
            line = json.dumps({"author": f"author{number % 1000}", "text": text})
            file.write((line[:-1] if number % BROKEN == 7 else line) + "\n")
    return round(len(tokenise(sentences.tolist()).tokens) / len(sentences) * n_sentences)


def run_killed(source: Path, folder: Path, n: int) -> dict[str, Any]:
    """Index the first texts at once, then with a kill in the middle and a second run."""
    short = folder / "short.jsonl"
    with source.open(encoding="utf-8") as lines, short.open("w", encoding="utf-8") as file:
        file.writelines(islice(lines, n))
    began = time.perf_counter()
    run(short, folder / "at-once")
    seconds = time.perf_counter() - began
    run(short, folder / "killed", kill_after=0.6 * seconds)
    left = sum(1 for _ in folder.glob(".killed.work/parts/*.parquet"))
    began = time.perf_counter()
    run(short, folder / "killed")
    return {
        "documents": n,
        "shards_done": left,
        "seconds_to_finish": round(time.perf_counter() - began, 1),
        "same_bytes": hashes(folder / "at-once") == hashes(folder / "killed"),
    }


def run(
    source: Path, output: Path, *, kill_after: float | None = None, workers: int = 1
) -> list[int]:
    """Index on as many cores as workers; return megabytes of all processes twice a second."""
    command = [sys.executable, "-m", "adhominem", "index", str(source), "--each-text", "--quiet"]
    command += ["--workers", str(workers)]
    cores = sorted(os.sched_getaffinity(0))[:workers]
    process = subprocess.Popen(
        [*command, "-o", str(output)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: os.sched_setaffinity(0, cores),
    )
    memory, began = [], time.perf_counter()
    while process.poll() is None:
        memory.append(resident(process.pid))
        if kill_after is not None and time.perf_counter() - began > kill_after:
            process.send_signal(signal.SIGKILL)
        time.sleep(0.5)
    if process.returncode and kill_after is None:
        sys.exit(f"{' '.join(command)}: exit status {process.returncode}")
    return memory


def resident(pid: int) -> int:
    """Megabytes of a process and of those that any of its threads has started."""
    folder = Path(f"/proc/{pid}")
    try:
        lines = (folder / "status").read_text().splitlines()
        below = [n for path in folder.glob("task/*/children") for n in path.read_text().split()]
    except OSError:  # it has just ended
        return 0
    own = next((int(line.split()[1]) // 1024 for line in lines if line.startswith("VmRSS")), 0)
    return own + sum(resident(int(child)) for child in below)


def hashes(folder: Path) -> dict[str, Any]:
    return {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in sorted(folder.iterdir())}


if __name__ == "__main__":
    main()
