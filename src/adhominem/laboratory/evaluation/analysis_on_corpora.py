"""The attention of a model analysed on corpora and files of pairs, or compared with others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from adhominem.errors import ModelError
from adhominem.instrument.verifier import Verifier
from adhominem.laboratory.evaluation.analysis import analyse
from adhominem.laboratory.evaluation.drawn_texts import Choice, draw_texts
from adhominem.laboratory.evaluation.matched_words import Attending
from adhominem.laboratory.evaluation.stability import EDGES, Randomising, measure_stability
from adhominem.laboratory.evaluation.word_classes import tagger_named

Progress = Callable[[int, int], None]
RANDOM = "random weights"


def analyse_corpora(
    verifier: Verifier,
    paths: Sequence[Path],
    choice: Choice,
    tagger: str,
    *,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Ready for JSON; holds no text, and words only that several authors use."""
    _check(verifier)
    tag = tagger_named(tagger)
    drawn = [draw_texts(path, choice) for path in paths]
    return {
        "model": _describe(verifier),
        "seed": choice.seed,
        "tagger": tagger,
        "corpora": [
            analyse(cast(Attending, verifier), texts, tag, progress=progress) for texts in drawn
        ],
    }


def compare_models(
    verifier: Verifier,
    others: Mapping[str, Verifier],
    paths: Sequence[Path],
    choice: Choice,
    *,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Ready for JSON; beside the other models stands the first one with random weights."""
    for one in (verifier, *others.values()):
        _check(one)
    reference = cast(Randomising, verifier)
    compared = cast(Sequence[Randomising], list(others.values()))
    names = [{"name": name, "model": _describe(other)} for name, other in others.items()]
    names.append({"name": RANDOM, "model": None})
    corpora = []
    for path in paths:
        drawn = draw_texts(path, choice)
        found = measure_stability(reference, compared, drawn, seed=choice.seed, progress=progress)
        against = [{**name, **taus} for name, taus in zip(names, found, strict=True)]
        corpora.append({**drawn.source, "against": against})
    return {
        "model": _describe(verifier),
        "seed": choice.seed,
        "edges": EDGES,
        "corpora": corpora,
    }


def _check(verifier: Verifier) -> None:
    if not hasattr(verifier, "attention"):
        raise ModelError(
            f"a {verifier.kind} model has no attention to analyse: give one of an adhominem network"
        )


def _describe(verifier: Verifier) -> dict[str, Any] | None:
    return None if verifier.identity is None else asdict(verifier.identity)
