"""results/ is what was measured: with which code, with which model, and from which scores."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from networks import describe

from adhominem.files import sha256
from adhominem.instrument.model_folder import DEFAULT, describe_model, shipped_models
from adhominem.laboratory.evaluation.answer_files import read_score_table
from adhominem.laboratory.evaluation.evaluate import compare_methods, evaluate

RESULTS = Path(__file__).parents[1] / "results"
FEW = 1000  # pairs of a table that is made again with its intervals
# Files that name another model than the shipped one; the pages that show them say which.
OTHER_MODELS = {
    "adaptation-blogs": "the paper's recipe on hotel reviews",
    "adaptation-imdb": "the paper's recipe on hotel reviews",
    "second-opinion": "the network of version 4",
    "stability": "networks of the folds of hotel reviews",
    "stability-seeds": "networks of one fold of hotel reviews and two seeds",
}
# Files without a model of their own, by what they hold.
WITHOUT_MODEL = {
    "scores of methods trained for the file": (
        "blogs-table glad-pan hotels-seed-2-table hotels-seed-3-table hotels-table hotels-test "
        "hrsn-test koppel-winter networks pan14-essays-table pan14-novels-table pan15-table "
        "pan20 reddit-table"
    ),
    "training, and runs that were not kept": (
        "hotels-attempts hotels-training kinds-attempts shipped-attempts shipped-training "
        "table-training training-curves training-profile training-step-h200 transformer-pupil "
        "transformer-teacher"
    ),
    "times and sizes": (
        "benchmark-batch benchmark-case benchmark-corpus benchmark-encoding benchmark-explaining "
        "benchmark-indexing benchmark-search benchmark-serving benchmark-training-step "
        "benchmark-verifiers house"
    ),
    "texts, and tests of the code": (
        "accessibility broken-lines cluster corpus-amazon corpus-hotels detector-precision faults "
        "fuzz language machines mutation workbench_accessibility"
    ),
}
REPORTS: dict[str, Any] = {
    path.stem: json.loads(path.read_text(encoding="utf-8"))
    for path in sorted(RESULTS.glob("*.json"))
    if path.stem != "index"
}
SCORES = sorted(path.stem for path in RESULTS.glob("*.parquet"))


def test_every_file_names_the_code_that_wrote_it() -> None:
    index = json.loads((RESULTS / "index.json").read_text(encoding="utf-8"))
    files = {path.name: path for path in RESULTS.iterdir() if path.name != "index.json"}
    assert set(index) == set(files), "run `make docs`"
    for name, path in files.items():
        assert index[name]["sha256"] == sha256(path), f"{name} has changed: run `make docs`"
        assert len(index[name]["code"]) == 40


def test_every_model_is_the_shipped_one_or_known_to_be_another() -> None:
    shipped = describe_model(shipped_models()[DEFAULT])[0]["sha256"]
    named = {
        name: report["model"]["sha256"] if isinstance(report["model"], dict) else report["model"]
        for name, report in REPORTS.items()
        if isinstance(report, dict) and "model" in report
    }
    others = {name for name, model in named.items() if model != shipped}
    assert others == set(OTHER_MODELS), "measure again with the shipped model"
    without = [name for names in WITHOUT_MODEL.values() for name in names.split()]
    assert len(without) == len(set(without))
    assert REPORTS.keys() - named.keys() == set(without), "name the model that was measured"


@pytest.mark.parametrize("name", SCORES)
def test_tables_are_those_of_the_stored_scores(name: str) -> None:
    """`make tables` would change nothing. Intervals of large tables take long and are left out."""
    scores, table = read_score_table(RESULTS / f"{name}.parquet"), REPORTS[f"{name}-table"]
    assert table["pairs"] == len(next(iter(scores.values())))
    if table["pairs"] <= FEW:
        check_same(compare_methods(scores), table)
    assert set(table["methods"]) == set(scores)
    for method, answers in scores.items():
        stored = table["methods"][method]
        check_same(evaluate(answers), {k: v for k, v in stored.items() if k not in _RESAMPLED})


def test_the_networks_are_compared_by_the_stored_scores() -> None:
    check_same(
        describe("reddit", REPORTS["table-training"]["reddit"]), REPORTS["networks"]["reddit"]
    )
    for name, row in REPORTS["networks"].items():
        for method, error in row["error"].items():
            assert error == REPORTS[f"{name}-table"]["methods"][method]["error"]


_RESAMPLED = ("intervals", "folds")


def check_same(found: Any, stored: Any, where: str = "") -> None:
    """Equal but for the last digits, in which machines and stored scores differ."""
    if isinstance(stored, dict):
        assert found.keys() == stored.keys(), where
        for key, value in stored.items():
            check_same(found[key], value, f"{where}/{key}")
    elif isinstance(stored, list):
        assert len(found) == len(stored), where
        for number, value in enumerate(stored):
            check_same(found[number], value, f"{where}/{number}")
    elif isinstance(stored, float):
        assert found == pytest.approx(stored, rel=1e-7, abs=1e-7), where
    else:
        assert found == stored, where
