"""A cold `verify` imports few packages."""

import subprocess
import sys
from pathlib import Path

DEMO = Path(__file__).parents[2] / "demo"
HEAVY = {"torch._C", "scipy", "sklearn", "pyarrow", "matplotlib", "lir", "pandas"}


def test_verify_imports_nothing_of_the_laboratory() -> None:
    texts = [str(DEMO / name) for name in ("left.txt", "right.txt")]
    command = [sys.executable, "-X", "importtime", "-m", "adhominem", "verify", *texts]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "same author" in done.stdout
    imported = {line.split("|")[-1].strip() for line in done.stderr.splitlines()}
    assert {"numpy", "spacy"} <= imported
    assert not imported & HEAVY
