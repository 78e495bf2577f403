"""How a verifier does when one side of every pair is edited, one kind of edit at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from adhominem.instrument.linguistics.rewrites import KINDS, Edit, find_edits, rewrite
from adhominem.instrument.verifier import Verifier
from adhominem.laboratory.evaluation.answers import Answers, collect
from adhominem.laboratory.evaluation.measures import error_rate
from adhominem.records import Document, Pair

ALL = "all"
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Robustness:
    """Of one kind of edit, made everywhere on the left side.

    edited             pairs that it changed at all
    edits              mean number of edits in these
    error_before       of all pairs, unedited ...
    error              ... and edited
    moved              share of the edited pairs whose verdict became another
    same, different    mean change of log10 LR of the edited pairs of one author and of two; None
                       where there are none
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


def measure_robustness(
    verifier: Verifier, pairs: Sequence[Pair], *, progress: Progress | None = None
) -> tuple[Robustness, ...]:
    """One row for each kind of edit and one for all together."""
    found = [[find_edits(document.text) for document in pair.left] for pair in pairs]
    before = collect(pairs, verifier.decide(pairs))
    rows = []
    for number, kind in enumerate((*KINDS, ALL), 1):
        rows.append(_measure(verifier, pairs, found, before, kind))
        if progress:
            progress(number, len(KINDS) + 1)
    return tuple(rows)


def _measure(
    verifier: Verifier,
    pairs: Sequence[Pair],
    found: Sequence[Sequence[tuple[Edit, ...]]],
    before: Answers,
    kind: str,
) -> Robustness:
    chosen = [[_of_kind(edits, kind) for edits in pair] for pair in found]
    counts = np.array([sum(map(len, pair)) for pair in chosen])
    touched = np.flatnonzero(counts)
    edited = [_edited(pairs[i], chosen[i]) for i in touched.tolist()]
    after = collect(edited, verifier.decide(edited)) if edited else before.select(touched)
    score = before.score.copy()
    score[touched] = after.score
    change = after.llr - before.llr[touched]
    verdicts = [_verdicts(answers) for answers in (after, before.select(touched))]
    same = before.same_author[touched]
    return Robustness(
        kind=kind,
        pairs=len(pairs),
        edited=len(touched),
        edits=_mean(counts[touched]) or 0.0,
        error_before=error_rate(before.score, before.same_author),
        error=error_rate(score, before.same_author),
        moved=_mean(verdicts[0] != verdicts[1]) or 0.0,
        same=_mean(change[same]),
        different=_mean(change[~same]),
    )


def _of_kind(edits: Sequence[Edit], kind: str) -> list[Edit]:
    return [edit for edit in edits if kind in (ALL, edit.kind)]


def _edited(pair: Pair, edits: Sequence[Sequence[Edit]]) -> Pair:
    left: list[Document] = [
        replace(document, text=rewrite(document.text, some).text)
        for document, some in zip(pair.left, edits, strict=True)
    ]
    return replace(pair, left=tuple(left))


def _verdicts(answers: Answers) -> npt.NDArray[np.int64]:
    """1 for one author, -1 for two, 0 for undecided."""
    return np.where(answers.undecided, 0, np.where(answers.score > 0.5, 1, -1))


def _mean(values: npt.NDArray[Any]) -> float | None:
    return float(np.mean(values)) if len(values) else None
