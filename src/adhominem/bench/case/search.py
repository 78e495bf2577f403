"""Exact search for the author of a text among all candidates of an index.

Every candidate is weighed as by `attribution.rank`, in blocks of rows; the decisions about the best
are then made from their features in full precision.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from adhominem.bench.case.index import Index, reader_of
from adhominem.errors import InputError
from adhominem.instrument.evidence.attribution import (
    Candidate,
    Ranking,
    answer_of,
    in_order,
    posterior,
)
from adhominem.instrument.evidence.decision import decide
from adhominem.instrument.evidence.sides import Sides
from adhominem.instrument.verifier import Verifier

Floats = npt.NDArray[np.float64]
EVEN = 0.5
_ROWS = 2048  # that fit a core's cache


def search(
    verifier: Verifier,
    questioned: str | Sequence[str],
    index: Index,
    *,
    top: int = 20,
    prior: float | None = EVEN,
    genre: str | None = None,
) -> Ranking:
    """The `top` candidates; `prior` as in `attribution.rank`, by default as probably one of them as
    none; `genre` where the kind of all texts is known."""
    if top < 1:
        raise InputError(f"{top} candidates were asked for: ask for one at least")
    network = reader_of(verifier)
    texts = [questioned] if isinstance(questioned, str) else list(questioned)
    features, reading = network.join(network.read(texts))
    if genre is not None:
        index = index.with_genre(network.check_genre(genre))
        reading = reading.with_genre(genre)
    one, calibrations, limits = Sides.of([reading]), network.calibrations(), network.limits()
    similarity, llr = np.empty(len(index)), np.empty(len(index))
    judged = np.empty(len(index), dtype=bool)
    single = features.astype(np.float32)
    for start in range(0, len(index), _ROWS):
        rows = slice(start, start + _ROWS)
        sides = index.sides.select(rows)
        similarity[rows], _ = network.similarity(index.features[rows], single, sides, one)
        decisions = decide(similarity[rows], (sides, one), calibrations, limits)
        llr[rows], judged[rows] = decisions.llr, decisions.judged
    probabilities, none = posterior(llr, judged, prior)
    best = _best(probabilities, similarity, top)
    sides = index.sides.select(best)
    exact, terms = network.similarity(index.features[best].astype(np.float64), features, sides, one)
    decisions = decide(exact, (sides, one), calibrations, limits, terms=terms)
    found = [
        Candidate(index.name(row), decision, float(probabilities[row]))
        for row, decision in zip(best.tolist(), decisions, strict=True)
    ]
    found.sort(key=in_order)
    listed = sum(candidate.probability for candidate in found)
    return Ranking(
        tuple(found),
        none,
        answer_of(found, none),
        n_others=len(index) - len(found),
        others=max(float(probabilities.sum()) - listed, 0.0),
        prior=prior,
    )


def _best(probabilities: Floats, similarity: Floats, top: int) -> npt.NDArray[np.int64]:
    """The most probable, of equally probable ones the most alike."""
    last = max(len(probabilities) - top, 0)
    places = np.flatnonzero(probabilities >= np.partition(probabilities, last)[last])
    order = np.lexsort((-similarity[places], -probabilities[places]))[:top]
    best: npt.NDArray[np.int64] = places[order]
    return best
