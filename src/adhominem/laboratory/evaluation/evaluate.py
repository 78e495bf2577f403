"""All figures of answers to labelled pairs: overall, by cell, by length, and of several methods.

Reports are plain numbers, ready for JSON; None where there is nothing to measure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from adhominem.files import sha256
from adhominem.instrument.verifier import Verifier
from adhominem.laboratory.evaluation.answers import Answers, align, cells_of
from adhominem.laboratory.evaluation.intervals import exchange_p, resample
from adhominem.laboratory.evaluation.measures import AUC, ERROR, MEASURES

BANDS = (0, 50, 100, 150, 200, 300, 500, 1000)  # tokens of the shorter side


def evaluate(answers: Answers, *, intervals: bool = False) -> dict[str, Any]:
    """Every measure over all pairs, with intervals if asked for; error and AUC of parts of them."""
    report: dict[str, Any] = {
        "pairs": len(answers),
        "undecided": int(answers.undecided.sum()),
        **{measure.name: measure.of(answers) for measure in MEASURES},
        "high_reliability": _at_high_reliability(answers),
    }
    if answers.same_topic is not None:
        report["hard_half"] = _brief(answers.select(answers.same_author != answers.same_topic))
    report["cells"] = {
        name: {
            "pairs": len(cell),
            "error": ERROR.of(cell),
            "high_reliability": _at_high_reliability(cell),
        }
        for name, chosen in cells_of(answers).items()
        for cell in [answers.select(chosen)]
    }
    report["bands"] = [
        {"from": low, "to": high, **_brief(band)}
        for low, high, band in bands_of(answers, BANDS)
        if len(band)
    ]
    if intervals:
        resampled = resample({"": answers})[""]
        report["intervals"] = {name: values.as_dict() for name, values in resampled.items()}
    return without_nan(report)


def bands_of(answers: Answers, edges: tuple[int, ...]) -> Iterator[tuple[int, int | None, Answers]]:
    """The length bands: shortest length, first length beyond the band (None for the last band), and
    answers of each."""
    for low, high in zip(edges, [*edges[1:], None], strict=True):
        chosen = answers.tokens >= low
        if high is not None:
            chosen &= answers.tokens < high
        yield low, high, answers.select(chosen)


def compare_methods(answers: Mapping[str, Answers], *, seed: int = 0) -> dict[str, Any]:
    """The figures of every method on the same pairs, lowest error first, with intervals and the
    difference of each method to the best."""
    aligned = align(answers)
    resampled = resample(aligned, seed=seed)
    rows: dict[str, dict[str, Any]] = {}
    for name, own in aligned.items():
        rows[name] = {
            **evaluate(own),
            "intervals": {key: values.as_dict() for key, values in resampled[name].items()},
        }
        if folds := _by_fold(own):
            rows[name]["folds"] = folds
    direction = -1 if ERROR.larger_is_better else 1
    order = sorted(rows, key=lambda name: (direction * rows[name][ERROR.name], name))
    best = order[0]
    differences = {
        name: {
            **resampled[name][ERROR.name].minus(resampled[best][ERROR.name]).as_dict(),
            "p": exchange_p(aligned[name], aligned[best], seed=seed),
        }
        for name in order[1:]
    }
    return without_nan(
        {
            "pairs": len(aligned[best]),
            "cells": {name: int(cell.sum()) for name, cell in cells_of(aligned[best]).items()},
            "methods": {name: rows[name] for name in order},
            "difference_to_best": differences,
        }
    )


def describe_model(verifier: Verifier) -> dict[str, Any] | None:
    """Name, version and hash of the model; None if it was never saved."""
    return None if verifier.identity is None else asdict(verifier.identity)


def describe_source(verifier: Verifier, path: Path) -> dict[str, Any]:
    """The model and the file of pairs that figures were measured with."""
    return {
        "model": describe_model(verifier),
        "pairs_file": {"name": path.name, "sha256": sha256(path)},
    }


def without_nan(report: dict[str, Any]) -> dict[str, Any]:
    """The report with None for NaN, which JSON does not have."""

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: plain(part) for name, part in value.items()}
        if isinstance(value, list):
            return [plain(part) for part in value]
        return None if isinstance(value, float) and np.isnan(value) else value

    return {name: plain(value) for name, value in report.items()}


def _brief(answers: Answers) -> dict[str, float]:
    return {"pairs": len(answers), **{m.name: m.of(answers) for m in (ERROR, AUC)}}


def _at_high_reliability(answers: Answers) -> dict[str, float]:
    share = float(answers.reliable.sum() / max(len(answers), 1))
    return {"share": share, "error": ERROR.of(answers.select(answers.reliable))}


def _by_fold(answers: Answers) -> dict[str, Any] | None:
    """Error of each fold of a cross-validation, whose number is in the ids of its pairs."""
    matches = [re.match(r"fold-(\d+)-", str(pair)) for pair in answers.ids]
    if not all(matches):
        return None
    fold = np.array([int(match[1]) for match in matches if match])
    errors = [ERROR.of(answers.select(fold == k)) for k in np.unique(fold)]
    deviation = float(np.std(errors, ddof=1)) if len(errors) > 1 else 0.0
    return {"error": errors, "mean": float(np.mean(errors)), "deviation": deviation}
