"""Settings of a training run, by default the published ones, and its processes.

`torchrun` may start several processes. Each draws the same global batch and works on its share of
the pairs; gradients are summed, so a step is the same as with a single process.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

import torch
from torch import Tensor, distributed

_PATIENCE = timedelta(days=1)  # time in which the first process prepares a large corpus
OBJECTIVES = ("pairs", "authors")


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """Settings of training.

    The objective is "pairs", the loss of the paper over labelled pairs with the thresholds tau_s
    and tau_d, or "authors": all pairs are same-author pairs, and a batch has blocks of authors of
    one genre, who are each other's negatives.
    """

    epochs: int = 30
    batch_pairs: int = 32  # pairs in a batch, shared by all processes
    learning_rate: float = 1.5e-3
    restart_steps: int = 300  # period of the learning rate (cosine with restarts)
    clip_norm: float = 5.0  # largest norm of the gradient
    patience: int = 5  # epochs without a lower development error after which training ends
    max_lines: int = 40  # longest stretch of a document that is read at once
    tau_s: float = 1.0
    tau_d: float = 3.0
    checkpoint_steps: int = 500  # between two checkpoints
    objective: str = "pairs"
    temperature: float = 1.0  # divisor of squared distances, for "authors"
    topic_share: float = 0.5  # share of blocks within one topic, for "authors"
    block_pairs: int = 0  # authors in a block; 0 means as many as in a batch
    genre_power: float = 0.5  # a genre's probability is this power of its number of authors
    epoch_steps: int = 250  # steps in an epoch, for "authors"
    shortest_stretch: float = 1.0  # least share of a document that is read, from a random line on
    unknown_share: float = 0.0  # share of tokens that are replaced by the unknown token
    content_share: float = 0.0  # share of documents in which content words are replaced as well
    teacher_share: float = 0.0  # weight of the teachers' softmax in the targets, for "authors"
    left_out: tuple[str, ...] = ()  # prepared genres that are not trained on
    average: float = 0.0  # decay of the exponential moving average of the weights; 0 means none


@dataclass(frozen=True, slots=True)
class World:
    """The processes of a run, and the number of this one."""

    rank: int = 0
    size: int = 1

    def share(self, n: int) -> tuple[int, int]:
        """Return the range (start, stop) of this process's pairs out of n."""
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
        """Return the value of the first process in all processes."""
        if self.size == 1:
            return value
        tensor = torch.tensor([value], dtype=torch.float64, device=device)
        distributed.broadcast(tensor, src=0)
        return float(tensor.item())


@contextmanager
def join_world(device: torch.device) -> Iterator[World]:
    """Join the processes that `torchrun` has started, if any. All but the first end with the block:
    threads of their connections may outlive the interpreter, which then aborts."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size == 1:
        yield World()
        return
    if device.type == "cuda":
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    distributed.init_process_group("nccl" if device.type == "cuda" else "gloo", timeout=_PATIENCE)
    try:
        world = World(distributed.get_rank(), distributed.get_world_size())
        yield world
        distributed.barrier()  # no process leaves while another still communicates with it
        if world.rank > 0:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(0)
    finally:
        distributed.destroy_process_group()
