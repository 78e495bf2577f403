"""What a step minimises: the paper's pairs with two thresholds, or whole batches of authors.

Each gets the features of this process (documents of a pair in turn, None where its share is empty)
and gives the loss to be differentiated and what the global batch adds to the record.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from adhominem.corpus.pairs import PairTable
from adhominem.network.model import distance, double_threshold_loss
from adhominem.training.authors import author_loss, gather_rows, taught_targets
from adhominem.training.config import TrainingConfig
from adhominem.training.processes import World


@dataclass(frozen=True, slots=True)
class Objective:
    """`loss` is a sum over pairs; `totals` are this process's part of (loss, wrong decisions)."""

    loss: Tensor
    totals: Tensor


def pairs_objective(
    y: Tensor | None,
    pairs: PairTable,
    config: TrainingConfig,
    n_features: int,
    device: torch.device,
    world: World,
    taught: Tensor | None = None,
) -> Objective:
    """Equations (9) to (11) of the paper."""
    del n_features, taught
    if y is None:
        nothing = torch.zeros(2, device=device)
        return Objective(nothing[0], nothing)
    first, last = world.share(len(pairs))
    d = distance(y[0::2], y[1::2])
    same = torch.from_numpy(pairs.same_author[first:last]).to(device, non_blocking=True)
    loss = double_threshold_loss(d, same, config.tau_s, config.tau_d).sum()
    wrong = (d < (config.tau_s + config.tau_d) / 2) != same
    return Objective(loss, torch.stack([loss.detach(), wrong.sum().to(loss.dtype)]))


def authors_objective(
    y: Tensor | None,
    pairs: PairTable,
    config: TrainingConfig,
    n_features: int,
    device: torch.device,
    world: World,
    taught: Tensor | None = None,
) -> Objective:
    """Every process has the loss of the whole batch, and only the first one counts it. `taught`
    are a teacher's features of the batch."""
    first, _ = world.share(len(pairs))
    everyone = gather_rows(y, 2 * first, 2 * len(pairs), n_features, device, world)
    block = None
    if pairs.block is not None:
        block = torch.from_numpy(pairs.block).to(device, non_blocking=True)
    targets = None
    if taught is not None:
        targets = taught_targets(taught[0::2], taught[1::2], config.teacher_share, block)
    losses, wrong = author_loss(everyone[0::2], everyone[1::2], config.temperature, targets, block)
    loss = losses.sum()
    totals = torch.stack([loss.detach(), wrong.sum().to(loss.dtype)]) * (world.rank == 0)
    return Objective(loss, totals)


OBJECTIVES: dict[str, Callable[..., Objective]] = {
    "pairs": pairs_objective,
    "authors": authors_objective,
}
