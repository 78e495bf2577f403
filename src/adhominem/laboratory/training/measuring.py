"""How well a network tells the development pairs apart, with its own weights or with their running
mean, which does better than the weights of any one step."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import numpy as np
import torch
from torch import Tensor, nn

from adhominem.arrays import Booleans, Floats
from adhominem.instrument.text.encode import Encoded
from adhominem.laboratory.corpus.pairs import PairTable
from adhominem.laboratory.network.encoder import encode_documents
from adhominem.laboratory.network.model import SiameseNetwork


def pair_distances(
    network: SiameseNetwork, corpus: Encoded, pairs: PairTable, *, max_lines: int
) -> Floats:
    """Distance of each pair; every document is read once, in full."""
    return distances_by_genre(network, corpus, {"": pairs}, max_lines=max_lines)[""]


def distances_by_genre(
    network: SiameseNetwork, corpus: Encoded, tables: Mapping[str, PairTable], *, max_lines: int
) -> dict[str, Floats]:
    """Distance of each pair of several genres, whose documents are read together."""
    left, right = (
        np.concatenate([np.zeros(0, np.int64), *(getattr(t, side) for t in tables.values())])
        for side in ("left", "right")
    )
    documents, rows = np.unique(np.concatenate([left, right]), return_inverse=True)
    y = encode_documents(network, corpus.select(documents), max_lines=max_lines).features
    one, other = np.split(rows, 2)
    distances = np.linalg.norm(y[one].astype(np.float64) - y[other], axis=1)
    ends = np.cumsum([len(table) for table in tables.values()])
    return dict(zip(tables, np.split(distances, ends[:-1]), strict=True))


def lowest_error(distances: Floats, same: Booleans) -> float:
    """The error of the best single threshold: same author up to it, different beyond."""
    order = np.argsort(distances, kind="stable")
    is_same = same[order]
    wrong = np.concatenate([[0], np.cumsum(~is_same)]) + np.concatenate(
        [np.cumsum(is_same[::-1])[::-1], [0]]
    )
    ties = np.concatenate([[True], np.diff(distances[order]) > 0, [True]])
    return float(wrong[ties].min() / len(same))


def update_average(
    average: dict[str, Tensor], weights: Mapping[str, Tensor], decay: float, step: int
) -> None:
    """Update the running mean: mean = decay mean + (1 - decay) weights. The decay is smaller in the
    first steps, whose weights count little."""
    decay = min(decay, (1 + step) / (10 + step))
    known = [name for name in weights if name in average]
    with torch.no_grad():
        if known:
            torch._foreach_lerp_(
                [average[name] for name in known], [weights[name] for name in known], 1 - decay
            )
        for name, weight in weights.items():
            if name not in average:
                average[name] = weight.detach().clone()


@contextmanager
def weights_set(network: SiameseNetwork, weights: Mapping[str, Tensor]) -> Iterator[None]:
    """Give the network other weights inside the `with` block."""
    parameters: dict[str, nn.Parameter] = {
        name: p for name, p in network.named_parameters() if name in weights
    }
    before = {name: p.detach().clone() for name, p in parameters.items()}
    with torch.no_grad():
        for name, parameter in parameters.items():
            parameter.copy_(weights[name])
    try:
        yield
    finally:
        with torch.no_grad():
            for name, parameter in parameters.items():
                parameter.copy_(before[name])
