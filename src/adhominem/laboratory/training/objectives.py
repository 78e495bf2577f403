"""What a step minimises: the paper's loss over pairs with two thresholds, or a loss over authors.

An objective gets the features of this process's documents (both documents of a pair in turn; None
if it has no share) and returns the loss to differentiate and the totals for the record.

The loss over authors is ours. Each author's two documents are compared with those of all others:
with f_i and g_i the features of the two documents of author i and t the temperature,

    L_i = -log softmax_j(-||f_i - g_j||^2 / t)_i  and the same with f and g exchanged, halved

so one step compares every document with as many others as there are authors in the batch. If a
batch is made of blocks, j runs over the authors of i's block.

A teacher is another model, or several with their features side by side. In a share of the loss, its
softmax over a batch replaces the target "i only": it knows which authors are alike, and it has read
the whole documents, of which the learner sees a stretch.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from adhominem.laboratory.network.model import distance, double_threshold_loss
from adhominem.laboratory.training import TrainingConfig, World

_ELSEWHERE = 1e9  # squared distance between blocks; finite, for soft targets of 0


@dataclass(frozen=True, slots=True)
class PairLabels:
    """What is known of the pairs of a step, on the device."""

    n_pairs: int  # of all processes
    same_author: Tensor  # (this process's pairs,)
    teacher: Tensor | None = None  # (2 n_pairs, width) features by a teacher, if there is one
    block: Tensor | None = None  # (n_pairs,) number of the block, if there are several


@dataclass(frozen=True, slots=True)
class Objective:
    """`loss` is a sum over pairs; `totals` are this process's part of (loss, wrong decisions)."""

    loss: Tensor
    totals: Tensor


def pairs_objective(
    y: Tensor | None, labels: PairLabels, config: TrainingConfig, n_features: int, world: World
) -> Objective:
    """Equations (9) to (11) of the paper."""
    del n_features, world
    if y is None:
        nothing = torch.zeros(2, device=labels.same_author.device)
        return Objective(nothing[0], nothing)
    d = distance(y[0::2], y[1::2])
    same = labels.same_author
    loss = double_threshold_loss(d, same, config.tau_s, config.tau_d).sum()
    wrong = (d < (config.tau_s + config.tau_d) / 2) != same
    return Objective(loss, torch.stack([loss.detach(), wrong.sum().to(loss.dtype)]))


def authors_objective(
    y: Tensor | None, labels: PairLabels, config: TrainingConfig, n_features: int, world: World
) -> Objective:
    """The loss over authors, in every process for the whole batch; the first one counts it."""
    first, _ = world.share(labels.n_pairs)
    device = labels.same_author.device
    everyone = gather_rows(y, 2 * first, 2 * labels.n_pairs, n_features, device, world)
    targets = None
    if labels.teacher is not None:
        f, g = labels.teacher[0::2], labels.teacher[1::2]
        targets = teacher_targets(f, g, config.teacher_share, labels.block)
    f, g = everyone[0::2], everyone[1::2]
    losses, wrong = author_loss(f, g, config.temperature, targets, labels.block)
    loss = losses.sum()
    totals = torch.stack([loss.detach(), wrong.sum().to(loss.dtype)]) * (world.rank == 0)
    return Objective(loss, totals)


OBJECTIVES: dict[str, Callable[..., Objective]] = {
    "pairs": pairs_objective,
    "authors": authors_objective,
}


def author_loss(
    f: Tensor,
    g: Tensor,
    temperature: float,
    targets: tuple[Tensor, Tensor] | None = None,
    block: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """The loss of each author, and whether another author's document is nearer than their own.
    `targets` are probabilities of each g for f and of each f for g; None: the author's own document
    has probability 1. `block` (A,) has the number of each author's block, if there are several."""
    logits = -squared_distances(f, g, block) / temperature  # (A, A)
    own = torch.arange(len(f), device=f.device)
    for_f, for_g = (own, own) if targets is None else targets
    both = nn.functional.cross_entropy(logits, for_f, reduction="none")
    both = both + nn.functional.cross_entropy(logits.T, for_g, reduction="none")
    return both / 2, logits.argmax(dim=1) != own  # (A,), (A,)


def teacher_targets(
    f: Tensor, g: Tensor, teacher_share: float, block: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Targets from a teacher's features of the same documents, which are scaled to a temperature
    of 1: its softmax by the given share, and the labels for the rest."""
    logits = -squared_distances(f, g, block)  # (A, A)
    own = (1 - teacher_share) * torch.eye(len(f), device=f.device)
    return (
        own + teacher_share * torch.softmax(logits, dim=1),
        own + teacher_share * torch.softmax(logits.T, dim=1),
    )


def squared_distances(f: Tensor, g: Tensor, block: Tensor | None = None) -> Tensor:
    """||f_i - g_j||^2 for all i and j, by one matrix product; very large between blocks."""
    squares = (f**2).sum(dim=1, keepdim=True) + (g**2).sum(dim=1)  # (A, A)
    distances = torch.clamp(squares - 2 * f @ g.T, min=0)
    if block is None:
        return distances
    return torch.where(block.unsqueeze(1) == block, distances, _ELSEWHERE)


def gather_rows(
    mine: Tensor | None, first: int, n: int, width: int, device: torch.device, world: World
) -> Tensor:
    """The rows (n, width) of all processes; only the rows of this process have a gradient. If each
    process differentiates the loss of the whole batch, the gradients add up to that of the loss."""
    if world.size == 1 and mine is not None:
        return mine
    everyone = torch.zeros(n, width, device=device)
    if mine is not None:
        everyone[first : first + len(mine)] = mine.detach()
    world.add_up(everyone)
    if mine is None:
        return everyone
    return torch.cat([everyone[:first], mine, everyone[first + len(mine) :]])
