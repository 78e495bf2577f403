"""Tests whether the words that an explanation names carry the decision, by removing them.

The evidence of a pair is its log10 LR towards the verdict. A ranking orders the words of both
sides. For the first 1, 5, 10, 20 and 50 % of the words and each way of removing a word

    comprehensiveness   evidence lost when these words are removed; larger is better
    sufficiency         evidence lost when all other words are removed; smaller is better

are means over the shares (DeYoung et al. 2020). Signed weights are ranked by magnitude, and with
the strongest support for the verdict first. Further, for each method:

    sign agreement      share of the words whose removal moves the evidence as their sign says
    group agreement     the same for the tenth of the words that pulls the texts together most,
                        removed together, and for the tenth that pulls them apart most
    accounted           evidence lost when the twenty highest-ranked words are removed
    sanity              rank correlation with the explanation of a network with random weights;
                        nearer to 0 is better (Adebayo et al. 2018)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from adhominem.arrays import Booleans, Floats, Integers
from adhominem.errors import InputError
from adhominem.instrument.explain import word_effects
from adhominem.instrument.explain.word_effects import WordEffects
from adhominem.instrument.feature_verifier import FeatureVerifier, require_features
from adhominem.instrument.network.removal import Removal
from adhominem.instrument.verifier import Verifier
from adhominem.laboratory.evaluation.answers import (
    Progress,
    authors_of,
    draw,
    in_blocks,
    read_labelled,
)
from adhominem.laboratory.evaluation.evaluate import describe_source
from adhominem.laboratory.evaluation.intervals import draw_weights, interval
from adhominem.records import Faithfulness, Pair

Key = tuple[str, str, str]  # measure, ranking, removal

SHARES = (0.01, 0.05, 0.1, 0.2, 0.5)
REMOVALS: tuple[Removal, ...] = ("delete", "unknown")
METHODS = tuple(word_effects.METHODS)
SIGNED = tuple(method for method in METHODS if method != "attention")
RANDOM = "random"
_EVIDENCE = ("evidence", "", "")
_MAGNITUDE = ", magnitude"
RANKINGS = ("attention", *(method + _MAGNITUDE for method in SIGNED), *SIGNED, RANDOM)
_DRAWS = 5  # random rankings of each pair
_SHOWN = 20  # words
_TENTH = 0.1
_SANITY = 4  # one pair in so many is also explained with random weights


def measure_faithfulness(
    verifier: Verifier,
    paths: Sequence[Path],
    *,
    most: int = 200,
    seed: int = 1,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Figures over at most `most` pairs of each file: all together and by file, ready for JSON."""
    network = require_features(
        verifier, "the explanations of a {kind} model cannot be tested: give one of a network"
    )
    parts = [draw(read_labelled(path), most, seed=seed) for path in paths]
    if not all(parts):
        raise InputError("there are no pairs: at least one is needed")
    pairs = [pair for part in parts for pair in part]
    measured = [measure_pairs(network, part, seed=seed, progress=progress) for part in parts]
    sources = [describe_source(verifier, path) for path in paths]
    return {
        "model": sources[0]["model"],
        "seed": seed,
        "shares": SHARES,
        "removals": REMOVALS,
        **summarise(pairs, [one for part in measured for one in part]),
        "files": [
            {**source["pairs_file"], **summarise(part, own)}
            for source, part, own in zip(sources, parts, measured, strict=True)
        ],
    }


def measure_pairs(
    verifier: FeatureVerifier,
    pairs: Sequence[Pair],
    *,
    seed: int = 1,
    progress: Progress | None = None,
) -> list[dict[Key, float]]:
    """The figures of each pair."""
    blank = verifier.randomised(seed=seed)
    measured = []
    for number, [pair] in enumerate(in_blocks(pairs, 1, progress)):
        effects = verifier.word_effects(pair)
        random = blank.word_effects(pair) if number % _SANITY == 0 else None
        if effects is None:
            raise InputError(f"pair {pair.id or number} has a side without words: leave it out")
        measured.append(measure_pair(effects, random, np.random.default_rng([seed, number])))
    return measured


def measure_pair(
    pair: WordEffects, blank: WordEffects | None, rng: np.random.Generator
) -> dict[Key, float]:
    """All figures of one pair. `blank` is the same pair read by a network with random weights;
    without it sanity is NaN."""
    whole = float(pair.llr(np.ones((1, pair.n_words), dtype=bool), "delete")[0])
    verdict = 1.0 if whole > 0 else -1.0
    weights = _ranking_weights(pair)
    towards = {ranking: verdict if ranking in SIGNED else 1.0 for ranking in weights}
    orders = [np.argsort(-towards[r] * values, kind="stable") for r, values in weights.items()]
    orders += [rng.permutation(pair.n_words) for _ in range(_DRAWS)]
    variants = np.concatenate([_variants(order) for order in orders])
    figures: dict[Key, float] = {_EVIDENCE: abs(whole)}
    for removal in REMOVALS:
        effect = pair.effect(removal)
        lost = verdict * (whole - pair.llr(variants, removal)).reshape(len(orders), -1)
        for number, ranking in enumerate(RANKINGS):
            own = lost[number:].mean(axis=0) if ranking == RANDOM else lost[number]
            figures["comprehensiveness", ranking, removal] = float(own[: len(SHARES)].mean())
            figures["sufficiency", ranking, removal] = float(own[len(SHARES) : -1].mean())
            figures["accounted", ranking, removal] = float(own[-1])
        for method in SIGNED:
            agrees = np.sign(weights[method]) == np.sign(effect)
            figures["sign agreement", method, removal] = float(agrees[effect != 0].mean())
            strongest = whole - pair.llr(_without_strongest(weights[method]), removal)
            agreement = float((strongest[0] > 0) / 2 + (strongest[1] < 0) / 2)
            figures["group agreement", method, removal] = agreement
    others = None if blank is None else _ranking_weights(blank)
    for ranking, own in weights.items():
        correlation = _rank_correlation(own, others[ranking]) if others else math.nan
        figures["sanity", ranking, ""] = correlation
    return figures


def _ranking_weights(pair: WordEffects) -> dict[str, Floats]:
    """The weights that words are ranked by, for each ranking but the random one."""
    weights = {method: pair.weigh(method) for method in METHODS}
    weights |= {method + _MAGNITUDE: np.abs(weights[method]) for method in SIGNED}
    return {ranking: weights[ranking] for ranking in RANKINGS[:-1]}


def _variants(order: Integers) -> Booleans:
    """Which words stay: all but the first (for each share), the first alone (for each share), and
    all but the twenty first."""
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    first = rank < np.array([[_count(share, len(order))] for share in SHARES])
    return np.concatenate([~first, first, rank[None] >= _SHOWN])


def _without_strongest(weights: Floats) -> Booleans:
    """Which words stay without the tenth of the largest weights, and without the smallest."""
    order = np.argsort(-weights, kind="stable")
    size = _count(_TENTH, len(order))
    stays = np.ones((2, len(order)), dtype=bool)
    stays[0, order[:size]] = False
    stays[1, order[-size:]] = False
    return stays


def _count(share: float, n: int) -> int:
    return max(1, round(share * n))


def _rank_correlation(one: Floats, other: Floats) -> float:
    """Spearman's correlation; 0 if one of both is constant."""
    from scipy.stats import spearmanr

    constant = np.ptp(one) == 0 or np.ptp(other) == 0
    return 0.0 if constant else float(spearmanr(one, other).statistic)


def summarise(
    pairs: Sequence[Pair], measured: Sequence[Mapping[Key, float]], *, seed: int = 0
) -> dict[str, Any]:
    """Means over the pairs with intervals by resampling authors, ready for JSON. Comprehensiveness
    has its ratio to random and its difference, sufficiency its difference."""
    weights = np.concatenate([*draw_weights(authors_of(pairs), seed)])
    drawn = {
        key: _weighted_mean(np.array([figures[key] for figures in measured]), weights)
        for key in measured[0]
    }

    def by_removal(
        measure: str, names: Sequence[str], figure: Callable[..., Any]
    ) -> dict[str, dict[str, Any]]:
        """A figure for each removal and name, from the means and those of random rankings."""
        return {
            r: {n: figure(drawn[measure, n, r], drawn.get((measure, RANDOM, r))) for n in names}
            for r in REMOVALS
        }

    return {
        "pairs": len(pairs),
        "evidence": interval(drawn[_EVIDENCE]),
        "comprehensiveness": by_removal(
            "comprehensiveness",
            RANKINGS,
            lambda own, random: {
                **interval(own),
                "to_random": interval(own / random),
                "above_random": interval(own - random),
            },
        ),
        "sufficiency": by_removal(
            "sufficiency",
            RANKINGS,
            lambda own, random: {**interval(own), "above_random": interval(own - random)},
        ),
        "accounted": by_removal(
            "accounted", RANKINGS, lambda own, _: interval(own / drawn[_EVIDENCE])
        ),
        "sign_agreement": by_removal("sign agreement", SIGNED, lambda own, _: interval(own)),
        "group_agreement": by_removal("group agreement", SIGNED, lambda own, _: interval(own)),
        "sanity": {ranking: interval(drawn["sanity", ranking, ""]) for ranking in RANKINGS[:-1]},
    }


def faithfulness_rows(summary: Mapping[str, Any]) -> tuple[Faithfulness, ...]:
    """The rows that a model quotes: each method with the removal where it gains least over
    random."""
    rows = []
    for method in METHODS:
        by_removal = {r: summary["comprehensiveness"][r] for r in REMOVALS}
        removal = min(REMOVALS, key=lambda r: by_removal[r][method]["above_random"]["value"])
        own = by_removal[removal][method]
        agreement = [summary["sign_agreement"][r].get(method) for r in REMOVALS]
        rows.append(
            Faithfulness(
                method=method,
                pairs=summary["pairs"],
                removal=removal,
                taken=own["value"],
                random=by_removal[removal][RANDOM]["value"],
                low=own["above_random"]["low"],
                high=own["above_random"]["high"],
                agreement=min(a["value"] for a in agreement) if method in SIGNED else None,
            )
        )
    return tuple(rows)


def _weighted_mean(values: Floats, weights: Floats) -> Floats:
    """Mean of the finite values under each row of weights; NaN if none has a weight."""
    weights = weights * np.isfinite(values)
    with np.errstate(invalid="ignore"):
        mean: Floats = weights @ np.nan_to_num(values) / weights.sum(axis=1)
    return mean
