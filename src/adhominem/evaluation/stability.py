"""Do two models look at the same words? Kendall's tau between their attention, text by text.

The paper's section IV-D: with C pairs of tokens that both models order alike and D that they order
otherwise, of n tokens without equal weights,

    tau = (C - D) / (n (n - 1) / 2)

of the weights of equation (12). Tokens are compared by their places in the text, so the models may
have other vocabularies and other lengths of lines; markers are left out. The same is done with the
sentences of a text, each with the mean attention of its lines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from adhominem.evaluation.drawn_texts import DrawnTexts
from adhominem.evaluation.lift import Floats
from adhominem.evaluation.sentence_places import sentence_values
from adhominem.verifiers.attended import Attended

Progress = Callable[[int, int], None]
EDGES = tuple(round(-1 + 0.02 * i, 2) for i in range(101))
FEWEST = {"words": 10, "sentences": 5}  # of a text, to be compared
_BLOCK = 256  # texts


class Randomising(Protocol):
    """What is needed of a verifier."""

    def attention(self, texts: Sequence[str]) -> Attended: ...
    def randomised(self, *, seed: int) -> Randomising: ...


def measure_stability(
    reference: Randomising,
    others: Sequence[Randomising],
    drawn: DrawnTexts,
    *,
    seed: int = 1,
    progress: Progress | None = None,
) -> list[dict[str, Any]]:
    """Of each other model, ready for JSON; the last is the reference with random weights, which
    agrees with it in so far as attention follows from the text alone."""
    compared = [*others, reference.randomised(seed=seed)]
    found: list[dict[str, list[Floats]]] = [{name: [] for name in FEWEST} for _ in compared]
    for start in range(0, len(drawn), _BLOCK):
        texts = drawn.texts[start : start + _BLOCK]
        attended = reference.attention(texts)
        for parts, other in zip(found, compared, strict=True):
            for name, taus in compare(attended, other.attention(texts)).items():
                parts[name].append(taus)
        if progress:
            progress(min(start + _BLOCK, len(drawn)), len(drawn))
    return [
        {name: summarise(np.concatenate(taus)) for name, taus in parts.items()} for parts in found
    ]


def compare(one: Attended, other: Attended) -> dict[str, Floats]:
    """(n_texts, 2): tau and its p of each text; NaN where a text is too short."""
    sentences = one.texts.documents
    return {
        "words": _taus(one.weights, other.weights, one.documents, FEWEST["words"]),
        "sentences": _taus(
            sentence_values(one)[0], sentence_values(other)[0], sentences, FEWEST["sentences"]
        ),
    }


def _taus(
    one: Floats, other: Floats, edges: np.ndarray[Any, np.dtype[np.int64]], fewest: int
) -> Floats:
    from scipy.stats import kendalltau

    found = np.full((len(edges) - 1, 2), np.nan)
    for text, (first, last) in enumerate(zip(edges[:-1], edges[1:], strict=True)):
        if last - first >= fewest:
            found[text] = kendalltau(one[first:last], other[first:last])
    return found


def summarise(taus: Floats) -> dict[str, Any]:
    tau, p = taus[np.isfinite(taus[:, 0])].T
    if not len(tau):
        return {"texts": 0}
    return {
        "texts": len(tau),
        "mean": float(tau.mean()),
        "deviation": float(tau.std(ddof=1)) if len(tau) > 1 else 0.0,
        "lowest": float(tau.min()),
        "below_05": float(np.mean(p < 0.05)),
        "below_01": float(np.mean(p <= 0.01)),
        "histogram": np.histogram(tau, EDGES)[0].tolist(),
    }
