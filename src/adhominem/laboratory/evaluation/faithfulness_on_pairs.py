"""The explanations of a verifier tested on files of pairs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol, cast

import numpy as np

from adhominem.errors import InputError, ModelError
from adhominem.instrument.verifier import Verifier
from adhominem.laboratory.evaluation.faithfulness import (
    REMOVALS,
    SHARES,
    Dissected,
    Key,
    measure_pair,
)
from adhominem.laboratory.evaluation.faithfulness_summary import summarise
from adhominem.laboratory.evaluation.on_pairs import Progress, describe_source, read_labelled
from adhominem.records import Pair

_SANITY = 4  # one pair in so many is put before random weights too


class Dissecting(Protocol):
    """What is needed of a verifier."""

    def word_effects(self, pair: Pair) -> Dissected | None: ...
    def randomised(self, *, seed: int) -> Dissecting: ...


def measure_files(
    verifier: Verifier,
    paths: Sequence[Path],
    *,
    most: int = 200,
    seed: int = 1,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """The figures over `most` pairs of each file, all together and by file, ready for JSON."""
    if not hasattr(verifier, "word_effects"):
        raise ModelError(
            f"the explanations of a {verifier.kind} model cannot be tested: give one of a network"
        )
    parts = [draw_pairs(read_labelled(path), most, seed=seed) for path in paths]
    pairs = [pair for part in parts for pair in part]
    found: list[list[dict[Key, float]]] = []

    def advance(done: int, _: int) -> None:
        if progress:
            progress(sum(map(len, found)) + done, len(pairs))

    for part in parts:
        found.append(measure(cast(Dissecting, verifier), part, seed=seed, progress=advance))
    sources = [describe_source(verifier, path) for path in paths]
    return {
        "model": sources[0]["model"],
        "seed": seed,
        "shares": SHARES,
        "removals": REMOVALS,
        **summarise(pairs, [one for part in found for one in part]),
        "files": [
            {**source["pairs_file"], **summarise(part, own)}
            for source, part, own in zip(sources, parts, found, strict=True)
        ],
    }


def draw_pairs(pairs: Sequence[Pair], most: int, *, seed: int) -> list[Pair]:
    """So many of them at random, in their order."""
    if not pairs:
        raise InputError("there are no pairs: at least one is needed")
    chosen = np.random.default_rng(seed).permutation(len(pairs))[:most]
    return [pairs[i] for i in np.sort(chosen)]


def measure(
    verifier: Dissecting,
    pairs: Sequence[Pair],
    *,
    seed: int = 1,
    progress: Progress | None = None,
) -> list[dict[Key, float]]:
    blank = verifier.randomised(seed=seed)
    found = []
    for number, pair in enumerate(pairs):
        whole = verifier.word_effects(pair)
        empty = blank.word_effects(pair) if number % _SANITY == 0 else None
        if whole is None:
            raise InputError(f"pair {pair.id or number} has a side without words: leave it out")
        found.append(measure_pair(whole, empty, np.random.default_rng([seed, number])))
        if progress:
            progress(number + 1, len(pairs))
    return found
