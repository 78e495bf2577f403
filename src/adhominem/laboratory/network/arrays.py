"""Networks in torch to the arrays of a model folder, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from adhominem.instrument.network.weights import SCALES, WORDS, Network
from adhominem.laboratory.network.build import describe_network, network_of_weights
from adhominem.laboratory.network.model import SiameseNetwork

Arrays = dict[str, npt.NDArray[Any]]


def arrays_of(network: SiameseNetwork) -> Arrays:
    """The weights of a network, its word vectors rounded to bytes with a scale for each word: a
    quarter of the largest table, and no score moves by more than a hundredth."""
    arrays: Arrays = {name: t.cpu().numpy() for name, t in network.state_dict().items()}
    table = arrays[WORDS]
    scales = np.abs(table).max(axis=1, keepdims=True) / 127
    steps = np.round(table / np.where(scales == 0, 1, scales))
    arrays[WORDS], arrays[SCALES] = steps.astype(np.int8), scales.astype(np.float32)
    return arrays


def network_of_arrays(
    kind: str, sizes: dict[str, Any], arrays: Mapping[str, npt.NDArray[Any]]
) -> SiameseNetwork:
    """A network in torch with the weights of a model folder."""
    weights = {name: torch.tensor(a, dtype=torch.float32) for name, a in arrays.items()}
    if SCALES in weights:
        weights[WORDS] *= weights.pop(SCALES)
    return network_of_weights(kind, sizes, weights)


def numpy_network(network: SiameseNetwork) -> Network:
    """The same network for reading without torch, its weights unrounded."""
    arrays = {name: t.detach().numpy() for name, t in network.state_dict().items()}
    return Network.from_arrays(arrays, describe_network(network)["sizes"])
