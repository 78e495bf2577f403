"""Whatever is documented is run, and generated parts are what they are generated from."""

from __future__ import annotations

import importlib.util
import re
import shlex
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)


def blocks(language: str) -> list[object]:
    return [
        pytest.param(match[2], id=f"{page.relative_to(ROOT)}:{number}")
        for page in PAGES
        for number, match in enumerate(BLOCK.finditer(page.read_text(encoding="utf-8")))
        if match[1] == language
    ]


def test_generated_parts_have_not_drifted() -> None:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    assert generate.drifted(write=False) == [], "run `make docs`"


@pytest.mark.parametrize("code", blocks("python"))
def test_python_examples_run(
    code: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    exec(
        compile(
            code.replace("open(", "__import__('pathlib').Path(").replace(
                ").read()", ").read_text()"
            ),
            "example",
            "exec",
        ),
        {},
    )
    assert capsys.readouterr().out


@pytest.mark.parametrize("commands", blocks("sh"))
def test_shell_examples_name_real_commands(commands: str) -> None:
    """Every adhominem line parses against the command line; make targets exist."""
    import typer

    from adhominem.cli.app import app

    group = typer.main.get_command(app)
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
    for line in commands.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        if words[:1] == ["make"]:
            assert words[1] in targets
        elif words[:1] == ["adhominem"]:
            command, rest = group, words[1:]
            while hasattr(command, "commands"):
                command, rest = command.commands[rest[0]], rest[1:]
            command.make_context(words[1], rest, resilient_parsing=False)
        else:
            assert words[0] == "python"
            assert (ROOT / words[1]).exists()


def test_links_lead_somewhere() -> None:
    for page in [*PAGES, ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md"]:
        for link in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
            if not link.startswith("http"):
                assert (page.parent / link).exists(), f"{page}: {link}"
