"""How well a network tells the development pairs apart."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from adhominem.corpus.pairs import PairTable
from adhominem.network.encoder import encode_documents
from adhominem.network.model import SiameseNetwork
from adhominem.text.encode import Encoded


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


def area_under_curve(distances: npt.NDArray[np.float64], same: npt.NDArray[np.bool_]) -> float:
    """How often a pair of one author is nearer than a pair of two; a tie counts half, and no pair
    of either kind gives 0.5."""
    n_same, n_different = int(same.sum()), int((~same).sum())
    if not n_same or not n_different:
        return 0.5
    different = np.sort(distances[~same])
    farther = n_different - np.searchsorted(different, distances[same], side="right")
    as_far = np.searchsorted(different, distances[same], side="right") - np.searchsorted(
        different, distances[same], side="left"
    )
    return float((farther + as_far / 2).sum() / (n_same * n_different))
