"""A corpus, an index and answers to pairs, on a Ray cluster and on one machine: the same bytes?

    python benchmarks/cluster.py reviews.parquet -o results/cluster.json

Starts a head and a second node on this machine, one processor each, builds a corpus and an index,
answers pairs with both engines and compares every file. Without sources small made-up ones are
taken.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

from timing import new_parser, write_json
from victims import load_corpora

PORT = 6399
RAY = Path(sys.executable).with_name("ray")
ENVIRONMENT = {
    **os.environ,
    "RAY_AUTH_MODE": "token",
    "RAY_AUTH_TOKEN": secrets.token_hex(32),
    "RAY_USAGE_STATS_ENABLED": "0",
    "DO_NOT_TRACK": "1",
}


def main() -> None:
    parser = new_parser(__doc__)
    parser.add_argument("sources", nargs="*")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        corpora = load_corpora()
        reviews = corpora.make_reviews(400, n_documents=6, n_sentences=(12, 16))
        files = [folder / f"reviews-{i}.jsonl" for i in range(4)]
        made = [corpora.save_reviews(reviews[i::4], file) for i, file in enumerate(files)]
        sources = arguments.sources or [str(path) for path in made]
        corpus = ["corpus", "build", *sources]
        index = ["index", *sources, "--each-text"]
        pairs = folder / "pairs.jsonl"
        texts = [review.text for review in reviews]
        rows = [{"id": str(i), "left": a, "right": b} for i, (a, b) in enumerate(pairwise(texts))]
        pairs.write_text("".join(json.dumps(row) + "\n" for row in rows))
        verify = ["verify", "--pairs", str(pairs)]
        local = build([corpus, index, verify], folder / "local", [])
        with two_nodes() as address:
            nodes = count_nodes(address)
            cluster = build([corpus, index, verify], folder / "cluster", ["--cluster", address])
        manifest = json.loads((folder / "local" / "corpus" / "manifest.json").read_text())
    result = {
        "nodes": nodes,
        "documents": manifest["documents"]["total"],
        "files": len(local["files"]),
        "same_bytes": local["files"] == cluster["files"],
        "local_seconds": local["seconds"],
        "cluster_seconds": cluster["seconds"],
    }
    write_json(arguments.output, result)
    if not result["same_bytes"]:
        sys.exit("the corpora differ")


def build(commands: list[list[str]], folder: Path, options: list[str]) -> dict[str, Any]:
    """Run commands that write a folder each, and hash all files of these."""
    seconds = {}
    for command in commands:
        began = time.perf_counter()
        output = ["-o", str(folder / command[0]), *options]
        adhominem = [sys.executable, "-m", "adhominem"]
        subprocess.run(
            [*adhominem, *command, *output], env=ENVIRONMENT, stdout=subprocess.DEVNULL, check=True
        )
        seconds[command[0]] = round(time.perf_counter() - began, 1)
    return {
        "seconds": seconds,
        "files": {
            path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        },
    }


@contextmanager
def two_nodes() -> Iterator[str]:
    """Address of a cluster whose two nodes have one processor each."""
    address = f"127.0.0.1:{PORT}"
    head = ["--head", f"--port={PORT}", "--include-dashboard=false"]
    nodes = []
    try:
        for number, options in enumerate((head, [f"--address={address}"]), 1):
            command = [str(RAY), "start", *options, "--num-cpus=1", "--block"]
            nodes.append(subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.DEVNULL))
            until = time.monotonic() + 90
            while count_nodes(address) < number and time.monotonic() < until:
                time.sleep(1)
        yield address
    finally:
        for node in reversed(nodes):
            node.terminate()
            node.wait()


def count_nodes(address: str) -> int:
    """Nodes of the cluster at an address, 0 where none answers."""
    script = (
        "import ray, sys; ray.init(address=sys.argv[1], log_to_driver=False);"
        "print(sum(node['Alive'] for node in ray.nodes()))"
    )
    command = [sys.executable, "-c", script, address]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    return int(done.stdout.split()[-1]) if done.returncode == 0 else 0


if __name__ == "__main__":
    main()
