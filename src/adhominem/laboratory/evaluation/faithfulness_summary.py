"""How faithful the explanations of a model were in a test, and what it quotes of that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import numpy.typing as npt

from adhominem.laboratory.evaluation.faithfulness import (
    METHODS,
    RANDOM,
    RANKINGS,
    REMOVALS,
    SIGNED,
    Key,
)
from adhominem.laboratory.evaluation.intervals import draw_weights, interval_of
from adhominem.records import Faithfulness, Pair

Floats = npt.NDArray[np.float64]


def summarise(
    pairs: Sequence[Pair], found: Sequence[Mapping[Key, float]], *, seed: int = 0
) -> dict[str, Any]:
    """Means over the pairs with intervals by drawing authors, ready for JSON. Comprehensiveness
    stands beside its ratio to random, sufficiency beside its difference."""
    means = _Means(pairs, found, seed)
    return {
        "pairs": len(pairs),
        "evidence": means.mean(("evidence", "", "")),
        "comprehensiveness": {
            removal: {
                ranking: means.mean(key)
                | {
                    "to_random": means.ratio(key, _random(key)),
                    "above_random": means.difference(key, _random(key)),
                }
                for key, ranking in _keys("comprehensiveness", RANKINGS, removal)
            }
            for removal in REMOVALS
        },
        "sufficiency": {
            removal: {
                ranking: means.mean(key) | {"above_random": means.difference(key, _random(key))}
                for key, ranking in _keys("sufficiency", RANKINGS, removal)
            }
            for removal in REMOVALS
        },
        "accounted": {
            removal: {
                ranking: means.ratio(key, ("evidence", "", ""))
                for key, ranking in _keys("accounted", RANKINGS, removal)
            }
            for removal in REMOVALS
        },
        **{
            name.replace(" ", "_"): {
                removal: {method: means.mean(key) for key, method in _keys(name, SIGNED, removal)}
                for removal in REMOVALS
            }
            for name in ("sign agreement", "group agreement")
        },
        "sanity": {ranking: means.mean(key) for key, ranking in _keys("sanity", RANKINGS[:-1], "")},
    }


def table_of(summary: Mapping[str, Any]) -> tuple[Faithfulness, ...]:
    """What a model quotes: for every method the removal with which it gains least over random."""
    rows = []
    for method in METHODS:
        by_removal = {r: summary["comprehensiveness"][r] for r in REMOVALS}
        removal = min(REMOVALS, key=lambda r: by_removal[r][method]["above_random"]["value"])
        own = by_removal[removal][method]
        agreement = summary["sign_agreement"]
        rows.append(
            Faithfulness(
                method=method,
                pairs=summary["pairs"],
                removal=removal,
                taken=own["value"],
                random=by_removal[removal][RANDOM]["value"],
                low=own["above_random"]["low"],
                high=own["above_random"]["high"],
                agreement=min(agreement[r][method]["value"] for r in REMOVALS)
                if method in SIGNED
                else None,
            )
        )
    return tuple(rows)


def _keys(measure: str, names: Sequence[str], removal: str) -> Iterator[tuple[Key, str]]:
    return (((measure, name, removal), name) for name in names)


def _random(key: Key) -> Key:
    return key[0], RANDOM, key[2]


class _Means:
    """Means under shared draws of authors, so that rankings are compared pair by pair."""

    def __init__(
        self, pairs: Sequence[Pair], found: Sequence[Mapping[Key, float]], seed: int
    ) -> None:
        names = [[side[0].author or "" for side in (pair.left, pair.right)] for pair in pairs]
        authors = np.array(names, dtype=object).reshape(-1, 2)
        weights = np.concatenate([*draw_weights(authors, seed)])
        weights = np.concatenate([np.ones((1, len(pairs))), weights])  # the pairs as they are first
        self._drawn = {
            key: _weighted_mean(np.array([f[key] for f in found]), weights) for key in found[0]
        }

    def mean(self, key: Key) -> dict[str, float]:
        return self._interval(self._drawn[key])

    def ratio(self, key: Key, other: Key) -> dict[str, float]:
        return self._interval(self._drawn[key] / self._drawn[other])

    def difference(self, key: Key, other: Key) -> dict[str, float]:
        return self._interval(self._drawn[key] - self._drawn[other])

    def _interval(self, drawn: Floats) -> dict[str, float]:
        return asdict(interval_of(float(drawn[0]), drawn[1:]))


def _weighted_mean(values: Floats, weights: Floats) -> Floats:
    """Over the pairs that have a value, for every row of weights; NaN where no such pair counts."""
    weights = weights * np.isfinite(values)
    with np.errstate(invalid="ignore"):
        mean: Floats = weights @ np.nan_to_num(values) / weights.sum(axis=1)
    return mean
