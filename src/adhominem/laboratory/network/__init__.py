"""Networks by name, built from a seed or from the arrays of a model folder."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from adhominem.instrument.network.weights import SCALES, WORDS, Network
from adhominem.laboratory.network.hrsn import HRSN, HRSNConfig
from adhominem.laboratory.network.model import AdHominem, NetworkConfig, SiameseNetwork

_NETWORKS: dict[str, tuple[type[Any], type[Any]]] = {
    "adhominem": (AdHominem, NetworkConfig),
    "hrsn": (HRSN, HRSNConfig),
}


def build_network(
    kind: str, sizes: dict[str, Any], *, word_vectors: npt.NDArray[Any] | None = None, seed: int = 0
) -> SiameseNetwork:
    """Return a network with random weights; `word_vectors` replaces its word embeddings and sets
    D_w."""
    if kind not in _NETWORKS:
        raise ValueError(f"unknown network '{kind}': known are {', '.join(_NETWORKS)}")
    network_class, config_class = _NETWORKS[kind]
    if word_vectors is not None:
        sizes = {**sizes, "n_words": word_vectors.shape[0], "D_w": word_vectors.shape[1]}
    config = config_class(**sizes)
    if not 0 <= config.dropout < 1:
        raise ValueError(f"dropout is {config.dropout}: it must be at least 0 and below 1")
    for name, size in asdict(config).items():
        least = 0 if (kind, name) == ("hrsn", "D_f") else 1
        if type(size) is int and size < least:
            raise ValueError(f"{name} is {size}: a size must be at least 1")
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)  # torch.manual_seed seeds the GPUs too
        network: SiameseNetwork = network_class(config)
    if word_vectors is not None:
        with torch.no_grad():
            network.words.weight.copy_(torch.from_numpy(word_vectors.astype(np.float32)))
    return network


def describe_network(network: SiameseNetwork) -> dict[str, Any]:
    """Return the `kind` and `sizes` from which `build_network` builds the same network."""
    kind = next(name for name, (cls, _) in _NETWORKS.items() if type(network) is cls)
    return {"kind": kind, "sizes": asdict(network.config)}


Arrays = dict[str, npt.NDArray[Any]]


def arrays_of(network: SiameseNetwork) -> Arrays:
    """Return the weights of a network. Word vectors are rounded to bytes with a scale per word,
    which takes a quarter of the space and changes no score by more than 0.01."""
    arrays: Arrays = {name: t.cpu().numpy() for name, t in network.state_dict().items()}
    table = arrays[WORDS]
    scales = np.abs(table).max(axis=1, keepdims=True) / 127
    steps = np.round(table / np.where(scales == 0, 1, scales))
    arrays[WORDS], arrays[SCALES] = steps.astype(np.int8), scales.astype(np.float32)
    return arrays


def network_of_arrays(
    kind: str, sizes: dict[str, Any], arrays: Mapping[str, npt.NDArray[Any]]
) -> SiameseNetwork:
    """Return a network in torch with the weights of a model folder."""
    weights = {name: torch.tensor(a, dtype=torch.float32) for name, a in arrays.items()}
    if SCALES in weights:
        weights[WORDS] *= weights.pop(SCALES)
    with torch.device("meta"):  # no weights are drawn
        network = build_network(kind, sizes)
    network.load_state_dict(weights, assign=True)
    return network.eval()


def numpy_network(network: SiameseNetwork) -> Network:
    """Return the network in NumPy, with the weights not rounded."""
    arrays = {name: t.detach().numpy() for name, t in network.state_dict().items()}
    return Network.from_arrays(arrays, describe_network(network)["sizes"])


def update_average(
    average: dict[str, Tensor], weights: Mapping[str, Tensor], decay: float, step: int
) -> None:
    """Update the exponential moving average of the weights; the decay is smaller in the first
    steps."""
    if not average:
        average |= {name: weight.detach().clone() for name, weight in weights.items()}
        return
    decay = min(decay, (1 + step) / (10 + step))
    with torch.no_grad():
        torch._foreach_lerp_([average[n] for n in weights], [*weights.values()], 1 - decay)


@contextmanager
def weights_set(network: SiameseNetwork, weights: Mapping[str, Tensor]) -> Iterator[None]:
    """Set other weights of the network inside the `with` block."""
    before = {name: t.clone() for name, t in network.state_dict().items() if name in weights}
    network.load_state_dict(weights, strict=False)
    try:
        yield
    finally:
        network.load_state_dict(before, strict=False)
