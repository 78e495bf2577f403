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
    EVEN,
    Candidate,
    Ranking,
    answer_of,
    in_order,
    posterior,
)
from adhominem.instrument.evidence.decision import decide
from adhominem.instrument.evidence.matrix import distances
from adhominem.instrument.evidence.sides import Sides
from adhominem.instrument.verifier import Verifier

Floats = npt.NDArray[np.float64]
_ROWS = 2048  # that fit a core's cache


def search(
    verifier: Verifier,
    questioned: str | Sequence[str],
    index: Index,
    *,
    top: int = 20,
    prior: float = EVEN,
    genre: str | None = None,
) -> Ranking:
    """The `top` candidates; `prior` and `genre` as in `attribution.rank`."""
    if top < 1:
        raise InputError(f"{top} candidates were asked for: ask for one at least")
    network = reader_of(verifier)
    texts = [questioned] if isinstance(questioned, str) else list(questioned)
    features, reading = network.join(network.read(texts))
    if genre is not None:
        index = index.with_genre(network.check_genre(genre))
        reading = reading.with_genre(genre)
    one, calibrations, limits = Sides.of([reading]), network.calibrations(), network.limits()
    distance = _distances(index.features, features)
    llr, judged = np.empty(len(index)), np.empty(len(index), dtype=bool)
    for start in range(0, len(index), 32 * _ROWS):
        rows = slice(start, start + 32 * _ROWS)
        decisions = decide(-distance[rows], (index.sides.select(rows), one), calibrations, limits)
        llr[rows], judged[rows] = decisions.llr, decisions.judged
    probabilities, none = posterior(llr, judged, prior)
    best = _best(probabilities, distance, top)
    exact = -distances(index.features[best].astype(np.float64), features)
    decisions = decide(exact, (index.sides.select(best), one), calibrations, limits)
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


def _distances(rows: npt.NDArray[np.float32], features: Floats) -> Floats:
    """In single precision: off by less than one part in a million."""
    one = features.astype(np.float32)
    found = np.empty(len(rows))
    for start in range(0, len(rows), _ROWS):
        apart = rows[start : start + _ROWS] - one
        found[start : start + _ROWS] = np.einsum("ij,ij->i", apart, apart)
    return np.sqrt(found)


def _best(probabilities: Floats, distance: Floats, top: int) -> npt.NDArray[np.int64]:
    """The most probable, of equally probable ones the nearest."""
    last = max(len(probabilities) - top, 0)
    places = np.flatnonzero(probabilities >= np.partition(probabilities, last)[last])
    order = np.lexsort((distance[places], -probabilities[places]))[:top]
    best: npt.NDArray[np.int64] = places[order]
    return best
