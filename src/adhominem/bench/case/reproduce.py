"""Repeats the comparison of a bundle and compares the results.

The drawing of a case (order of leaves, merges, map) is not compared, because texts at equal
distances may change places.
"""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from adhominem import __version__
from adhominem.bench.case.bundle import CASE, Bundle
from adhominem.bench.case.pairs import Packed, pack
from adhominem.bench.case.study import case_dict, study
from adhominem.errors import InputError, ModelError
from adhominem.instrument.evidence.matrix import Progress, quiet
from adhominem.instrument.report import html
from adhominem.instrument.report.as_json import decision_dict
from adhominem.instrument.verifier import Verifier

TOLERANCE = 1e-6
_NOT_COMPARED = {
    *("order", "merges", "map", "neutral"),  # the drawing
    *("notes", "note_codes"),  # also on files, which a bundle does not hold
    "summary",  # counts of what is compared
}
_ABSENT = "(nothing)"
_MAX_SHOWN = 20  # differences


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between results; `place` is as in llr[3][7]."""

    place: str
    before: Any
    now: Any


@dataclass(frozen=True, slots=True)
class Reproduction:
    """numbers       how many numbers were compared
    exact         how many are equal to the last digit; the others are within TOLERANCE
    differences   numbers or words that differ, and values that only one result has
    version       version of the package that made the bundle; None for this version
    """

    numbers: int
    exact: int
    differences: tuple[Difference, ...]
    version: str | None

    @property
    def is_same(self) -> bool:
        return not self.differences


def reproduce(bundle: Bundle, verifier: Verifier, progress: Progress = quiet) -> Reproduction:
    _check_model(bundle, verifier)
    pairs: Packed | None = None
    if bundle.kind == CASE:
        result = study(verifier, bundle.texts, bundle.questioned, progress, genre=bundle.genre)
        found = case_dict(result)
        pairs = None if bundle.pairs is None else pack(result.evidence)
    else:
        left, right = bundle.side("left"), bundle.side("right")
        if not left or not right:
            raise InputError("the bundle of a pair lacks a side: ask for it again")
        found = decision_dict(verifier.verify(left, right, genre=bundle.genre))
    leaves = list(_leaves("", bundle.results, json.loads(json.dumps(found))))
    numbers = [leaf for leaf in leaves if _is_number(leaf.before) and _is_number(leaf.now)]
    n_numbers, n_exact = len(numbers), sum(leaf.before == leaf.now for leaf in numbers)
    differences = [leaf for leaf in leaves if not _same(leaf.before, leaf.now)]
    if pairs is not None and bundle.pairs is not None:
        n_numbers += len(pairs)
        n_exact += int(np.count_nonzero(pairs["llr"] == bundle.pairs["llr"]))
        differences += _pair_differences(bundle.pairs, pairs, len(bundle.texts))
    version = bundle.version if bundle.version != __version__ else None
    return Reproduction(n_numbers, n_exact, tuple(differences), version)


def reproduction_text(done: Mapping[str, Any]) -> str:
    """A Reproduction, as a dictionary, for the terminal."""
    return html.text("reproduction", "adhominem.bench.case", **done, most=_MAX_SHOWN)


def _check_model(bundle: Bundle, verifier: Verifier) -> None:
    made, found = bundle.model, verifier.identity
    if made is None:
        raise ModelError("the bundle was made with a model that was never saved: ask for another")
    if found is None or found.sha256 != made.sha256:
        this = "one that was never saved" if found is None else f"{found.sha256[:12]}..."
        model = f"the model {made.name!r:.60}, sha256 {made.sha256[:12]}..."
        raise ModelError(f"the bundle was made with {model}, not {this}: give it with --model")


def _pair_differences(before: Packed, now: Packed, n: int) -> Iterator[Difference]:
    """For each text its first pair with a later text that differs."""
    is_close = np.isclose(before["llr"], now["llr"], rtol=TOLERANCE, atol=TOLERANCE)
    differs = np.flatnonzero(~is_close | (before["answer"] != now["answer"]))
    ends = np.cumsum(np.arange(n - 1, 0, -1))
    lefts = np.searchsorted(ends, differs, side="right")
    texts, first, times = np.unique(lefts, return_index=True, return_counts=True)
    for i, pair, more in zip(texts.tolist(), differs[first], times - 1, strict=True):
        j = n - int(ends[i] - pair)
        place = f"llr[{i}][{j}]" + (f" and {more:,} more of text {i}" if more else "")
        yield Difference(place, before[pair].tolist(), now[pair].tolist())


def _leaves(place: str, one: Any, other: Any) -> Iterator[Difference]:
    """Yield the values at each place of both results; a value without counterpart is one leaf."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in sorted((one.keys() | other.keys()) - _NOT_COMPARED):
            both = one.get(name, _ABSENT), other.get(name, _ABSENT)
            yield from _leaves(f"{place}.{name}".lstrip("."), *both)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, (a, b) in enumerate(zip(one, other, strict=True)):
            yield from _leaves(f"{place}[{number}]", a, b)
    else:
        yield Difference(place, one, other)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _same(one: Any, other: Any) -> bool:
    if _is_number(one) and _is_number(other):
        return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return bool(one == other)
