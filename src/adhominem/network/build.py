"""A network by name, with weights that depend on the seed alone."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from adhominem.network.hrsn import HRSN, HRSNConfig
from adhominem.network.model import AdHominem, NetworkConfig, SiameseNetwork

_NETWORKS: dict[str, tuple[type[Any], type[Any]]] = {
    "adhominem": (AdHominem, NetworkConfig),
    "hrsn": (HRSN, HRSNConfig),
}


def build_network(
    kind: str, sizes: dict[str, Any], *, word_vectors: npt.NDArray[Any] | None = None, seed: int = 0
) -> SiameseNetwork:
    """`word_vectors` replaces the random word embeddings and sets D_w."""
    if kind not in _NETWORKS:
        raise ValueError(f"unknown network '{kind}': known are {', '.join(_NETWORKS)}")
    network_class, config_class = _NETWORKS[kind]
    if word_vectors is not None:
        sizes = {**sizes, "n_words": word_vectors.shape[0], "D_w": word_vectors.shape[1]}
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)  # torch.manual_seed seeds the GPUs too
        network: SiameseNetwork = network_class(config_class(**sizes))
    if word_vectors is not None:
        with torch.no_grad():
            network.words.weight.copy_(torch.from_numpy(word_vectors.astype(np.float32)))
    return network


def describe_network(network: SiameseNetwork) -> dict[str, Any]:
    """The `kind` and `sizes` from which `build_network` makes the same network."""
    kind = next(name for name, (cls, _) in _NETWORKS.items() if type(network) is cls)
    return {"kind": kind, "sizes": asdict(network.config)}
