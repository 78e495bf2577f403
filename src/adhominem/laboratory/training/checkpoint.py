"""Checkpoints: the state of a training run as one file, written atomically."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from adhominem.errors import ExperimentError
from adhominem.files import write_whole
from adhominem.laboratory.network.model import SiameseNetwork
from adhominem.laboratory.training.loop import EpochRecord, TrainingState, trained_parameters

_HASH = "sha256"
_SCALARS = ("epoch", "step_in_epoch", "step", "loss_sum", "wrong", "best_error", "best_epoch")


def save_checkpoint(
    path: Path, network: SiameseNetwork, optimiser: torch.optim.Optimizer, state: TrainingState
) -> None:
    """Write trained weights (not frozen ones), moments of the optimiser and the training state."""
    state.read()
    parts: dict[str, Mapping[str, Tensor]] = {"network": trained_parameters(network)}
    parts |= {"best": state.best, "average": state.average}
    for number, moments in optimiser.state_dict()["state"].items():
        parts[f"optimiser.{number}"] = {n: torch.as_tensor(value) for n, value in moments.items()}
    tensors = {
        f"{prefix}.{name}": tensor.detach().cpu().contiguous()
        for prefix, part in parts.items()
        for name, tensor in part.items()
    }
    scalars = {name: getattr(state, name) for name in _SCALARS}
    scalars["history"] = [asdict(record) for record in state.history]
    scalars[_HASH] = _digest(scalars, tensors)
    write_whole(path, save(tensors, metadata={"state": json.dumps(scalars)}))


def load_checkpoint(
    path: Path, network: SiameseNetwork, optimiser: torch.optim.Optimizer
) -> TrainingState:
    """Load weights into the network and moments into the optimiser; return the training state."""
    state, tensors = _read(path)
    parameters = trained_parameters(network)
    weights = _weights(tensors, "network.", path, network)
    for prefix, part in (("best.", state.best), ("average.", state.average)):
        if any(name.startswith(prefix) for name in tensors):
            own = _weights(tensors, prefix, path, network)
            part |= {name: own[name].to(p.device) for name, p in parameters.items()}
    network.load_state_dict(weights, strict=False)
    moments: dict[int, dict[str, Tensor]] = {}
    for name, tensor in tensors.items():
        if name.startswith("optimiser."):
            _, number, moment = name.split(".")
            moments.setdefault(int(number), {})[moment] = tensor
    optimiser.load_state_dict({**optimiser.state_dict(), "state": moments})
    return state


def load_best(path: Path, network: SiameseNetwork) -> None:
    """Load the trained weights of the best epoch into the network."""
    state, tensors = _read(path)
    if state.best_epoch < 0:
        raise ExperimentError(f"{path} has no finished epoch: train it first")
    network.load_state_dict(_weights(tensors, "best.", path, network), strict=False)


def _weights(
    tensors: dict[str, Tensor], prefix: str, path: Path, network: SiameseNetwork
) -> dict[str, Tensor]:
    """Return the weights under a prefix; raise an error if names or shapes do not fit."""
    found = {n.removeprefix(prefix): t for n, t in tensors.items() if n.startswith(prefix)}
    expected = {name: p.shape for name, p in trained_parameters(network).items()}
    if {name: tensor.shape for name, tensor in found.items()} != expected:
        raise ExperimentError(f"{path} belongs to another network: use another run folder")
    return found


def _digest(scalars: dict[str, Any], tensors: dict[str, Tensor]) -> str:
    digest = hashlib.sha256(json.dumps(scalars, sort_keys=True).encode())
    for name, tensor in sorted(tensors.items()):
        digest.update(f"{name} {tensor.dtype} {list(tensor.shape)}".encode())
        digest.update(tensor.reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()


def _read(path: Path) -> tuple[TrainingState, dict[str, Tensor]]:
    try:
        with safe_open(path, framework="pt") as file:
            content = json.loads(file.metadata()["state"])
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        if content.pop(_HASH, None) != _digest(content, tensors):
            raise ValueError("it was changed after it was written")
        history = [EpochRecord(**record) for record in content["history"]]
        scalars = {name: content[name] for name in _SCALARS}
    except (SafetensorError, OSError, KeyError, TypeError, ValueError) as error:
        raise ExperimentError(f"{path} is not a checkpoint ({error}): remove it") from None
    return TrainingState(**scalars, history=history), tensors
