"""Do the words that an explanation names carry the decision? Take them away and look.

The evidence of a pair is its log10 LR, counted towards the verdict. A ranking puts the words of
both sides in order; of the first 1, 5, 10, 20 and 50 % of them

    comprehensiveness   is what the evidence loses without them, the more the better
    sufficiency         is what it loses when nothing else is left, the less the better

both as means over the shares (DeYoung et al. 2020) and for each way of taking a word away. Words
with a sign are ranked by magnitude, and with those first that speak most for the verdict. Further,
for each method:

    sign agreement      share of the words whose absence moves the evidence as their sign says
    group agreement     the same of the tenth that pulls the texts together most, taken away as a
                        whole, and of the tenth that pulls them apart
    accounted           the part of the evidence that goes with the twenty words ranked highest
    sanity              rank correlation with the same explanation of a network with random weights,
                        which has learned nothing: the nearer to 0 the better (Adebayo et al. 2018)
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Protocol

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Booleans = npt.NDArray[np.bool_]
Key = tuple[str, str, str]  # measure, ranking, removal

SHARES = (0.01, 0.05, 0.1, 0.2, 0.5)
REMOVALS = ("delete", "unknown")
SIGNED = ("integrated gradients", "occlusion", "gradients and occlusion")
METHODS = ("attention", *SIGNED)
RANDOM = "random"
_MAGNITUDE = ", magnitude"
RANKINGS = ("attention", *(method + _MAGNITUDE for method in SIGNED), *SIGNED, RANDOM)
_DRAWS = 5  # random rankings of each pair
_SHOWN = 20  # words
_TENTH = 0.1


class Dissected(Protocol):
    """A pair taken apart, as `verifiers/effects.py` does it."""

    @property
    def n_words(self) -> int: ...

    def llr(self, kept: Booleans, removal: str) -> Floats:
        """Of each variant, a row of (variants, words)."""

    def weigh(self, method: str) -> Floats:
        """The words by one of METHODS."""

    def effect(self, removal: str) -> Floats:
        """What taking each word away, and no other, takes from log10 LR."""


def measure_pair(
    pair: Dissected, blank: Dissected | None, rng: np.random.Generator
) -> dict[Key, float]:
    """All figures of one pair; `blank` is the same pair before a network with random weights, and
    without it sanity is not a number."""
    whole = float(pair.llr(np.ones((1, pair.n_words), dtype=bool), REMOVALS[0])[0])
    verdict = 1.0 if whole > 0 else -1.0
    weights = {method: pair.weigh(method) for method in METHODS}
    orders = [_order(ranking, weights, verdict) for ranking in RANKINGS[:-1]]
    orders += [rng.permutation(pair.n_words) for _ in range(_DRAWS)]
    variants = np.concatenate([_variants(order) for order in orders])
    found: dict[Key, float] = {("evidence", "", ""): abs(whole)}
    for removal in REMOVALS:
        effect = pair.effect(removal)
        lost = verdict * (whole - pair.llr(variants, removal)).reshape(len(orders), -1)
        for number, ranking in enumerate(RANKINGS):
            own = lost[number:].mean(axis=0) if ranking == RANDOM else lost[number]
            found["comprehensiveness", ranking, removal] = float(own[: len(SHARES)].mean())
            found["sufficiency", ranking, removal] = float(own[len(SHARES) : -1].mean())
            found["accounted", ranking, removal] = float(own[-1])
        for method in SIGNED:
            agrees = np.sign(weights[method]) == np.sign(effect)
            found["sign agreement", method, removal] = float(agrees[effect != 0].mean())
            group = _group_agreement(pair, weights[method], removal, whole)
            found["group agreement", method, removal] = group
    return found | _sanity(weights, blank)


def _sanity(weights: Mapping[str, Floats], blank: Dissected | None) -> dict[Key, float]:
    keys: list[Key] = [("sanity", ranking, "") for ranking in RANKINGS[:-1]]
    if blank is None:
        return dict.fromkeys(keys, math.nan)
    others = {method: blank.weigh(method) for method in METHODS}
    return {
        key: _rank_correlation(*(_values(key[1], w) for w in (weights, others))) for key in keys
    }


def _values(ranking: str, weights: Mapping[str, Floats]) -> Floats:
    values = weights[ranking.removesuffix(_MAGNITUDE)]
    return np.abs(values) if ranking.endswith(_MAGNITUDE) else values


def _order(ranking: str, weights: Mapping[str, Floats], verdict: float) -> npt.NDArray[np.int64]:
    values = _values(ranking, weights)
    return np.argsort(-values * (verdict if ranking in SIGNED else 1), kind="stable")


def _variants(order: npt.NDArray[np.int64]) -> Booleans:
    """The pair without the first words, with these alone (both for all shares), and without those
    that are shown."""
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    first = rank < np.array([[_count(share, len(order))] for share in SHARES])
    return np.concatenate([~first, first, rank[None] >= _SHOWN])


def _group_agreement(pair: Dissected, weights: Floats, removal: str, whole: float) -> float:
    order = np.argsort(-weights, kind="stable")
    size = _count(_TENTH, len(order))
    kept = np.ones((2, len(order)), dtype=bool)
    kept[0, order[:size]] = False
    kept[1, order[-size:]] = False
    lost = whole - pair.llr(kept, removal)
    return float((lost[0] > 0) / 2 + (lost[1] < 0) / 2)


def _count(share: float, n: int) -> int:
    return max(1, round(share * n))


def _rank_correlation(one: Floats, other: Floats) -> float:
    """Spearman's; 0 where one of them does not vary."""
    from scipy.stats import rankdata

    if np.ptp(one) == 0 or np.ptp(other) == 0:
        return 0.0
    return float(np.corrcoef(rankdata(one), rankdata(other))[0, 1])
