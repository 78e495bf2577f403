"""Learning from whole batches of authors: each author's two documents against all the others.

With f_i and g_i the features of the two documents of author i and t the temperature,

    L_i = -log softmax_j(-||f_i - g_j||^2 / t)_i  and the same with f and g exchanged, halved

so one step compares every document with as many strangers as there are authors in the batch. Where
a batch is made of blocks, j runs over the authors of i's block. Ours; the paper learns from pairs.

A teacher is another model, or several whose features stand side by side. What its softmax says of a
batch takes the place of "i and nobody else" in a share of the loss: it knows which strangers are
alike, and it read the documents whole, where the learner sees a stretch of them.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from adhominem.laboratory.training.processes import World

_ELSEWHERE = 1e9  # added to squared distances between blocks; finite, for soft targets of 0


def author_loss(
    f: Tensor,
    g: Tensor,
    temperature: float,
    targets: tuple[Tensor, Tensor] | None = None,
    block: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """A loss for each author, and whether a stranger's document is nearer than his own other.
    `targets` are probabilities of each g for f and of each f for g, where not those of the labels.
    `block` (A,) numbers the blocks, where there are several.
    """
    logits = -squared_distances(f, g, block) / temperature  # (A, A)
    own = torch.arange(len(f), device=f.device)
    for_f, for_g = (own, own) if targets is None else targets
    both = nn.functional.cross_entropy(logits, for_f, reduction="none")
    both = both + nn.functional.cross_entropy(logits.T, for_g, reduction="none")
    return both / 2, logits.argmax(dim=1) != own  # (A,), (A,)


def taught_targets(
    f: Tensor, g: Tensor, teacher_share: float, block: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """From a teacher's features of the same documents, scaled to a temperature of 1: its softmax,
    and the labels for the rest."""
    logits = -squared_distances(f, g, block)  # (A, A)
    own = (1 - teacher_share) * torch.eye(len(f), device=f.device)
    return (
        own + teacher_share * torch.softmax(logits, dim=1),
        own + teacher_share * torch.softmax(logits.T, dim=1),
    )


def squared_distances(f: Tensor, g: Tensor, block: Tensor | None = None) -> Tensor:
    """||f_i - g_j||^2 for all i and j, without a difference for each of them; beyond all others
    where i and j are of different blocks."""
    squares = (f**2).sum(dim=1, keepdim=True) + (g**2).sum(dim=1)  # (A, A)
    distances = torch.clamp(squares - 2 * f @ g.T, min=0)
    if block is None:
        return distances
    return torch.where(block.unsqueeze(1) == block, distances, _ELSEWHERE)


def gather_rows(
    mine: Tensor | None, first: int, n: int, width: int, device: torch.device, world: World
) -> Tensor:
    """The rows of all processes, of which only this one's have a gradient. Each then works out the
    loss of the whole batch, and the gradients of all add up to that of the loss."""
    if world.size == 1 and mine is not None:
        return mine
    everyone = torch.zeros(n, width, device=device)
    if mine is not None:
        everyone[first : first + len(mine)] = mine.detach()
    world.add_up(everyone)
    if mine is None:
        return everyone
    return torch.cat([everyone[:first], mine, everyone[first + len(mine) :]])
