"""Two wings: the instrument stands alone, all other rooms stand on it."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "adhominem"
SHARED = {
    *("arrays", "checks", "errors", "files", "lines"),
    *("pausing", "presenting", "records", "rows"),
}
# What each wing may import of the others; the bench and the verbs import the laboratory inside
# functions only, so that they work where it is not installed.
ALLOWED = {
    "instrument": SHARED | {"instrument"},
    "laboratory": SHARED | {"instrument", "laboratory"},
    "documents": SHARED | {"instrument", "documents"},
    "bench": SHARED | {"instrument", "documents", "bench"},
    "cli": SHARED | {"instrument", "documents", "bench", "cli"},
    **dict.fromkeys(SHARED, SHARED),
    "presenting": {"instrument"},  # inside functions
}
BASE = {"numpy", "safetensors", "spacy", "rich", "typer", "jinja2", "markupsafe"}
OPTIONAL = {"zstandard", "pypdf"}  # imported where it is there
FILES = sorted(
    path for path in SOURCE.rglob("*.py") if path.parent != SOURCE or path.stem[0] != "_"
)


def wing_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported(path: Path, *, inside_functions: bool = True) -> set[str]:
    """Modules that a file imports, at its top level or anywhere; not those for types alone."""
    names = set()
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        if not inside_functions and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        waiting += ast.iter_child_nodes(node)
    return names


def wings(names: set[str]) -> set[str]:
    parts = [name.split(".") for name in names]
    return {part[1] for part in parts if part[0] == "adhominem" and len(part) > 1} & set(ALLOWED)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_stay_within_the_wing_and_what_it_stands_on(path: Path) -> None:
    wing = wing_of(path)
    anywhere = wing in {"instrument", "laboratory", "documents"} | SHARED
    assert wings(imported(path, inside_functions=anywhere)) <= ALLOWED[wing]


def test_the_instrument_needs_the_base_installation_only() -> None:
    known = BASE | OPTIONAL | {"adhominem", "__future__"} | sys.stdlib_module_names
    for path in FILES:
        if wing_of(path) in {"instrument", "documents"} | SHARED:
            packages = {name.split(".")[0] for name in imported(path)}
            assert packages <= known, path


def test_the_model_file_imports_torch_and_nothing_of_ours() -> None:
    names = imported(SOURCE / "laboratory" / "network" / "model.py")
    packages = {name.split(".")[0] for name in names}
    assert packages - {"__future__"} == {"dataclasses", "typing", "torch"}


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
