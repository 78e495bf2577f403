"""The base installation is six packages; every other package belongs to an extra."""

import ast
import re
import sys
import tomllib
from pathlib import Path

import pytest

from adhominem.errors import PACKAGES, MissingExtraError, optional_imports

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
BASE = {"jinja2", "numpy", "rich", "safetensors", "spacy", "typer"}
# Importable names that differ from the name of the distribution, or that come with another one.
IMPORT_NAMES = {"scikit-learn": {"sklearn"}, "fastapi": {"fastapi", "pydantic", "starlette"}}
WITH_TORCH = {"triton"}  # comes with torch for GPUs


def distributions(requirements: list[str]) -> set[str]:
    return {re.split(r"[\[<>=]", requirement)[0] for requirement in requirements} - {"adhominem"}


def test_the_base_installation_is_six_packages() -> None:
    assert distributions(PROJECT["dependencies"]) == BASE


@pytest.mark.parametrize("extra", PACKAGES)
def test_an_extra_is_what_pyproject_says(extra: str) -> None:
    listed = distributions(PROJECT["optional-dependencies"][extra])
    names = set().union(*(IMPORT_NAMES.get(name, {name}) for name in listed))
    assert names == set(PACKAGES[extra])


def test_every_imported_package_is_in_the_base_or_in_an_extra() -> None:
    known = BASE | WITH_TORCH | {"adhominem", "markdown_it", "markupsafe"} | sys.stdlib_module_names
    known |= set().union(*PACKAGES.values())
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [node.module]
            assert {name.split(".")[0] for name in names} <= known, path


def test_a_missing_package_is_named_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    expected = r'^torch is not installed: pip install "adhominem\[lab\]"$'
    with pytest.raises(MissingExtraError, match=expected), optional_imports():
        import torch.nn
    expected = r'^torch is not installed: pip install "adhominem\[lab\]", or go home$'
    with pytest.raises(MissingExtraError, match=expected), optional_imports("go home"):
        import torch  # noqa: F401


def test_other_missing_modules_are_left_alone() -> None:
    with pytest.raises(ModuleNotFoundError, match="adhominem_of_the_future"), optional_imports():
        import adhominem_of_the_future  # noqa: F401
