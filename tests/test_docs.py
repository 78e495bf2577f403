"""Whatever is documented is run, and generated parts are what they are generated from."""

from __future__ import annotations

import doctest
import hashlib
import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

import adhominem
from adhominem.documents.read import read_file
from adhominem.instrument.model_folder import DEFAULT, describe_model, shipped_models

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


@pytest.fixture(scope="module")
def shipped() -> dict[str, str]:
    described, _ = describe_model(shipped_models()[DEFAULT])
    return {key: described[key] for key in ("name", "version", "sha256")}


def test_the_sample_validations_are_of_the_shipped_model(shipped: dict[str, str]) -> None:
    for name in ("hotels", "forum"):
        path = ROOT / "docs" / "samples" / f"validation-{name}.json"
        report = json.loads(path.read_text(encoding="utf-8"))
        assert report["model"] == shipped, "run `make validation`"
        assert report["pairs"] <= 400
        page = path.with_suffix(".html").read_text(encoding="utf-8")
        assert f"Cllr {report['cllr']:.3f}" in page and report["pairs_file"]["sha256"] in page
        assert report["model"]["sha256"] in page


def test_the_pictures_show_the_shipped_model(shipped: dict[str, str]) -> None:
    images = ROOT / "docs" / "images"
    record = json.loads((images / "screenshots.json").read_text(encoding="utf-8"))
    assert record["model"] == shipped, "run `make screenshots`"
    shown = {path.name for path in images.glob("*.png")}
    assert set(record["sha256"]) == shown, "run `make screenshots`"
    for name, expected in record["sha256"].items():
        assert hashlib.sha256((images / name).read_bytes()).hexdigest() == expected, name


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


@pytest.mark.parametrize("commands", [b for b in blocks("sh") if "README" in str(b)])  # type: ignore[misc]
def test_commands_of_the_readme_run(
    commands: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All but the server and make, which set up and test what runs here already."""
    from typer.testing import CliRunner

    from adhominem.cli.app import app

    shutil.copytree(ROOT / "demo", tmp_path / "demo")
    monkeypatch.chdir(tmp_path)
    for line in commands.splitlines():
        words = shlex.split(line, comments=True)
        if words and words[0] == "adhominem" and words[1] != "serve":
            done = CliRunner().invoke(app, words[1:], prog_name="adhominem")
            assert done.exit_code == 0, done.output
            assert done.stdout


LOAD = cache(adhominem.load)
PUBLIC = {name: getattr(adhominem, name) for name in adhominem.__all__ if name[0] != "_"}
PUBLIC |= {"AuthorshipClassifier": adhominem.AuthorshipClassifier, "read_file": read_file}
PUBLIC |= {
    f"Verifier.{name}": getattr(adhominem.Verifier, name)
    for name in (
        *("verify", "verify_pairs", "explain", "explain_texts", "encode", "search"),
        *("decide", "score", "matrix", "save"),
    )
}


@pytest.mark.parametrize("name", PUBLIC)
def test_everything_public_has_an_example_that_runs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from adhominem.instrument import model_folder

    shutil.copytree(ROOT / "demo", tmp_path / "demo")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(model_folder, "load", LOAD)
    thing = PUBLIC[name]
    own = vars(import_module(thing.__module__))
    example = doctest.DocTestParser().get_doctest(
        thing.__doc__ or "", {**own, "adhominem": adhominem, "load": LOAD}, name, None, None
    )
    assert example.examples, f"{name} has no example"
    said: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example, out=said.append)
    assert not said, "".join(said)


def test_the_site_builds_without_warnings(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", str(tmp_path)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    assert "verify_pairs" in (tmp_path / "reference" / "python.html").read_text(encoding="utf-8")


def test_links_lead_somewhere() -> None:
    for page in [*PAGES, ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md"]:
        for link in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
            if not link.startswith("http"):
                assert (page.parent / link).exists(), f"{page}: {link}"
