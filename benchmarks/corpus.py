"""Time and memory of a corpus build against bare spaCy tokenisation of the same texts.

    python benchmarks/corpus.py reviews.parquet -o results/benchmark-corpus.json

The texts are those of the file, and once they are used up the same again under other authors with
every third word exchanged. Both ways use two processes; memory is that of the whole process tree.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any

from pyarrow import parquet
from timing import new_parser, write_json

WORKERS = 2
TOPICS = 20


def main() -> None:
    parser = new_parser(__doc__)
    parser.add_argument("reviews", type=Path)
    parser.add_argument("--sizes", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--folder", type=Path, help="where to put the generated files")
    arguments = parser.parse_args()
    sizes: dict[str, Any] = {}
    if arguments.output.exists():  # sizes can be measured one by one
        sizes = json.loads(arguments.output.read_text(encoding="utf-8"))["sizes"]
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        for size in arguments.sizes:
            dump = Path(folder) / f"reviews_{size}.json"
            generate(arguments.reviews, dump, size)
            sizes[str(size)] = measure(dump, Path(folder) / f"corpus-{size}", size)
            print(json.dumps(sizes[str(size)]), file=sys.stderr)
            dump.unlink()
    machine = {"cores": os.cpu_count(), "python": sys.version.split()[0], "workers": WORKERS}
    write_json(arguments.output, {"machine": machine, "sizes": sizes})


def generate(source: Path, dump: Path, size: int) -> None:
    """Reviews as in the Amazon dump of 2014."""
    rng = random.Random(1)
    file = parquet.ParquetFile(source)
    first = next(file.iter_batches(1_000, columns=["text"])).column(0).to_pylist()
    pool = [word for text in first for word in text.split(" ")]
    written = repetition = 0
    with dump.open("w", encoding="utf-8") as lines:
        while written < size:
            for batch in file.iter_batches(10_000, columns=["author", "text"]):
                for row in batch.to_pylist():
                    words = row["text"].split(" ")
                    if repetition:
                        words[::3] = rng.choices(pool, k=len(words[::3]))
                    review = {
                        "reviewerID": f"{row['author']}-{repetition}",
                        "asin": f"B{written % TOPICS:09d}",
                        "category": f"topic {written % TOPICS}",
                        "reviewText": " ".join(words),
                    }
                    lines.write(json.dumps(review) + "\n")
                    written += 1
                    if written == size:
                        return
            repetition += 1


def measure(dump: Path, corpus: Path, size: int) -> dict[str, Any]:
    began = time.perf_counter()
    with ProcessPoolExecutor(WORKERS) as pool:
        tokens = sum(pool.map(tokenise_plainly, [(dump, i) for i in range(WORKERS)]))
    plain = time.perf_counter() - began
    command = [sys.executable, "-m", "adhominem", "corpus", "build", str(dump), "-o", str(corpus)]
    began = time.perf_counter()
    process = subprocess.Popen(
        [*command, "--workers", str(WORKERS), "--json"], stdout=subprocess.PIPE
    )
    peak = Peak(process.pid)
    output, _ = process.communicate()
    seconds = time.perf_counter() - began
    manifest = json.loads(output)
    return {
        "reviews": size,
        "megabytes_in": round(dump.stat().st_size / 1e6),
        "spacy_seconds": round(plain, 1),
        "spacy_reviews_per_second": round(size / plain),
        "spacy_tokens": tokens,
        "build_seconds": round(seconds, 1),
        "build_reviews_per_second": round(size / seconds),
        "speed_against_spacy": round(plain / seconds, 3),
        "peak_megabytes": round(peak.stop() / 1e6),
        "documents_kept": manifest["documents"]["total"],
    }


def tokenise_plainly(part: tuple[Path, int]) -> int:
    """What bare spaCy does with every second line."""
    import spacy

    dump, first = part
    tokenizer = spacy.blank("en").tokenizer
    tokens = 0
    with dump.open(encoding="utf-8") as lines:
        for line in islice(lines, first, None, WORKERS):
            tokens += len(tokenizer(json.loads(line)["reviewText"]))
    return tokens


class Peak:
    """The largest resident memory of a process and its children, looked at five times a second."""

    def __init__(self, process: int) -> None:
        self._process = process
        self._peak = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while not self._over.wait(0.2):
            self._peak = max(self._peak, resident(self._process))

    def stop(self) -> int:
        self._over.set()
        self._thread.join()
        return self._peak


def resident(process: int) -> int:
    """Bytes; 0 for a process that has ended."""
    folder = Path(f"/proc/{process}")
    try:
        pages = int((folder / "statm").read_text().split()[1])
        children = [
            int(child)
            for task in (folder / "task").iterdir()
            for child in (task / "children").read_text().split()
        ]
    except (OSError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE") + sum(resident(child) for child in children)


if __name__ == "__main__":
    main()
