"""One training run in several processes, as `torchrun` starts them.

Every process draws the same global batch and works on its share of the pairs; gradients are
added up, so the step is the one that a single process would have taken.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

import torch
from torch import Tensor, distributed

_PATIENCE = timedelta(days=1)  # the others wait while the first prepares a large corpus


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
    finally:
        distributed.destroy_process_group()
