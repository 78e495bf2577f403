"""Which code wrote each file of results/: writes results/index.json.

    python docs/results_index.py

For every file: the hash of its content, and git's hash of `src/adhominem` (`git rev-parse
COMMIT:src/adhominem`) in the commit that brought this content, or at present if it is not committed
yet. A file whose content has not changed keeps its row, so measure with committed code.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from adhominem.files import sha256, write_whole

ROOT = Path(__file__).parents[1]
INDEX = ROOT / "results" / "index.json"


def main() -> None:
    known = json.loads(INDEX.read_text(encoding="utf-8")) if INDEX.exists() else {}
    index = {}
    for path in sorted(INDEX.parent.iterdir()):
        content = sha256(path)
        if path == INDEX or path.name.startswith("."):
            continue
        row = known.get(path.name, {})
        index[path.name] = (
            row if row.get("sha256") == content else {"sha256": content, "code": code_of(path)}
        )
    lines = ",\n".join(f' "{name}": {json.dumps(row)}' for name, row in index.items())
    write_whole(INDEX, f"{{\n{lines}\n}}\n")


def code_of(path: Path) -> str:
    """git's hash of the sources that the file was written with."""
    changed = git("status", "--porcelain", "--", str(path))
    commit = "HEAD" if changed else git("log", "-1", "--format=%H", "--", str(path))
    return git("rev-parse", f"{commit}:src/adhominem")


def git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout.strip()


if __name__ == "__main__":
    main()
