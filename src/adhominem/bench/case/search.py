"""Searches an index for the author of a text.

Every candidate is weighed as by `attribution.rank`, a block of rows at a time. Quantising features
to one byte a number changes log10 LR by less than 0.01.
"""

from collections.abc import Sequence

import numpy as np

from adhominem.bench.case.index import RUN, Block, Index, reader_of
from adhominem.errors import InputError
from adhominem.instrument.evidence import attribution
from adhominem.instrument.evidence.attribution import EVEN, Candidate, Ranking
from adhominem.instrument.evidence.copies import are_copies, shingles
from adhominem.instrument.evidence.decision import decide
from adhominem.instrument.evidence.sides import Sides
from adhominem.instrument.network.cores import run_blocks
from adhominem.instrument.verifier import Verifier
from adhominem.records import Document


def search(
    verifier: Verifier,
    questioned: str | Sequence[str],
    index: Index,
    *,
    top: int = 20,
    prior: float = EVEN,
    genre: str | None = None,
) -> Ranking:
    """The `top` candidates, as by `attribution.rank`; `genre` must be the genre of the index."""
    network = reader_of(verifier)
    texts = [questioned] if isinstance(questioned, str) else list(questioned)
    if genre != index.genre:
        made = "without a genre" if index.genre is None else f"with --genre {index.genre}"
        raise InputError(f"the index was made {made}: search it {made}, or index again")
    features, reading = network.side(network.read(texts), genre)
    one, calibrations, limits = Sides.of([reading]), network.calibrations(), network.limits()
    similarity, llr = np.empty(len(index)), np.empty(len(index))
    judged = np.empty(len(index), dtype=bool)
    features = np.pad(features, (0, -len(features) % RUN))
    single = features.astype(np.float32)

    def weigh(block: Block) -> None:
        vectors, sides = block.vectors()
        values, _ = network.similarity(vectors, single, sides, one)
        decisions = decide(values, (sides, one), calibrations, limits)
        rows = slice(block.start, block.start + len(values))
        similarity[rows], llr[rows], judged[rows] = values, decisions.llr, decisions.judged

    run_blocks(weigh, index.blocks)
    probabilities, none = attribution.posterior(llr, judged, prior)
    # The most probable candidates; among equally probable ones, the most similar.
    last = max(len(index) - top, 0)
    places = np.flatnonzero(probabilities >= np.partition(probabilities, last)[last])
    best = places[np.lexsort((-similarity[places], -probabilities[places]))[:top]]
    own, found = shingles(map(Document, texts)), []
    starts = np.array([block.start for block in index.blocks])
    for place in best.tolist():
        block = index.blocks[int(np.searchsorted(starts, place, side="right")) - 1]
        row = place - block.start
        vectors, left = block.vectors([row])
        vector = vectors.astype(np.float64)
        exact, terms = network.similarity(vector, features, left, one)
        apart = network.distance(vector, features)
        decisions = decide(exact, (left, one), calibrations, limits, terms=terms, distance=apart)
        stored = block.read(["name", "shingles"]).slice(row, 1).to_pylist()[0]
        decisions = decisions.with_copies([are_copies(set(stored["shingles"]), own)])
        found.append(Candidate(stored["name"], decisions[0], float(probabilities[place])))
    found.sort(key=attribution.in_order)
    answer, n_others = attribution.answer_of(found, none), len(index) - len(found)
    listed = sum(candidate.probability for candidate in found)
    others = max(float(probabilities.sum()) - listed, 0.0)
    return Ranking(tuple(found), none, answer, n_others, others, prior)
