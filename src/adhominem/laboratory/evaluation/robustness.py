"""Robustness of a verifier's answers to edits of the left side of each pair.

One kind of edit is made at a time, wherever it is possible, and then all kinds together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from adhominem.arrays import Integers
from adhominem.instrument.linguistics.rewrites import KINDS, Edit, find_edits, rewrite
from adhominem.instrument.verifier import Verifier
from adhominem.laboratory.evaluation.answers import (
    Answers,
    Progress,
    collect,
    join_answers,
    read_labelled,
)
from adhominem.laboratory.evaluation.evaluate import describe_source
from adhominem.laboratory.evaluation.measures import ERROR
from adhominem.records import Pair

ALL = "all"


@dataclass(frozen=True, slots=True)
class Robustness:
    """The effect of one kind of edit.

    edited             number of pairs that it changes
    edits              mean number of edits in these
    error_before       error of all pairs, unedited
    error              error of all pairs, edited
    moved              share of the edited pairs with another verdict
    same, different    mean change of log10 LR over the edited pairs of one author and of two;
                       None if there are none
    """

    kind: str
    pairs: int
    edited: int
    edits: float
    error_before: float
    error: float
    moved: float
    same: float | None
    different: float | None


def measure_robustness_files(
    verifier: Verifier,
    paths: Sequence[Path],
    *,
    most: int | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Robustness on files of labelled pairs, ready for JSON; `most` limits the pairs of each file,
    which are chosen evenly."""
    pairs_of = [_spread(read_labelled(path), most) for path in paths]
    sources = [describe_source(verifier, path) for path in paths]
    files = [
        {
            **source["pairs_file"],
            **_errors(collect(pairs, verifier.decide(pairs))),
            "edits": [
                asdict(row) for row in measure_robustness(verifier, pairs, progress=progress)
            ],
        }
        for source, pairs in zip(sources, pairs_of, strict=True)
    ]
    return {"model": sources[0]["model"], "files": files}


def _spread(pairs: list[Pair], most: int | None) -> list[Pair]:
    if most is None or most >= len(pairs):
        return pairs
    return [pairs[i * len(pairs) // most] for i in range(most)]


def _errors(answers: Answers) -> dict[str, Any]:
    """Errors without edits: of all pairs, of those by one author and of those by two."""
    same = answers.same_author
    parts = {"same_author": answers.select(same), "different_authors": answers.select(~same)}
    return {
        "pairs": len(answers),
        "error": ERROR.of(answers),
        "error_by_truth": {k: ERROR.of(part) if len(part) else None for k, part in parts.items()},
        "undecided": int(np.sum(answers.undecided)),
    }


def measure_robustness(
    verifier: Verifier, pairs: Sequence[Pair], *, progress: Progress | None = None
) -> tuple[Robustness, ...]:
    """One row for each kind of edit and one for all kinds together."""
    edits = [[find_edits(document.text) for document in pair.left] for pair in pairs]
    before = collect(pairs, verifier.decide(pairs))
    rows = []
    for number, kind in enumerate((*KINDS, ALL), 1):
        rows.append(_measure(verifier, pairs, edits, before, kind))
        if progress:
            progress(number, len(KINDS) + 1)
    return tuple(rows)


def _measure(
    verifier: Verifier,
    pairs: Sequence[Pair],
    edits: Sequence[Sequence[tuple[Edit, ...]]],
    before: Answers,
    kind: str,
) -> Robustness:
    chosen = [[[e for e in text if kind in (ALL, e.kind)] for text in pair] for pair in edits]
    counts = np.array([sum(map(len, pair)) for pair in chosen])
    changed, unchanged = np.flatnonzero(counts), np.flatnonzero(counts == 0)
    old = before.select(changed)
    edited = [_edited(pairs[i], chosen[i]) for i in changed.tolist()]
    new = collect(edited, verifier.decide(edited)) if edited else old
    change = new.llr - old.llr
    return Robustness(
        kind=kind,
        pairs=len(pairs),
        edited=len(changed),
        edits=_mean(counts[changed]) or 0.0,
        error_before=ERROR.of(before),
        error=ERROR.of(join_answers([before.select(unchanged), new])),
        moved=_mean(_verdicts(new) != _verdicts(old)) or 0.0,
        same=_mean(change[old.same_author]),
        different=_mean(change[~old.same_author]),
    )


def _edited(pair: Pair, edits: Sequence[Sequence[Edit]]) -> Pair:
    left = [
        replace(document, text=rewrite(document.text, own).text)
        for document, own in zip(pair.left, edits, strict=True)
    ]
    return replace(pair, left=tuple(left))


def _verdicts(answers: Answers) -> Integers:
    """1 for one author, -1 for two, 0 for undecided."""
    return np.where(answers.undecided, 0, np.where(answers.score > 0.5, 1, -1))


def _mean(values: npt.NDArray[Any]) -> float | None:
    return float(np.mean(values)) if len(values) else None
