"""How well a network tells the development pairs apart."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from adhominem.instrument.text.encode import Encoded
from adhominem.laboratory.corpus.pairs import PairTable
from adhominem.laboratory.network.encoder import encode_documents
from adhominem.laboratory.network.model import SiameseNetwork


def pair_distances(
    network: SiameseNetwork, corpus: Encoded, pairs: PairTable, *, max_lines: int
) -> npt.NDArray[np.float64]:
    """Distances of the pairs; every document is read once, in full."""
    documents, places = np.unique(np.concatenate([pairs.left, pairs.right]), return_inverse=True)
    y = encode_documents(network, corpus.select(documents), max_lines=max_lines).features
    left, right = np.split(places, 2)
    distances: npt.NDArray[np.float64] = np.linalg.norm(
        y[left].astype(np.float64) - y[right], axis=1
    )
    return distances


def lowest_error(distances: npt.NDArray[np.float64], same: npt.NDArray[np.bool_]) -> float:
    """The error of the best single threshold: same author up to it, different beyond."""
    order = np.argsort(distances, kind="stable")
    is_same = same[order]
    wrong = np.concatenate([[0], np.cumsum(~is_same)]) + np.concatenate(
        [np.cumsum(is_same[::-1])[::-1], [0]]
    )
    ties = np.concatenate([[True], np.diff(distances[order]) > 0, [True]])
    return float(wrong[ties].min() / len(same))
