"""The losses of training: the paper's, over pairs with two thresholds, and one over authors.

The loss over authors is not in the paper. The two documents of each author are compared with those
of all others: with f_i and g_i the features of the two documents of author i and temperature t,

    L_i = -log softmax_j(-||f_i - g_j||^2 / t)_i,  averaged with the same after exchanging f and g

so one step compares every document with as many others as there are authors in the batch. If a
batch has blocks, j runs over the authors of i's block.

A teacher is another model, or several with their features side by side. With a share of the weight,
its softmax over a batch replaces the target "i only": it knows which authors are similar, and it
has read the whole documents, of which the student sees a stretch.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from adhominem.laboratory.network.model import distance, double_threshold_loss
from adhominem.laboratory.training import TrainingConfig, World

_ELSEWHERE = 1e9  # squared distance between blocks; finite, as 0 times infinity is NaN


@dataclass(frozen=True, slots=True)
class PairLabels:
    """Labels of the pairs of a step, on the device."""

    n_pairs: int  # of all processes
    same_author: Tensor  # (this process's pairs,)
    teacher: Tensor | None = None  # (2 n_pairs, width) features by a teacher
    block: Tensor | None = None  # (n_pairs,) number of the block, if there are several


def objective(
    y: Tensor | None, labels: PairLabels, config: TrainingConfig, n_features: int, world: World
) -> tuple[Tensor, Tensor]:
    """Return the loss to differentiate, summed over pairs, and this process's share of the totals
    (loss, wrong decisions) for the record.

    y   (2 pairs, n_features) features of this process's documents, left and right in turn; None if
        it has no pairs

    The loss over authors is computed by every process for the whole batch; the first records it.
    """
    same, is_recorded = labels.same_author, True
    if config.objective == "authors":
        first, _ = world.share(labels.n_pairs)
        every = gather_rows(y, 2 * first, 2 * labels.n_pairs, n_features, same.device, world)
        f, g, targets = every[0::2], every[1::2], None
        if (teacher := labels.teacher) is not None:
            share = config.teacher_share
            targets = teacher_targets(teacher[0::2], teacher[1::2], share, labels.block)
        losses, wrong = author_loss(f, g, config.temperature, targets, labels.block)
        is_recorded = world.rank == 0
    else:  # equations (9) to (11)
        d = torch.zeros(0, device=same.device) if y is None else distance(y[0::2], y[1::2])
        losses = double_threshold_loss(d, same, config.tau_s, config.tau_d)
        wrong = (d < (config.tau_s + config.tau_d) / 2) != same
    loss = losses.sum()
    return loss, torch.stack([loss.detach(), wrong.sum().to(loss.dtype)]) * is_recorded


def author_loss(
    f: Tensor,
    g: Tensor,
    temperature: float,
    targets: tuple[Tensor, Tensor] | None = None,
    block: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """Return the loss of each author, and whether another author's document is nearer.

    targets   (A, A) each: probabilities of each g given f, and of each f given g; None if the
              author's own document has probability 1
    block     (A,) number of each author's block; None if there is only one
    """
    logits = -squared_distances(f, g, block) / temperature  # (A, A)
    own = torch.arange(len(f), device=f.device)
    for_f, for_g = (own, own) if targets is None else targets
    both = nn.functional.cross_entropy(logits, for_f, reduction="none")
    both = both + nn.functional.cross_entropy(logits.T, for_g, reduction="none")
    return both / 2, logits.argmax(dim=1) != own  # (A,), (A,)


def teacher_targets(
    f: Tensor, g: Tensor, teacher_share: float, block: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Return the targets of `author_loss`, a mean of the labels and the teacher's softmax weighted
    by `teacher_share`. f and g are the teacher's features, scaled to a temperature of 1."""
    logits = -squared_distances(f, g, block)  # (A, A)
    own = (1 - teacher_share) * torch.eye(len(f), device=f.device)
    by_f, by_g = (own + teacher_share * torch.softmax(x, dim=1) for x in (logits, logits.T))
    return by_f, by_g


def squared_distances(f: Tensor, g: Tensor, block: Tensor | None = None) -> Tensor:
    """Return ||f_i - g_j||^2 (A, A) by one matrix product; very large between blocks."""
    squares = (f**2).sum(dim=1, keepdim=True) + (g**2).sum(dim=1)  # (A, A)
    distances = torch.clamp(squares - 2 * f @ g.T, min=0)
    if block is None:
        return distances
    return torch.where(block.unsqueeze(1) == block, distances, _ELSEWHERE)


def gather_rows(
    mine: Tensor | None, first: int, n: int, width: int, device: torch.device, world: World
) -> Tensor:
    """Return the rows (n, width) of all processes; only the rows of this process have a gradient.
    If every process differentiates the loss of the whole batch, the sum of their gradients is the
    gradient of the loss."""
    if world.size == 1 and mine is not None:
        return mine
    everyone = torch.zeros(n, width, device=device)
    if mine is not None:
        everyone[first : first + len(mine)] = mine.detach()
    world.add_up(everyone)
    if mine is None:
        return everyone
    return torch.cat([everyone[:first], mine, everyone[first + len(mine) :]])
