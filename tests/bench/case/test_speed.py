"""What the benchmarks measured is fast enough (`benchmarks/case.py`, `benchmarks/search.py`)."""

from __future__ import annotations

import json
from pathlib import Path

from adhominem.bench.case.texts import MAX_TEXTS
from adhominem.instrument.model_folder import load
from adhominem.instrument.neural import NeuralVerifier
from adhominem.records import Document

RESULTS = Path(__file__).parents[3] / "results"


def test_a_case_of_500_texts_takes_less_than_a_minute() -> None:
    found = json.loads((RESULTS / "benchmark-case.json").read_text())
    assert (found["texts"], found["pairs"]) == (500, 124_750)
    assert found["seconds"] < 60


def test_a_case_of_5000_texts_fits_in_memory() -> None:
    """The page stays small, and a larger case takes memory in proportion to its pairs at most."""
    growth = json.loads((RESULTS / "benchmark-case.json").read_text())["growth"]
    assert [row["texts"] for row in growth] == [250, 500, 1_000, 2_000, MAX_TEXTS]
    assert growth[-1]["pairs"] == 12_497_500
    assert max(row["peak_megabytes"]["written"] for row in growth) < 1_500
    assert max(row["file_megabytes"]["html"] for row in growth) < 2


def test_a_million_candidates_are_searched_in_seconds() -> None:
    """Measured with vectors as wide as those of the shipped model, its views among them, in memory
    that is small beside the index, and as exactly as promised."""
    found = json.loads((RESULTS / "benchmark-search.json").read_text())
    verifier = load()
    assert isinstance(verifier, NeuralVerifier)
    vector = verifier.read_side([Document("a text")]).vector
    assert (found["candidates"], found["width"]) == (1_000_000, len(vector))
    assert found["core_seconds"] < 30
    added = found["peak_megabytes"]["searching"] - found["peak_megabytes"]["before_opening"]
    assert added < found["megabytes_on_disk"] / 10
    assert found["exactness"]["largest_llr_error"] < 0.01


def test_many_texts_are_indexed_in_flat_memory() -> None:
    found = json.loads((RESULTS / "benchmark-indexing.json").read_text())
    memory = found["megabytes_by_tenth_of_the_time"][2:]
    assert found["shards"] > 1 and max(memory) < 1.5 * min(memory)
    assert found["killed"]["same_bytes"] and found["killed"]["shards_done"] > 0
    assert json.loads((RESULTS / "cluster.json").read_text())["same_bytes"]
