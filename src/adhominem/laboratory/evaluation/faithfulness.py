"""Faithfulness of explanations: whether the words with the largest weights carry the decision.

The evidence of a pair is its log10 LR in favour of the verdict. A ranking orders the words of both
sides. Two measures (DeYoung et al. 2020) are means over the first 1, 5, 10, 20 and 50 % of the
words, for each way of removing a word:

    comprehensiveness   evidence lost when these words are removed; larger is better
    sufficiency         evidence lost when all other words are removed; smaller is better

Signed weights are ranked with the strongest support for the verdict first. There are two control
rankings: random order, and the order of the explanation with each word replaced by a random word of
about the same frequency. As explanations themselves are made by deletion, words are also exchanged
and sentences swapped (`exchanges.py`). Further measures:

    sign agreement      share of the words whose removal changes the evidence as their sign predicts
    sanity              rank correlation with the explanation of a network with random weights;
                        nearer to 0 is better (Adebayo et al. 2018)
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import spearmanr

from adhominem.arrays import Booleans, Floats, Integers
from adhominem.errors import InputError
from adhominem.instrument.explain import word_effects
from adhominem.instrument.explain.word_effects import WordEffects
from adhominem.instrument.feature_verifier import FeatureVerifier, require_features
from adhominem.instrument.network.removal import REMOVALS
from adhominem.instrument.verifier import Verifier
from adhominem.laboratory.evaluation.answers import Progress, authors_of, in_blocks, read_labelled
from adhominem.laboratory.evaluation.evaluate import describe_source
from adhominem.laboratory.evaluation.exchanges import SOURCES, EditedPair, Stock, draw_with_stock
from adhominem.laboratory.evaluation.intervals import drawn_means, interval
from adhominem.records import Faithfulness, Pair

Key = tuple[str, str, str]  # measure, ranking, removal

SHARES = (0.01, 0.05, 0.1, 0.2, 0.5)
EXCHANGE = "exchange"
NAMED = "named"
_VERDICTS = ("different authors", "same author")
METHODS = tuple(word_effects.METHODS)
SIGNED = tuple(method for method in METHODS if method != "attention")
RANDOM = "random"
MATCHED = "random of the same frequency"
_EVIDENCE = ("evidence", "", "")
CONTROLS = (RANDOM, MATCHED)
RANKINGS = (*METHODS, *CONTROLS)
_DRAWS = 3  # rankings of each control and pair
_FREQUENCIES = 2  # frequency classes per doubling of a word's rank in the vocabulary
_SANITY = 8  # every eighth pair is also explained with random weights


def measure_faithfulness(
    verifier: Verifier,
    paths: Sequence[Path],
    *,
    most: int = 200,
    seed: int = 1,
    progress: Progress = None,
) -> dict[str, Any]:
    """Measures over at most `most` pairs of each file, over all files and by file, as JSON data."""
    problem = "the explanations of a {kind} model cannot be tested: give one of a network"
    network = require_features(verifier, problem)
    stocked = [draw_with_stock(read_labelled(path), most, seed=seed) for path in paths]
    parts = [part for part, _ in stocked]
    if not all(parts):
        raise InputError("there are no pairs: at least one is needed")
    pairs = [pair for part in parts for pair in part]
    measured = [measure_pairs(network, *one, seed=seed, progress=progress) for one in stocked]
    sources = [describe_source(verifier, path) for path in paths]
    return {
        "model": sources[0]["model"],
        "seed": seed,
        "shares": SHARES,
        **summarise(pairs, [one for part in measured for one in part]),
        "files": [
            {**source["pairs_file"], **summarise(part, own)}
            for source, part, own in zip(sources, parts, measured, strict=True)
        ],
    }


def measure_pairs(
    verifier: FeatureVerifier,
    pairs: Sequence[Pair],
    stock: Stock | None = None,
    *,
    seed: int = 1,
    progress: Progress = None,
) -> list[dict[Key, float]]:
    """The measures of each pair; without a stock no words or sentences are exchanged."""
    blank = verifier.randomised(seed=seed)
    measured = []
    for number, [pair] in enumerate(in_blocks(pairs, 1, progress)):
        effects = verifier.word_effects(pair)
        random = blank.word_effects(pair) if number % _SANITY == 0 else None
        if effects is None:
            raise InputError(f"pair {pair.id or number} has a side without words: leave it out")
        rng = np.random.default_rng([seed, number])
        edited = None if stock is None else EditedPair(verifier, stock, pair, rng)
        measured.append(measure_pair(effects, random, rng, edited))
    return measured


def measure_pair(
    pair: WordEffects,
    blank: WordEffects | None,
    rng: np.random.Generator,
    edited: EditedPair | None = None,
) -> dict[Key, float]:
    """All measures of one pair.

    blank    the same pair read by a network with random weights, for sanity
    edited   exchanges words and swaps sentences of the pair
    """
    whole = float(pair.llr(np.ones((1, pair.n_words), dtype=bool), "delete")[0])
    verdict = 1.0 if whole > 0 else -1.0
    weights = {method: pair.weigh(method) for method in METHODS}
    orders = {
        method: [np.argsort(-(verdict if method in SIGNED else 1.0) * values, kind="stable")]
        for method, values in weights.items()
    }
    named = orders[word_effects.CONTRIBUTIONS][0]
    orders[RANDOM] = [rng.permutation(pair.n_words) for _ in range(_DRAWS)]
    orders[MATCHED] = [_matched(named, pair.numbers, rng) for _ in range(_DRAWS)]
    sizes = np.array([max(1, round(share * pair.n_words)) for share in SHARES])
    ranks = np.stack([np.argsort(order) for own in orders.values() for order in own])
    first = ranks[:, None] < sizes[:, None]  # (orders, shares, words)
    starts = np.cumsum([0, *(len(own) for own in orders.values())])
    figures: dict[Key, float] = {_EVIDENCE: abs(whole)}

    def lost(measure: str, removal: str, llr: Callable[[Booleans], Floats], kept: Booleans) -> None:
        """Mean evidence lost over the shares and the orders of each ranking."""
        values = llr(kept.reshape(-1, pair.n_words)).reshape(kept.shape[:2]).mean(axis=1)
        for ranking, (start, end) in zip(orders, pairwise(starts), strict=True):
            figures[measure, ranking, removal] = verdict * float(whole - values[start:end].mean())

    for removal in REMOVALS:
        llr = partial(pair.llr, removal=removal)
        lost("comprehensiveness", removal, llr, ~first)
        lost("sufficiency", removal, llr, first)
        effect = pair.effect(removal)
        for method in SIGNED:
            agrees = np.sign(weights[method]) == np.sign(effect)
            figures["sign agreement", method, removal] = float(agrees[effect != 0].mean())
    if blank is not None:
        for method, own in weights.items():
            other = blank.weigh(method)
            is_constant = np.ptp(own) == 0 or np.ptp(other) == 0
            correlation = 0.0 if is_constant else float(spearmanr(own, other).statistic)
            figures["sanity", method, ""] = correlation
    if edited is not None:
        lost("comprehensiveness", EXCHANGE, edited.llr, ~first)
        name = _VERDICTS[whole > 0]
        swapped = edited.swapped(verdict * weights[word_effects.CONTRIBUTIONS])
        for source, found in swapped.items():
            figures[name, NAMED, source] = verdict * float(whole - found[0])
            figures[name, RANDOM, source] = verdict * float(whole - found[1:].mean())
    return figures


def _matched(order: Integers, numbers: Integers, rng: np.random.Generator) -> Integers:
    """A random ranking with a word of the same frequency class at each rank."""
    classes = np.floor(_FREQUENCIES * np.log2(numbers + 1))[order]
    shuffled = np.lexsort((rng.random(len(order)), classes))
    matched = np.empty_like(order)
    matched[np.argsort(classes, kind="stable")] = order[shuffled]
    return matched


def summarise(pairs: Sequence[Pair], measured: Sequence[Mapping[Key, float]]) -> dict[str, Any]:
    """Means over the pairs with intervals by resampling authors, as JSON data."""
    keys = dict.fromkeys(key for own in measured for key in own)
    values = np.array([[own.get(key, np.nan) for key in keys] for own in measured])
    has = np.isfinite(values).astype(np.float64)  # some pairs may lack a figure
    means = drawn_means(np.nan_to_num(values), has, authors_of(pairs))
    drawn: dict[Key, Floats] = dict(zip(keys, means.T, strict=True))

    def by_removal(measure: str, names: Sequence[str], figure: Callable[..., Any]) -> Any:
        """`figure` of the drawn means of each name and of the controls, by removal and name."""
        removals = [r for r in (*REMOVALS, EXCHANGE) if (measure, names[0], r) in drawn]
        random = {r: [drawn.get((measure, c, r)) for c in CONTROLS] for r in removals}
        return {r: {n: figure(drawn[measure, n, r], *random[r]) for n in names} for r in removals}

    return {
        "pairs": len(pairs),
        "evidence": interval(drawn[_EVIDENCE]),
        "comprehensiveness": by_removal(
            "comprehensiveness",
            RANKINGS,
            lambda own, random, matched: {
                **interval(own),
                "to_random": interval(own / random),
                "above_random": interval(own - random),
                "above_matched": interval(own - matched),
            },
        ),
        "sufficiency": by_removal(
            "sufficiency",
            RANKINGS,
            lambda own, random, _: {**interval(own), "above_random": interval(own - random)},
        ),
        "sign_agreement": by_removal("sign agreement", SIGNED, lambda own, *_: interval(own)),
        "sanity": {method: interval(drawn["sanity", method, ""]) for method in METHODS},
        "swaps": [
            {
                "verdict": name,
                "by": source,
                "pairs": sum((name, NAMED, source) in one for one in measured),
                NAMED: interval(drawn[name, NAMED, source]),
                RANDOM: interval(random),
                "above_random": interval(drawn[name, NAMED, source] - random),
            }
            for name, source in product(_VERDICTS, SOURCES)
            if (random := drawn.get((name, RANDOM, source))) is not None
        ],
    }


def faithfulness_rows(summary: Mapping[str, Any]) -> tuple[Faithfulness, ...]:
    """The rows that a model quotes: each method under its least favourable way of removal."""
    rows = []
    for method in METHODS:
        by_removal = summary["comprehensiveness"]
        gains = {r: own[method]["above_random"]["value"] for r, own in by_removal.items()}
        removal = min(gains, key=lambda r: gains[r])
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
