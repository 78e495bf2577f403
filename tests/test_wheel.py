"""The built package in an environment of its own: base first, then with the bench."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx
import pytest

ROOT = Path(__file__).parents[1]
TEXTS = [str(ROOT / "demo" / name) for name in ("left.txt", "right.txt")]
MOST_MEGABYTES = 450
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


@pytest.fixture(scope="module")
def house() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "benchmarks"))
        yield import_module("house")


@pytest.fixture(scope="module")
def wheel(house: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    built: Path = house.build_wheel(tmp_path_factory.mktemp("wheel"))
    return built


@pytest.fixture(scope="module")
def environment(house: Any, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("environment") / "base"
    house.install(folder, str(wheel))
    return folder


def run(environment: Path, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a program of the environment, outside the repository."""
    return subprocess.run(
        [environment / "bin" / program, *arguments],
        capture_output=True,
        text=True,
        env=CLEAN,
        cwd=environment,
    )


def test_the_base_installation_is_small_and_has_no_torch(house: Any, environment: Path) -> None:
    assert house.describe_environment(environment)["megabytes"] <= MOST_MEGABYTES
    for package in ("torch", "scipy", "sklearn", "pyarrow", "fastapi"):
        missing = run(environment, "python", "-c", f"import {package}")
        assert f"No module named '{package}'" in missing.stderr
    where = run(environment, "python", "-c", "import adhominem; print(adhominem.__file__)")
    assert where.stdout.startswith(str(environment))


def test_the_base_installation_verifies_and_explains(environment: Path, tmp_path: Path) -> None:
    done = run(environment, "adhominem", "verify", *TEXTS, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["verdict"] == "same"
    page = tmp_path / "report.html"
    done = run(environment, "adhominem", "explain", *TEXTS, "-o", str(page))
    assert done.returncode == 0, done.stderr
    assert "Probably the same author" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "package", "extra"),
    [
        (["model", "train", "smoke.toml", "-o", "run"], "torch", "lab"),
        (["corpus", "describe", "corpus"], "pyarrow", "lab"),
        (["serve", "--no-browser"], "uvicorn|fastapi", "bench"),
    ],
)
def test_a_missing_extra_is_one_line(
    environment: Path, arguments: list[str], package: str, extra: str
) -> None:
    done = run(environment, "adhominem", *arguments)
    command = rf'pip install "adhominem\[{extra}\]"'
    assert done.returncode == 1
    assert re.fullmatch(rf"adhominem: ({package}) is not installed: {command}\n", done.stderr)


def test_the_bench_extra_serves_the_page(house: Any, wheel: Path, environment: Path) -> None:
    """Last, because it adds packages to the environment."""
    house.install(environment, f"{wheel}[bench]")
    command = [environment / "bin" / "adhominem", "serve", "--no-browser", "--port", "0"]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env=CLEAN, cwd=environment
    ) as server:
        try:
            assert server.stderr is not None
            printed = server.stderr.readline() + server.stderr.readline()
            assert "http://" in printed, printed
            address = printed.partition("http://")[2].split()[0]
            page = httpx.get(f"http://{address}")
            assert page.is_success
            assert "<title>" in page.text
            left, right = ([Path(text).read_text(encoding="utf-8")] for text in TEXTS)
            answer = httpx.post(
                f"http://{address}api/verify",
                json={"left": left, "right": right},
                headers={"X-Adhominem": "1"},
                timeout=60,
            )
            assert answer.json()["decision"]["verdict"] == "same"
        finally:
            server.terminate()
