"""What was measured of faults, hostile input and planted faults (`make faults fuzz mutation`)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parents[1] / "results"


def stored(name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((RESULTS / f"{name}.json").read_text())
    return content


def test_kills_full_disks_and_flipped_bits_did_no_harm() -> None:
    faults = stored("faults")
    rows = [*faults["kills"].values(), *faults["full_disk"].values(), faults["flips"]]
    assert [problem for row in rows for problem in row["problems"]] == []
    assert faults["killed"] >= 300 and faults["flips"]["total"] >= 2000


def test_hostile_texts_files_and_requests_did_no_harm() -> None:
    fuzz = stored("fuzz")
    assert fuzz["problems"] == []
    assert not any("crashed" in outcomes for outcomes in fuzz["outcomes"].values())
    assert max(fuzz["slowest_seconds"].values()) < 30


def test_planted_faults_are_noticed() -> None:
    mutation = stored("mutation")
    assert mutation["score"] >= 0.85
    assert mutation["mutants"] == mutation["killed"] + mutation["survived"] + mutation["equivalent"]
