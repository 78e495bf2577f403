"""adhominem case and reproduce, as a user meets them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


Run = Callable[..., Any]


@pytest.fixture
def folder(tmp_path: Path, samples: tuple[str, str]) -> Path:
    texts = tmp_path / "texts"
    (texts / "smith").mkdir(parents=True)
    (texts / "note.txt").write_text(samples[0])
    (texts / "smith" / "letter.txt").write_text(samples[1])
    words = samples[1].split()
    turned = [word for pair in zip(words[1::2], words[0::2], strict=False) for word in pair]
    (texts / "smith" / "<i>card.txt").write_text(" ".join(turned))  # no copy of the letter
    (texts / "short.txt").write_text("Too \x1b[31mshort.")
    (texts / ".hidden").write_text("not looked at")
    return texts


def test_in_words(run: Run, folder: Path) -> None:
    done = run("case", folder, "--questioned", "note.txt")
    assert done.code == 0
    assert "4 texts, 6 pairs" in done.out
    assert "  1  note.txt, smith/<i>card.txt, smith/letter.txt" in done.out
    assert "Alone: short.txt" in done.out
    assert "short.txt: the text has" in done.out
    assert "Most probable: smith, if one of them was the author with 50% beforehand" in done.out
    assert "note.txt: 187 tokens read" in done.out
    assert done.out.count("Errors on texts like these: ") == 2  # of the case and of the ranking


def test_as_json_and_as_a_page(run: Run, folder: Path, tmp_path: Path) -> None:
    content = json.loads(run("case", folder, "--json").out)
    assert content["names"] == ["note.txt", "short.txt", "smith/<i>card.txt", "smith/letter.txt"]
    assert content["authors"] == [None, None, "smith", "smith"]
    assert content["ranking"] is None
    data, page = tmp_path / "case.json", tmp_path / "case.html"
    assert run("case", folder, "-o", data).out.strip() == str(data)
    assert json.loads(data.read_text()) == content
    assert run("case", folder, "-o", page, "--questioned", "note.txt").code == 0
    assert "smith/&lt;i&gt;card.txt" in page.read_text()
    assert "Who wrote “<bdi>note.txt</bdi>”?" in page.read_text()
    assert "Errors and limits" in page.read_text() and "test pairs like these" in page.read_text()
    assert all(sha256 in page.read_text() for sha256 in content["hashes"])
    titled = tmp_path / "titled.html"
    assert run("case", folder, "-o", titled, "--title", "A <b>", "--case", "17/26").code == 0
    assert "A &lt;b&gt;" in titled.read_text() and "17/26" in titled.read_text()
    again = run("case", folder, "-o", page)
    assert again.code == 1 and "exists already" in again.err


def test_a_bundle_is_reproduced(run: Run, folder: Path, tmp_path: Path) -> None:
    bundle = tmp_path / "case.zip"
    assert run("case", folder, "--questioned", "note.txt", "-o", bundle).code == 0
    done = run("reproduce", bundle)
    assert done.code == 0
    assert done.out.startswith("The same: all ")
    report = json.loads(run("reproduce", bundle, "--json").out)
    assert report["same"] and report["exact"] == report["numbers"]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["case", "nowhere"], "nowhere is not a folder"),
        (["case", "one"], "a case has 2 to 5,000 texts, this one has 1"),
        (["case", "two", "--questioned", "c"], "no text is named 'c'"),
        (["reproduce", "nowhere.zip"], "cannot be read"),
        (["reproduce", "one/a.txt"], "not a case bundle"),
    ],
)
def test_errors_are_one_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], problem: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("one/a.txt", "two/a.txt", "two/b.txt"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text("text")
    done = run(*arguments)
    assert done.code == 1
    assert problem in done.err
    assert done.err.count("\n") == 1


def test_all_pairs_go_to_a_file(run: Run, folder: Path, tmp_path: Path) -> None:
    path, page = tmp_path / "pairs.jsonl", tmp_path / "case.html"
    assert run("case", folder, "--pairs", path, "-o", page).code == 0
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(rows) == 6 and page.exists()
    assert (rows[1]["left"], rows[1]["right"]) == ("note.txt", "smith/<i>card.txt")
    assert {row["verdict"] for row in rows if "short.txt" in row.values()} == {"undecided"}
    again = run("case", folder, "--pairs", path)
    assert again.code == 1 and "exists already" in again.err


def test_other_forms_are_wrong_usage(run: Run, folder: Path) -> None:
    assert run("case", folder, "-o", "case.odt").code == 2
    assert run("case", folder, "--pairs", "pairs.csv").code == 2


@pytest.mark.parametrize("verb", ["case", "explain"])
def test_a_bundle_with_reference_texts_is_wrong_usage(
    run: Run, folder: Path, verb: str, tmp_path: Path
) -> None:
    texts = [str(folder)] if verb == "case" else ["demo/left.txt", "demo/right.txt"]
    bundle = tmp_path / "case.zip"
    done = run(verb, *texts, "--reference", folder, "-o", bundle)
    assert done.code == 2
    assert "holds no reference texts" in " ".join(done.err.replace("│", " ").split())
    assert not bundle.exists()
