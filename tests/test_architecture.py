"""Imports only go down the floors, and what is heavy is imported where it is used."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "adhominem"
# Rooms from the ground up; a room may import from its own floor and from those below.
FLOORS = [
    ["errors", "records"],
    [
        "files",
        "calibration",
        "verifier",
        "matrix",
        "pausing",
        "occlusion",
        "registry",
        "persistence",
        "attribution",
        "experience",
        "unfamiliar",
        "comparison",
    ],
    ["text"],
    ["corpus"],
    ["network"],
    ["training"],
    ["verifiers", "linguistics"],
    ["evaluation", "report"],
    ["case", "experiment"],
    ["cli", "web"],
]
FLOOR_OF = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
FILES = sorted(
    path for path in SOURCE.rglob("*.py") if path.parent != SOURCE or path.stem[0] != "_"
)


def room_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return names


def test_every_room_has_a_floor() -> None:
    assert {room_of(path) for path in FILES} == set(FLOOR_OF)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_only_go_down(path: Path) -> None:
    for name in imported(path):
        parts = name.split(".")
        if parts[0] == "adhominem" and len(parts) > 1 and parts[1] in FLOOR_OF:
            assert FLOOR_OF[parts[1]] <= FLOOR_OF[room_of(path)], f"{path} imports {name}"


@pytest.mark.parametrize("room", ["evaluation", "report", "linguistics", "corpus", "text"])
def test_rooms_that_know_no_torch(room: str) -> None:
    for path in (SOURCE / room).rglob("*.py"):
        assert not {name for name in imported(path) if name.split(".")[0] == "torch"}, path


def test_the_model_file_imports_torch_and_nothing_of_ours() -> None:
    names = {name.split(".")[0] for name in imported(SOURCE / "network" / "model.py")}
    assert names == {"__future__", "dataclasses", "typing", "torch"}


def test_no_file_is_a_drawer_for_everything() -> None:
    for path in FILES:
        assert path.stem not in {"utils", "common", "helpers", "core", "misc"}
        assert len(path.read_text(encoding="utf-8").splitlines()) < 400, path


@pytest.mark.parametrize("statement", ["import adhominem", "import adhominem.cli.app"])
def test_imports_are_light(statement: str) -> None:
    script = (
        f"{statement}; import sys;"
        "print([m for m in ('numpy', 'torch', 'spacy', 'scipy', 'lir', 'pyarrow', 'jinja2')"
        " if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_nothing_is_unpickled_and_nothing_goes_to_the_network() -> None:
    forbidden = {"pickle", "shelve", "marshal", "requests", "urllib", "http", "socket", "httpx"}
    for path in FILES:
        assert not {name.split(".")[0] for name in imported(path)} & forbidden, path
        text = path.read_text(encoding="utf-8")
        assert "torch.load" not in text, path
        assert "allow_pickle=True" not in text, path
