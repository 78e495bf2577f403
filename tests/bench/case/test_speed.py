"""What the benchmarks measured is fast enough (`benchmarks/case.py`, `benchmarks/search.py`)."""

from __future__ import annotations

import json
from pathlib import Path

RESULTS = Path(__file__).parents[3] / "results"


def test_a_case_of_500_texts_takes_less_than_a_minute() -> None:
    found = json.loads((RESULTS / "benchmark-case.json").read_text())
    assert (found["texts"], found["pairs"]) == (500, 124_750)
    assert found["seconds"] < 60


def test_a_million_candidates_are_searched_in_seconds() -> None:
    found = json.loads((RESULTS / "benchmark-search.json").read_text())
    assert found["candidates"] == 1_000_000
    assert found["search_seconds"]["worst"] < 5
