"""What the benchmarks measured is fast enough (`benchmarks/case.py`, `benchmarks/search.py`)."""

from __future__ import annotations

import json
from pathlib import Path

from adhominem.instrument.model_folder import load
from adhominem.instrument.neural import NeuralVerifier
from adhominem.records import Document

RESULTS = Path(__file__).parents[3] / "results"


def test_a_case_of_500_texts_takes_less_than_a_minute() -> None:
    found = json.loads((RESULTS / "benchmark-case.json").read_text())
    assert (found["texts"], found["pairs"]) == (500, 124_750)
    assert found["seconds"] < 60


def test_a_hundred_thousand_candidates_are_searched_in_a_second() -> None:
    """Measured with vectors as wide as those of the shipped model, its views among them."""
    found = json.loads((RESULTS / "benchmark-search.json").read_text())
    verifier = load()
    assert isinstance(verifier, NeuralVerifier)
    vector = verifier.read_side([Document("a text")]).vector
    assert (found["candidates"], found["width"]) == (100_000, len(vector))
    assert found["search_seconds"]["worst"] < 1
