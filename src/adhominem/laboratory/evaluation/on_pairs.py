"""A verifier on a file of labelled pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from adhominem.errors import InputError
from adhominem.files import sha256
from adhominem.instrument.pair_files import BadLine, open_lines, read_pairs
from adhominem.instrument.verifier import Verifier
from adhominem.laboratory.evaluation.answers import Answers, collect
from adhominem.laboratory.evaluation.evaluate import evaluate, without_nan
from adhominem.laboratory.evaluation.intervals import intervals_of
from adhominem.records import Decision, Pair

Progress = Callable[[int, int], None]
_BLOCK = 1000


def read_labelled(path: Path) -> list[Pair]:
    with open_lines(path) as lines:
        items = list(read_pairs(lines, str(path)))
    for item in items:
        if isinstance(item, BadLine):
            raise InputError(f"{path}: {item.error}; evaluation needs every line")
    return [item for item in items if isinstance(item, Pair)]


def judge(
    verifier: Verifier, pairs: Sequence[Pair], *, progress: Progress | None = None
) -> Answers:
    """In blocks, so that a bar can move."""
    decisions: list[Decision] = []
    for start in range(0, len(pairs), _BLOCK):
        decisions += verifier.decide(pairs[start : start + _BLOCK])
        if progress:
            progress(len(decisions), len(pairs))
    return collect(pairs, decisions)


def describe_source(verifier: Verifier, path: Path) -> dict[str, Any]:
    """What figures were measured with and on."""
    model = verifier.identity
    return {
        "model": {"name": model.name, "version": model.version, "sha256": model.sha256}
        if model
        else None,
        "pairs_file": {"name": path.name, "sha256": sha256(path)},
    }


def evaluate_file(
    verifier: Verifier, path: Path, *, progress: Progress | None = None
) -> dict[str, Any]:
    """The figures, with what they were measured on."""
    answers = judge(verifier, read_labelled(path), progress=progress)
    return {**describe_source(verifier, path), **evaluate_with_intervals(answers)}


def evaluate_with_intervals(answers: Answers) -> dict[str, Any]:
    report: dict[str, Any] = without_nan({**evaluate(answers), "intervals": intervals_of(answers)})
    return report
