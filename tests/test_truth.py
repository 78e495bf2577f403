"""The faults of an earlier model: each has figures in results/truth.json and tests that exist."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
REPORT = json.loads((ROOT / "results" / "truth.json").read_text(encoding="utf-8"))
FAULTS: dict[str, dict[str, Any]] = {row["name"]: row for row in REPORT["faults"]}
MOST_WRONG = 0.02  # of the reliable answers
ENOUGH = 50  # answers of which something can be said


def test_all_twelve_are_measured() -> None:
    table = json.loads((ROOT / "experiments" / "truth.json").read_text(encoding="utf-8"))
    assert [row["name"] for row in table["faults"]] == list(FAULTS)
    assert len(FAULTS) == 12
    for row in table["faults"]:
        found = FAULTS[row["name"]]
        assert {key: found[key] for key in row} == row
        assert found["now"] and found["figures"]


@pytest.mark.parametrize("name", sorted({t for row in FAULTS.values() for t in row["tests"]}))
def test_the_tests_that_are_named_exist(name: str) -> None:
    file, _, function = name.partition("::")
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    assert function in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_quoted_intervals_hold_the_true_error() -> None:
    rows = FAULTS["quoted errors"]["figures"].values()
    assert sum(row["inside"] for row in rows) >= 0.9 * len(rows)


def test_copies_change_nothing() -> None:
    figures = FAULTS["copies"]["figures"]
    assert figures["largest_change"] < 1e-9
    assert figures["if they counted"]["verdicts_moved"] > 0.1 * figures["pairs"]


def test_short_texts_and_many_texts_are_calibrated() -> None:
    """Evidence is better than none from 20 words on, whether the kind is stated or not, and up to
    fifty texts; few of the reliable answers are wrong."""
    short, many = FAULTS["short texts"]["figures"], FAULTS["many texts"]["figures"]["verdicts"]
    assert {row["texts"] for row in many} == {2, 4, 8, 16, 50}
    assert min(row["from"] for row in short) == 20
    assert all(row["cllr"] < 1 for row in (*short, *many))
    stated = json.loads((ROOT / "results" / "kinds.json").read_text())["stated"]["by words"]
    assert stated[0]["from"] == 20 and all(row["cllr"] < 1 for row in stated)
    sure = FAULTS["reliable"]["figures"]
    for verdict in ("same", "different"):
        if sure[verdict] >= ENOUGH:
            assert sure[f"{verdict}_wrong"] <= MOST_WRONG * sure[verdict]


def test_contributions_have_the_sign_of_the_verdict() -> None:
    assert FAULTS["contributions"]["figures"]["sign_of_verdict"] >= 0.95


def test_words_and_sentences_that_are_named_carry_the_verdict() -> None:
    """By edits that no ranking is made by, with intervals that exclude the controls."""
    figures = FAULTS["faithfulness"]["figures"]
    assert figures["exchange"]["above_random"]["low"] > 0
    assert figures["exchange"]["above_matched"]["low"] > 0
    for row in figures["swaps"]:
        assert row["above_random"]["low"] > 0 or row["pairs"] < ENOUGH


def test_a_wrong_kind_is_refused_and_headlines_have_support() -> None:
    stated, heads = FAULTS["stated kind"]["figures"], FAULTS["headlines"]["figures"]
    assert stated["refused"] >= 0.95 * stated["pairs"] and not stated["reliable"]
    assert not heads["headline_without_support"]
    assert heads["at_bound_and_said"] == heads["at_bound"] > 0
