"""The running mean of the weights, which does better than the weights of any one step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from adhominem.laboratory.network.model import SiameseNetwork


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
