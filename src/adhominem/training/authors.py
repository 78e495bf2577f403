"""Learning from whole batches of authors: each author's two documents against all the others.

With f_i and g_i the features of the two documents of author i and t the temperature,

    L_i = -log softmax_j(-||f_i - g_j||^2 / t)_i  and the same with f and g exchanged, halved

so one step compares every document with as many strangers as there are authors in the batch.
Ours; the paper learns from pairs.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from adhominem.training.processes import World


def author_loss(f: Tensor, g: Tensor, temperature: float) -> tuple[Tensor, Tensor]:
    """A loss for each author, and whether a stranger's document is nearer than his own other."""
    logits = -squared_distances(f, g) / temperature  # (A, A)
    own = torch.arange(len(f), device=f.device)
    both = nn.functional.cross_entropy(logits, own, reduction="none")
    both = both + nn.functional.cross_entropy(logits.T, own, reduction="none")
    return both / 2, logits.argmax(dim=1) != own  # (A,), (A,)


def squared_distances(f: Tensor, g: Tensor) -> Tensor:
    """||f_i - g_j||^2 for all i and j, without a difference for each of them."""
    squares = (f**2).sum(dim=1, keepdim=True) + (g**2).sum(dim=1)  # (A, A)
    return torch.clamp(squares - 2 * f @ g.T, min=0)


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
