"""The state of a run as one file, written whole or not at all."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from adhominem.errors import ExperimentError
from adhominem.files import write_whole
from adhominem.network.model import SiameseNetwork
from adhominem.training.loop import EpochRecord, TrainingState, trained_parameters

_SCALARS = ("epoch", "step_in_epoch", "step", "loss_sum", "wrong", "best_error", "best_epoch")


def save_checkpoint(
    path: Path, network: SiameseNetwork, optimiser: torch.optim.Optimizer, state: TrainingState
) -> None:
    """Trained weights, the optimiser's moments and the place in the run; no frozen weights."""
    from safetensors.torch import save

    tensors: dict[str, Tensor] = {}
    for name, parameter in trained_parameters(network).items():
        tensors[f"network.{name}"] = parameter.detach()
    for name, weight in state.best.items():
        tensors[f"best.{name}"] = weight
    for number, moments in optimiser.state_dict()["state"].items():
        for name, value in moments.items():
            tensors[f"optimiser.{number}.{name}"] = torch.as_tensor(value)
    scalars = {name: getattr(state, name) for name in _SCALARS}
    scalars["history"] = [asdict(record) for record in state.history]
    tensors = {name: tensor.cpu().contiguous() for name, tensor in tensors.items()}
    write_whole(path, save(tensors, metadata={"state": json.dumps(scalars)}))


def load_checkpoint(
    path: Path, network: SiameseNetwork, optimiser: torch.optim.Optimizer
) -> TrainingState:
    scalars, tensors = _read(path)
    parameters = trained_parameters(network)
    saved = {name.removeprefix("network.") for name in tensors if name.startswith("network.")}
    if saved != set(parameters):
        raise ExperimentError(f"{path} belongs to another network: use another run folder")
    moments: dict[int, dict[str, Tensor]] = {}
    best: dict[str, Tensor] = {}
    with torch.no_grad():
        for name, tensor in tensors.items():
            kind, _, rest = name.partition(".")
            if kind == "network":
                parameters[rest].copy_(tensor)
            elif kind == "best":
                best[rest] = tensor.to(parameters[rest].device)
            else:
                number, _, moment = rest.partition(".")
                moments.setdefault(int(number), {})[moment] = tensor
    optimiser.load_state_dict({**optimiser.state_dict(), "state": moments})
    history = [EpochRecord(**record) for record in scalars.pop("history")]
    return TrainingState(**scalars, best=best, history=history)


def load_best(path: Path, network: SiameseNetwork) -> None:
    """Gives the network the trained weights of the best epoch."""
    _, tensors = _read(path)
    best = {n.removeprefix("best."): t for n, t in tensors.items() if n.startswith("best.")}
    if set(best) != set(trained_parameters(network)):
        raise ExperimentError(f"{path} has no weights for this network: train it first")
    network.load_state_dict({**network.state_dict(), **best})


def _read(path: Path) -> tuple[dict[str, Any], dict[str, Tensor]]:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="pt") as file:
            scalars = json.loads(file.metadata()["state"])
            return scalars, {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (SafetensorError, OSError, KeyError, TypeError, ValueError) as error:
        raise ExperimentError(
            f"{path} is no checkpoint ({error}): remove it to begin anew"
        ) from None
