"""A hundred broken lines of ten kinds among many good ones: which are quarantined, and why.

    python benchmarks/broken_lines.py reviews.parquet -o results/broken-lines.json

One of them is a line of 50 MB. The corpus is built by the command line; the JSON says for each kind
how many lines were quarantined under which reason, and whether all other lines were read.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

from corpus import generate
from timing import new_parser, write_json

N_LINES, N_BROKEN = 100_000, 100


def broken(text: str) -> dict[str, bytes]:
    whole = {"reviewerID": "A1", "asin": "B0", "reviewText": text}

    def line(**changes: Any) -> bytes:
        return json.dumps({**whole, **changes}).encode()

    def without(name: str) -> bytes:
        return json.dumps({k: v for k, v in whole.items() if k != name}).encode()

    return {
        "no JSON": b"not json at all",
        "cut JSON": line()[:-20],
        "a list": b"[1, 2]",
        "no author": without("reviewerID"),
        "no text": without("reviewText"),
        "text is null": line(reviewText=None),
        "text is a number": line(reviewText=42),
        "empty author": line(reviewerID=""),
        "invalid UTF-8": b'{"reviewerID": "x", "asin": "B", "reviewText": "caf\xe9 bad"}',
        "empty line": b"",
    }


def main() -> None:
    parser = new_parser(__doc__)
    parser.add_argument("reviews", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        good, mixed = folder / "good.json", folder / "mixed.json"
        generate(arguments.reviews, good, N_LINES - N_BROKEN)
        planted = plant(good, mixed)
        good.unlink()
        command = [sys.executable, "-m", "adhominem", "corpus", "build", str(mixed), "--json"]
        done = subprocess.run(
            [*command, "-o", str(folder / "corpus")], stdout=subprocess.PIPE, check=True
        )
        manifest = json.loads(done.stdout)
        lines = (folder / "corpus" / "quarantine.jsonl").read_text(encoding="utf-8").splitlines()
    found = {row["line"]: row["reason"] for row in map(json.loads, lines)}
    reasons: dict[str, Counter[str]] = {}
    for number, kind in planted.items():
        reasons.setdefault(kind, Counter())[found.get(number, "not quarantined")] += 1
    result = {
        "lines": manifest["funnel"][0]["left"],
        "quarantined": len(found),
        "exactly_the_broken_ones": set(found) == set(planted),
        "read": manifest["funnel"][1]["left"],
        "kinds": {kind: dict(counts) for kind, counts in sorted(reasons.items())},
    }
    write_json(arguments.output, result)


def plant(good: Path, mixed: Path) -> dict[int, str]:
    """Writes the mixed file; returns the kind of every broken line by its number."""
    rng = random.Random(3)
    kinds = broken("some text here " * 30)
    names = [name for name in kinds for _ in range(N_BROKEN // len(kinds))]
    names[-1] = "line of 50 MB"
    kinds["line of 50 MB"] = b'{"reviewerID": "x", "reviewText": "' + b"y" * 50_000_000 + b'"}'
    rng.shuffle(names)
    places = sorted(rng.sample(range(1, N_LINES + 1), N_BROKEN))
    planted = dict(zip(places, names, strict=True))
    with good.open("rb") as lines, mixed.open("wb") as target:
        for number in range(1, N_LINES + 1):
            if number in planted:
                target.write(kinds[planted[number]] + b"\n")
            else:
                target.writelines(islice(lines, 1))
    return planted


if __name__ == "__main__":
    main()
