"""What if and robustness on the command line, with a small model of its own."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adhominem.instrument.pair_files import write_pairs
from adhominem.laboratory.verifiers.feature_difference import FeatureDifference
from adhominem.records import Pair

ROOT = Path(__file__).parents[2]
LEFT, RIGHT = ROOT / "demo" / "left.txt", ROOT / "demo" / "right.txt"


Run = Callable[..., Any]


@pytest.fixture(scope="module")
def model(
    tmp_path_factory: pytest.TempPathFactory, train_pairs: list[Pair], dev_pairs: list[Pair]
) -> Path:
    folder = tmp_path_factory.mktemp("models") / "small"
    verifier = FeatureDifference().fit(train_pairs, dev_pairs)
    verifier.min_llr = 0.0
    verifier.save(folder, name="small")
    return folder


def test_replace_prints_before_and_after(run: Run, model: Path) -> None:
    given = ("--replace", "&=and", "--replace", "w/=with", "--model", model)
    done = run("whatif", LEFT, RIGHT, *given)
    assert done.code == 0, done.err
    assert "5 edits of the known text" in done.out
    assert "replacement: w/ -> with" in done.out
    told = json.loads(run("whatif", LEFT, RIGHT, *given, "--json").out)
    assert [edit["new"] for edit in told["edits"]] == ["with", "and", "and", "with", "and"]
    assert set(told["before"]) == set(told["after"])


def test_attack_writes_a_page(run: Run, model: Path, tmp_path: Path) -> None:
    page = tmp_path / "whatif.html"
    done = run(
        *("whatif", LEFT, RIGHT, "--attack", "--budget", "3", "--side", "right"),
        *("--model", model, "-o", page),
    )
    assert done.out.strip() == str(page), done.err
    assert page.read_text(encoding="utf-8").count('class="heat"') == 2
    again = run("whatif", LEFT, RIGHT, "--attack", "--model", model, "-o", page)
    assert (again.code, again.err.count("\n")) == (1, 1)


@pytest.mark.parametrize(
    ("given", "code", "words"),
    [
        ((), 2, "either --replace OLD=NEW or --attack"),
        (("--attack", "--replace", "a=b"), 2, "either --replace OLD=NEW or --attack"),
        (("--replace", "nonsense"), 2, "--replace wants OLD=NEW, not 'nonsense'"),
        (("--attack", "-o", "x.pdf"), 2, "must end in .html or .json"),
        (("--attack", "--budget", "0"), 2, "budget"),
        (("--replace", "nonesuch=b"), 1, "'nonesuch' is not in the text"),
    ],
)
def test_wrong_usage(run: Run, model: Path, given: tuple[str, ...], code: int, words: str) -> None:
    done = run("whatif", LEFT, RIGHT, *given, "--model", model)
    assert done.code == code
    assert words in done.err


def test_robustness_of_labelled_pairs(
    run: Run, model: Path, dev_pairs: list[Pair], tmp_path: Path
) -> None:
    pairs, report = tmp_path / "pairs.jsonl.gz", tmp_path / "robustness.json"
    write_pairs(dev_pairs, pairs)
    done = run("model", "robustness", model, pairs, "--most", "10", "-o", report)
    assert done.code == 0, done.err
    assert "| punctuation |" in done.out
    told = json.loads(report.read_text())
    [file] = told["files"]
    assert [row["pairs"] for row in file["edits"]] == [file["pairs"]] * 7 == [10] * 7
    assert {row["error_before"] for row in file["edits"]} == {file["error"]}
    same, different = file["error_by_truth"].values()
    share = sum(dev_pairs[i * len(dev_pairs) // 10].same_author is True for i in range(10)) / 10
    assert file["error"] == pytest.approx(share * same + (1 - share) * different)
    assert file["name"] == "pairs.jsonl.gz"
    assert told["command"] == f"adhominem model robustness {model} {pairs} --most 10"
    assert (
        json.loads(run("model", "robustness", model, pairs, "--most", "10", "--json").out) == told
    )
