"""Do two models look at the same words? Kendall's tau between their attention, text by text.

The paper's section IV-D: with C pairs of tokens that both models order alike and D that they order
otherwise, of n tokens without equal weights,

    tau = (C - D) / (n (n - 1) / 2)

of the weights of equation (12). Tokens are compared by their places in the text, so the models may
have other vocabularies and other lengths of lines; markers are left out. The same is done with the
sentences of a text, each with the mean attention of its lines.

A network that is fed with padded texts has a grid of 40 lines of 20 tokens for each. Where its m
empty places count as well, all with a weight of 0, both models order them alike against all of n
tokens, and with P = n (n - 1) / 2

    tau = (P tau + n m) / (P + n m)

which is larger, and larger still for short texts. The paper does not say whether it counts them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from adhominem.instrument.network.attended_texts import AttendedTexts
from adhominem.laboratory.evaluation.drawn_texts import DrawnTexts
from adhominem.laboratory.evaluation.lift import Floats
from adhominem.laboratory.evaluation.sentence_places import sentence_values

Progress = Callable[[int, int], None]
EDGES = tuple(round(-1 + 0.02 * i, 2) for i in range(101))
FEWEST = {"words": 10, "sentences": 5}  # of a text, to be compared
_GRID = 40 * 20  # places that the paper's network has for the tokens of a text
_BLOCK = 256  # texts


class Randomising(Protocol):
    """What is needed of a verifier."""

    def attention(self, texts: Sequence[str]) -> AttendedTexts: ...
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
    found: list[dict[str, list[Floats]]] = [defaultdict(list) for _ in compared]
    for start in range(0, len(drawn), _BLOCK):
        texts = drawn.texts[start : start + _BLOCK]
        attended = reference.attention(texts)
        for parts, other in zip(found, compared, strict=True):
            for name, taus in compare(attended, other.attention(texts)).items():
                parts[name].append(taus)
        if progress:
            progress(min(start + _BLOCK, len(drawn)), len(drawn))
    return [
        {
            name: summarise(np.concatenate(taus), histogram=name == "words")
            for name, taus in parts.items()
        }
        for parts in found
    ]


def compare(one: AttendedTexts, other: AttendedTexts) -> dict[str, Floats]:
    """(n_texts, 2): tau and its p of each text; NaN where a text is too short."""
    sentences = one.texts.documents
    words = _taus(one.weights, other.weights, one.documents, FEWEST["words"])
    return {
        "words": words,
        "padded_words": pad(words, np.diff(one.documents)),
        "sentences": _taus(
            sentence_values(one)[0], sentence_values(other)[0], sentences, FEWEST["sentences"]
        ),
    }


def _taus(one: Floats, other: Floats, edges: npt.NDArray[np.int64], fewest: int) -> Floats:
    from scipy.stats import kendalltau

    found = np.full((len(edges) - 1, 2), np.nan)
    for text, (first, last) in enumerate(pairwise(edges.tolist())):
        if last - first >= fewest:
            found[text] = kendalltau(one[first:last], other[first:last])
    return found


def pad(taus: Floats, n_tokens: npt.NDArray[np.int64]) -> Floats:
    """The same with the empty places of the grid."""
    pairs = n_tokens * (n_tokens - 1) / 2
    with_empty = n_tokens * np.maximum(_GRID - n_tokens, 0)
    with np.errstate(invalid="ignore"):
        padded = (pairs * taus[:, 0] + with_empty) / (pairs + with_empty)
    return np.stack([padded, taus[:, 1]], axis=1)


def summarise(taus: Floats, *, histogram: bool = True) -> dict[str, Any]:
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
        **({"histogram": np.histogram(tau, EDGES)[0].tolist()} if histogram else {}),
    }
