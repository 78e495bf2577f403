"""The author of a text sought among all candidates of an index, exactly.

Every candidate is weighed as `attribution.rank` would weigh it, in blocks of rows; the decisions of
the best are then made one by one from their features in full precision.
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
from adhominem.instrument.evidence.comparison import Comparison
from adhominem.instrument.evidence.matrix import SideTable, distances, doubts_of, weigh
from adhominem.instrument.verifier import Verifier
from adhominem.records import Reading

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
        index, reading = index.of_genre(network.check_genre(genre)), reading.of_genre(genre)
    distance = _distances(index.features, features)
    llr = np.empty(len(index))
    for start in range(0, len(index), 32 * _ROWS):
        rows = slice(start, start + 32 * _ROWS)
        llr[rows] = weigh(network, distance[rows], reading, _part(index.sides, rows)).llr
    judged = index.sides.judged & np.isfinite(distance)
    if doubts_of(network, reading):
        judged = np.zeros_like(judged)
    probabilities, none = posterior(llr, judged, prior)
    found = [
        Candidate(
            index.name(place),
            network._decide(comparison, network._calibration_for(comparison)),
            float(probabilities[place]),
        )
        for place in _best(probabilities, distance, top)
        for comparison in [_comparison(index, place, features, reading)]
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


def _part(sides: SideTable, rows: slice) -> SideTable:
    return SideTable(
        sides.genres,
        sides.tokens[rows],
        sides.stretches[rows],
        sides.norm[rows],
        sides.genre[rows],
        sides.judged[rows],
    )


def _best(probabilities: Floats, distance: Floats, top: int) -> list[int]:
    """The most probable, of equally probable ones the nearest."""
    last = max(len(probabilities) - top, 0)
    places = np.flatnonzero(probabilities >= np.partition(probabilities, last)[last])
    order = np.lexsort((distance[places], -probabilities[places]))[:top]
    best: list[int] = places[order].tolist()
    return best


def _comparison(index: Index, place: int, features: Floats, reading: Reading) -> Comparison:
    distance = float(distances(index.features[place].astype(np.float64), features))
    return Comparison(
        -distance, index.reading(place), reading, None if np.isnan(distance) else distance
    )
