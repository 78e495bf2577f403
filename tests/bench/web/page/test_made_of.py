"""What the page is made of: nothing inline, nothing from outside, nothing put in as markup."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from adhominem.instrument.report.palette import DARK, LIGHT, Palette

PAGE = Path(__file__).parents[4] / "src" / "adhominem" / "bench" / "web" / "page"
SCRIPTS = sorted((PAGE / "static").glob("*.js"))
TEMPLATES = sorted((PAGE / "templates").glob("*.jinja"))
SHEETS = sorted((PAGE / "static").glob("*.css"))
RESULT = Path(__file__).parents[4] / "results" / "workbench_accessibility.json"


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_nothing_is_inline(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", text)
    assert not re.search(r"<script(?![^>]*\ssrc=)", text)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_no_script_makes_markup_or_code_of_a_text(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|srcdoc", text
    )
    assert not re.search(r"setAttribute\(\s*[\"'](style|on)", text)
    # HTML comes from the server alone, which escapes every text in it.
    assert text.count("DOMParser") == (path.name == "dom.js")
    assert len(text.splitlines()) < 300


def test_nothing_comes_from_outside() -> None:
    for path in (*SCRIPTS, *TEMPLATES, *SHEETS):
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?:|//\w+\.\w|@import|url\(", text), path


def test_no_address_begins_at_the_root_of_the_host() -> None:
    """The page works below any path of a proxy."""
    for path in TEMPLATES:
        assert not re.search(r"(?:href|src)=\"/", path.read_text(encoding="utf-8")), path
    for path in SCRIPTS:
        text = path.read_text(encoding="utf-8")
        assert text.count("fetch(") == text.count("fetch(`.${path}`") == (path.name == "api.js")


def test_every_script_and_sheet_is_used() -> None:
    index = (PAGE / "templates" / "index.html.jinja").read_text(encoding="utf-8")
    wanted = {"main.js", "theme.js"}
    for path in SCRIPTS:
        text = path.read_text(encoding="utf-8")
        wanted |= set(re.findall(r"(?:from|import\()\s*\"\./([\w.]+)\"", text))
    assert wanted == {path.name for path in SCRIPTS}
    assert {path.stem for path in SHEETS} <= set(re.findall(r'"(\w+)"', index))


@pytest.mark.parametrize(("palette", "times"), [(LIGHT, 1), (DARK, 2)], ids=["light", "dark"])
def test_the_colours_are_those_of_the_report(palette: Palette, times: int) -> None:
    sheet = (PAGE / "static" / "colours.css").read_text(encoding="utf-8")
    for name in ("ink", "muted", "paper", "ground", "line", "red", "blue"):
        colour = " ".join(map(str, getattr(palette, name)))
        assert sheet.count(f"--{name}: {colour};") == times, name


def test_the_sample_case_hangs_together() -> None:
    sample = json.loads((PAGE / "sample" / "sample.json").read_bytes())
    texts = {one["name"]: one for one in sample["case"]}
    assert len(texts) == len(sample["case"]) >= 6
    assert texts[sample["questioned"]]["author"] is None
    assert sample["right"] == [texts[sample["questioned"]]["text"]]
    assert set(sample["left"]) < {one["text"] for one in texts.values()}
    assert len({one["author"] for one in texts.values()} - {None}) == 3
    for one in texts.values():
        assert 120 <= len(one["text"].split()) <= 250


def test_no_barriers_in_any_view_scheme_or_width() -> None:
    """What axe-core found (`benchmarks/workbench_accessibility.py`): nothing serious."""
    checks = json.loads(RESULT.read_bytes())["checks"]
    seen = {(check["state"], check["scheme"], check["width"]) for check in checks}
    states = {state for state, _, _ in seen}
    assert {"first visit", "answer", "signed", "habits", "concordance", "undecided"} <= states
    assert {"what if", "case", "case result", "report", "model", "guide", "error"} <= states
    assert {
        (state, s, w) for state in states for s in ("light", "dark") for w in (1280, 360)
    } <= seen
    for check in checks:
        assert not [one for one in check["findings"] if one["impact"] in ("serious", "critical")]
        assert check["too_wide"] == 0, check["state"]
