"""How a verifier does on files of labelled pairs when one side is edited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from adhominem.instrument.verifier import Verifier
from adhominem.laboratory.evaluation.answers import collect
from adhominem.laboratory.evaluation.measures import error_rate
from adhominem.laboratory.evaluation.on_pairs import Progress, describe_source, read_labelled
from adhominem.laboratory.evaluation.robustness import measure_robustness
from adhominem.records import Pair


def measure_robustness_files(
    verifier: Verifier,
    paths: Sequence[Path],
    *,
    most: int | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Of each file, ready for JSON; at most so many of its pairs, evenly spread."""
    read = [_spread(read_labelled(path), most) for path in paths]
    sources = [describe_source(verifier, path) for path in paths]
    files = [
        {
            **source["pairs_file"],
            **_errors(verifier, pairs),
            "edits": [
                asdict(row) for row in measure_robustness(verifier, pairs, progress=progress)
            ],
        }
        for source, pairs in zip(sources, read, strict=True)
    ]
    return {"model": sources[0]["model"], "files": files}


def _spread(pairs: list[Pair], most: int | None) -> list[Pair]:
    if most is None or most >= len(pairs):
        return pairs
    return [pairs[i * len(pairs) // most] for i in range(most)]


def _errors(verifier: Verifier, pairs: Sequence[Pair]) -> dict[str, Any]:
    """Unedited, of all pairs and of those by one author and by two."""
    said = collect(pairs, verifier.decide(pairs))
    parts = {"same_author": said.same_author, "different_authors": ~said.same_author}
    by_truth = {
        name: error_rate(said.score[chosen], said.same_author[chosen]) if chosen.any() else None
        for name, chosen in parts.items()
    }
    return {
        "pairs": len(pairs),
        "error": error_rate(said.score, said.same_author),
        "error_by_truth": by_truth,
        "undecided": int(np.sum(said.undecided)),
    }
