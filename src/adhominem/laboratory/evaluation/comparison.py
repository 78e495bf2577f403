"""Several methods on the same pairs: figures with intervals, and the differences between them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from adhominem.errors import InputError
from adhominem.laboratory.evaluation.answers import Answers, cells_of
from adhominem.laboratory.evaluation.evaluate import evaluate, without_nan
from adhominem.laboratory.evaluation.intervals import difference, draw_values, interval_of
from adhominem.laboratory.evaluation.measures import error_rate


def align(answers: Mapping[str, Answers]) -> dict[str, Answers]:
    """All in the order of the first; the same pairs must be in each."""
    names = list(answers)
    first = answers[names[0]]
    if len(set(first.ids)) != len(first):
        raise InputError(f"{names[0]} answers a pair twice: each id may stand once")
    place = {pair: i for i, pair in enumerate(first.ids)}
    aligned = {names[0]: first}
    for name in names[1:]:
        other = answers[name]
        strange = [pair for pair in other.ids if pair not in place]
        if strange or len(other) != len(first):
            raise InputError(
                f"{names[0]} and {name} do not answer the same pairs ({len(first):,} and "
                f"{len(other):,}"
                + (f"; '{strange[0]}' is in one of them alone)" if strange else ")")
                + ": compare files made from one file of pairs"
            )
        order = np.argsort([place[pair] for pair in other.ids])
        aligned[name] = other.select(order)
        if (aligned[name].same_author != first.same_author).any():
            raise InputError(f"{names[0]} and {name} disagree on who wrote what: use one truth")
    return aligned


def compare_methods(answers: Mapping[str, Answers], *, seed: int = 0) -> dict[str, Any]:
    """Figures of every method, best first, and each one's difference to the best."""
    aligned = align(answers)
    drawn = draw_values(aligned, seed=seed)
    rows = {}
    for name, said in aligned.items():
        rows[name] = {
            **evaluate(said),
            "intervals": {key: asdict(interval_of(*values)) for key, values in drawn[name].items()},
        }
        if folds := _by_fold(said):
            rows[name]["folds"] = folds
    order = sorted(rows, key=lambda name: (rows[name]["error"], name))
    best = order[0]
    differences = {
        name: asdict(
            difference(
                aligned[name],
                aligned[best],
                drawn[name]["error"],
                drawn[best]["error"],
                seed=seed,
            )
        )
        for name in order[1:]
    }
    first = aligned[best]
    found: dict[str, Any] = {
        "pairs": len(first),
        "cells": {name: int(chosen.sum()) for name, chosen in cells_of(first).items()},
        "methods": {name: rows[name] for name in order},
        "difference_to_best": differences,
    }
    plain: dict[str, Any] = without_nan(found)
    return plain


def _by_fold(answers: Answers) -> dict[str, Any] | None:
    """Error of each turn of a cross-validation, whose number is in the ids of its pairs."""
    found = [re.match(r"fold-(\d+)-", str(pair)) for pair in answers.ids]
    if not all(found):
        return None
    fold = np.array([int(match[1]) for match in found if match])
    errors = [
        error_rate(answers.score[fold == k], answers.same_author[fold == k])
        for k in np.unique(fold)
    ]
    deviation = float(np.std(errors, ddof=1)) if len(errors) > 1 else 0.0
    return {"error": errors, "mean": float(np.mean(errors)), "deviation": deviation}
