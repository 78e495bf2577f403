"""Forward and backward pass of a step as one launch: CUDA graphs, one for each size of batch.

Launching hundreds of small kernels takes longer than running them. A graph repeats the kernels of
an earlier step on the same memory, so the tensors of a new step are copied there first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

if TYPE_CHECKING:
    from adhominem.laboratory.training.step import StepInputs

    Compute = Callable[[StepInputs], Tensor]

_MOST_GRAPHS = 48  # further sizes, and those seen once, are launched kernel by kernel


@dataclass(frozen=True, slots=True)
class _Captured:
    graph: torch.cuda.CUDAGraph
    inputs: list[Tensor]
    gradients: list[Tensor | None]
    result: Tensor


class Replayer:
    """Records a computation once for each size of its inputs and replays it. `compute` sets the
    gradients of the parameters, which are None before, and returns a tensor. It must not wait for
    the device, and the kernels that it launches may depend on the sizes of its inputs only."""

    def __init__(self, compute: Compute, parameters: Sequence[nn.Parameter]) -> None:
        self._compute, self._parameters = compute, parameters
        self._captured: dict[Hashable, _Captured] = {}
        self._seen: Counter[Hashable] = Counter()
        self._pool: Any = None
        self._most = _MOST_GRAPHS

    def __call__(self, inputs: StepInputs) -> Tensor:
        size = inputs.size()
        self._seen[size] += 1
        if size not in self._captured:
            if self._seen[size] < 2 or len(self._captured) >= self._most:
                return self._compute(inputs)
            try:
                self._captured[size] = self._capture(inputs)
            except torch.OutOfMemoryError:
                self._most = 0
                return self._compute(inputs)
        captured = self._captured[size]
        torch._foreach_copy_(captured.inputs, inputs.tensors())
        captured.graph.replay()
        for parameter, gradient in zip(self._parameters, captured.gradients, strict=True):
            parameter.grad = gradient
        return captured.result.clone()

    def _capture(self, inputs: StepInputs) -> _Captured:
        """Record a step. An earlier step of this size was launched as usual, so all kernels are
        compiled."""
        if self._pool is None:
            self._pool = torch.cuda.graph_pool_handle()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, pool=self._pool):
            result = self._compute(inputs)
        gradients = [parameter.grad for parameter in self._parameters]
        return _Captured(graph, inputs.tensors(), gradients, result)
