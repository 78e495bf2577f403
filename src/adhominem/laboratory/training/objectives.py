"""What a step minimises: the paper's pairs with two thresholds, or whole batches of authors.

Each gets the features of this process (documents of a pair in turn, None where its share is empty)
and gives the loss to be differentiated and what the global batch adds to the record.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from adhominem.laboratory.network.model import distance, double_threshold_loss
from adhominem.laboratory.training.authors import author_loss, gather_rows, taught_targets
from adhominem.laboratory.training.config import TrainingConfig
from adhominem.laboratory.training.processes import World


@dataclass(frozen=True, slots=True)
class Truth:
    """What is known of the pairs of a step, on the device: how many they are in all processes,
    which of this process's are of one author, a teacher's features of all documents, and the block
    of each pair, where there are several."""

    n_pairs: int
    same_author: Tensor  # (this process's pairs,)
    taught: Tensor | None = None  # (2 n_pairs, width)
    block: Tensor | None = None  # (n_pairs,)


@dataclass(frozen=True, slots=True)
class Objective:
    """`loss` is a sum over pairs; `totals` are this process's part of (loss, wrong decisions)."""

    loss: Tensor
    totals: Tensor


def pairs_objective(
    y: Tensor | None,
    truth: Truth,
    config: TrainingConfig,
    n_features: int,
    device: torch.device,
    world: World,
) -> Objective:
    """Equations (9) to (11) of the paper."""
    del n_features, world
    if y is None:
        nothing = torch.zeros(2, device=device)
        return Objective(nothing[0], nothing)
    d = distance(y[0::2], y[1::2])
    same = truth.same_author
    loss = double_threshold_loss(d, same, config.tau_s, config.tau_d).sum()
    wrong = (d < (config.tau_s + config.tau_d) / 2) != same
    return Objective(loss, torch.stack([loss.detach(), wrong.sum().to(loss.dtype)]))


def authors_objective(
    y: Tensor | None,
    truth: Truth,
    config: TrainingConfig,
    n_features: int,
    device: torch.device,
    world: World,
) -> Objective:
    """Every process has the loss of the whole batch, and only the first one counts it."""
    first, _ = world.share(truth.n_pairs)
    everyone = gather_rows(y, 2 * first, 2 * truth.n_pairs, n_features, device, world)
    targets = None
    if truth.taught is not None:
        f, g = truth.taught[0::2], truth.taught[1::2]
        targets = taught_targets(f, g, config.teacher_share, truth.block)
    f, g = everyone[0::2], everyone[1::2]
    losses, wrong = author_loss(f, g, config.temperature, targets, truth.block)
    loss = losses.sum()
    totals = torch.stack([loss.detach(), wrong.sum().to(loss.dtype)]) * (world.rank == 0)
    return Objective(loss, totals)


OBJECTIVES: dict[str, Callable[..., Objective]] = {
    "pairs": pairs_objective,
    "authors": authors_objective,
}
