"""A bundle's question asked again, and its numbers compared with the new ones.

How a case is drawn (the order of its leaves, the merges, the map) is not compared: there texts that
are equally near may change places.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from adhominem import __version__
from adhominem.bench.case.as_json import case_dict
from adhominem.bench.case.bundle import CASE, Bundle
from adhominem.bench.case.study import study
from adhominem.errors import InputError, ModelError
from adhominem.instrument.evidence.matrix import Progress, quiet
from adhominem.instrument.report.as_json import decision_dict
from adhominem.instrument.verifier import Verifier

TOLERANCE = 1e-6
_DRAWING = ("order", "merges", "map", "neutral")


@dataclass(frozen=True, slots=True)
class Difference:
    """`place` as in llr[3][7]."""

    place: str
    before: Any
    now: Any


@dataclass(frozen=True, slots=True)
class Reproduction:
    """numbers       that were compared
    exact         of them equal to the last digit; the others are within TOLERANCE
    differences   in numbers, words or what there is at all
    version       of the package that made the bundle, where it is another than this
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
    if bundle.kind == CASE:
        result = study(verifier, bundle.texts, bundle.questioned, progress, genre=bundle.genre)
        found = case_dict(result)
    else:
        left, right = bundle.side("left"), bundle.side("right")
        if not left or not right:
            raise InputError("the bundle of a pair lacks a side: ask for it again")
        found = decision_dict(verifier.verify(left, right, genre=bundle.genre))
    before, now = _compared(bundle.results), _compared(json.loads(json.dumps(found)))
    numbers = [(a, b) for _, a, b in _leaves("", before, now) if _is_number(a) and _is_number(b)]
    return Reproduction(
        len(numbers),
        sum(a == b for a, b in numbers),
        tuple(Difference(*leaf) for leaf in _leaves("", before, now) if not _same(*leaf[1:])),
        bundle.version if bundle.version != __version__ else None,
    )


def _check_model(bundle: Bundle, verifier: Verifier) -> None:
    made, found = bundle.model, verifier.identity
    if made is None:
        raise ModelError("the bundle was made with a model that was never saved: ask for another")
    if found is None or found.sha256 != made.sha256:
        this = "one that was never saved" if found is None else f"{found.sha256[:12]}..."
        raise ModelError(
            f"the bundle was made with the model {made.name!r:.60}, sha256 {made.sha256[:12]}..., "
            f"this is {this}: name that model with --model"
        )


def _compared(results: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in results.items() if name not in _DRAWING}


_ABSENT = "(nothing)"


def _leaves(place: str, one: Any, other: Any) -> Iterator[tuple[str, Any, Any]]:
    """What stands at each place in both; whatever has no counterpart is one leaf."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in sorted(one.keys() | other.keys()):
            yield from _leaves(
                f"{place}.{name}".lstrip("."), one.get(name, _ABSENT), other.get(name, _ABSENT)
            )
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, (a, b) in enumerate(zip(one, other, strict=True)):
            yield from _leaves(f"{place}[{number}]", a, b)
    else:
        yield place, one, other


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _same(one: Any, other: Any) -> bool:
    if _is_number(one) and _is_number(other):
        return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return bool(one == other)
