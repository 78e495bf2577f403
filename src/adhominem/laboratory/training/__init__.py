"""One training run: its settings, whose defaults are the published ones, and its processes.

`torchrun` may start several. Each draws the same global batch and works on its share of the pairs;
gradients are added up, so the step is the one that a single process would have taken.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

import torch
from torch import Tensor, distributed

_PATIENCE = timedelta(days=1)  # the others wait while the first prepares a large corpus
OBJECTIVES = ("pairs", "authors")


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """The objective is "pairs", the paper's (labelled pairs and the thresholds tau_s and tau_d), or
    "authors": all pairs have one author, and a batch has blocks of authors of one genre, who are
    the negatives of each other. In `content_share` of the documents content words are hidden, with
    a probability drawn for each document, evenly from 0 to 1.
    """

    epochs: int = 30
    batch_pairs: int = 32  # pairs in a batch, which several processes share
    learning_rate: float = 1.5e-3
    restart_steps: int = 300  # after which the learning rate starts again from its highest
    clip_norm: float = 5.0  # largest norm of the gradient
    patience: int = 5  # epochs without a lower development error after which training ends
    max_lines: int = 40  # of a document that are read at once
    tau_s: float = 1.0
    tau_d: float = 3.0
    checkpoint_steps: int = 500  # between two checkpoints
    objective: str = "pairs"
    temperature: float = 1.0  # divisor of squared distances, for "authors"
    topic_share: float = 0.5  # of the blocks within one topic, for "authors"
    block_pairs: int = 0  # authors in a block; 0: as many as in a batch
    genre_power: float = 0.5  # blocks are drawn from genres by this power of their authors
    epoch_steps: int = 250  # in an epoch, for "authors"
    shortest_stretch: float = 1.0  # least share of a document that is read, from a random line on
    unknown_share: float = 0.0  # of the tokens that are hidden behind the unknown token
    content_share: float = 0.0
    teacher_share: float = 0.0  # of the teachers' distances in the targets of "authors"
    left_out: tuple[str, ...] = ()  # genres that are not learnt from, though they are prepared
    average: float = 0.0  # decay of the mean of the weights, which then is the model; 0: no mean


@dataclass(frozen=True, slots=True)
class World:
    """The processes of a run, and the number of this one."""

    rank: int = 0
    size: int = 1

    def share(self, n: int) -> tuple[int, int]:
        """The range of this process's pairs out of n: the first, and the one after the last."""
        return n * self.rank // self.size, n * (self.rank + 1) // self.size

    def add_up(self, tensor: Tensor) -> None:
        """Replace the tensor by its sum over all processes."""
        if self.size > 1:
            distributed.all_reduce(tensor)

    def wait(self) -> None:
        """Wait until all processes have called this."""
        if self.size > 1:
            distributed.barrier()

    def agree(self, value: float, device: torch.device) -> float:
        """The value of the first process, in all of them."""
        if self.size == 1:
            return value
        tensor = torch.tensor([value], dtype=torch.float64, device=device)
        distributed.broadcast(tensor, src=0)
        return float(tensor.item())


@contextmanager
def join_world(device: torch.device) -> Iterator[World]:
    """Join the processes that `torchrun` has started, if it has."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size == 1:
        yield World()
        return
    if device.type == "cuda":
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    distributed.init_process_group("nccl" if device.type == "cuda" else "gloo", timeout=_PATIENCE)
    try:
        yield World(distributed.get_rank(), distributed.get_world_size())
        distributed.barrier()  # none leaves while another still talks to it
    finally:
        distributed.destroy_process_group()
