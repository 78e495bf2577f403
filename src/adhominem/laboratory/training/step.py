"""One optimiser step on the global batch.

On a GPU the host never waits for the device: the next batch is prepared on a stream of its own, and
losses stay on the device until they are read. Launching hundreds of small kernels takes longer than
running them, so the forward and backward passes are recorded as CUDA graphs, one for each size of
batch. A graph repeats the kernels of an earlier step on the same memory, into which the tensors of
a new step are copied first.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from adhominem.laboratory.corpus.pairs import PairTable
from adhominem.laboratory.network.batches import RaggedBatch, to_device
from adhominem.laboratory.network.encoder import FeatureExtractor, device_of, fastest_extractor
from adhominem.laboratory.network.model import Masks, SiameseNetwork
from adhominem.laboratory.training import TrainingConfig, World
from adhominem.laboratory.training import data as draws
from adhominem.laboratory.training.data import TrainingData
from adhominem.laboratory.training.objectives import PairLabels, objective

_MOST_TEACHER = (
    0.25  # share of free device memory; a larger table of teacher features stays on host
)
_MOST_GRAPHS = 48  # for further sizes, kernels are launched one by one


@dataclass(frozen=True, slots=True)
class StepInputs:
    """Inputs of a step on the device; `batch` is None if this process has no pairs."""

    batch: RaggedBatch | None
    masks: Masks | None
    labels: PairLabels

    def tensors(self) -> list[Tensor]:
        """Return all tensors in a fixed order."""
        tensors = [] if self.batch is None else self.batch.tensors()
        if self.masks is not None:
            tensors += [self.masks.words, self.masks.sentences, self.masks.documents]
        labels = (self.labels.same_author, self.labels.teacher, self.labels.block)
        return tensors + [tensor for tensor in labels if tensor is not None]

    def size(self) -> Hashable:
        """Return the sizes of all tensors; steps of equal sizes launch the same kernels."""
        assert self.batch is not None
        longest = self.batch.lines.longest, self.batch.documents.longest
        return self.labels.n_pairs, longest, tuple(tensor.shape for tensor in self.tensors())


@dataclass(frozen=True, slots=True)
class _Captured:
    graph: torch.cuda.CUDAGraph
    inputs: list[Tensor]
    gradients: list[Tensor | None]
    result: Tensor


class Replayer:
    """Records a computation as a CUDA graph for each size of its inputs, and replays it.

    `compute` returns a tensor and sets the gradients of the parameters, which are None before. It
    must not wait for the device, and its kernels may depend on the sizes of the inputs only.
    """

    def __init__(
        self, compute: Callable[[StepInputs], Tensor], parameters: Sequence[nn.Parameter]
    ) -> None:
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
            # An earlier step of this size has compiled all kernels.
            graph = torch.cuda.CUDAGraph()
            self._pool = self._pool or torch.cuda.graph_pool_handle()
            try:
                with torch.cuda.graph(graph, pool=self._pool):
                    result = self._compute(inputs)
            except torch.OutOfMemoryError:
                self._most = 0
                return self._compute(inputs)
            gradients = [parameter.grad for parameter in self._parameters]
            self._captured[size] = _Captured(graph, inputs.tensors(), gradients, result)
        captured = self._captured[size]
        torch._foreach_copy_(captured.inputs, inputs.tensors())
        captured.graph.replay()
        for parameter, gradient in zip(self._parameters, captured.gradients, strict=True):
            parameter.grad = gradient
        return captured.result.clone()


class Stepper:
    """Takes optimiser steps, by default with the fastest feature extractor for the device."""

    def __init__(
        self,
        network: SiameseNetwork,
        optimiser: torch.optim.Optimizer,
        data: TrainingData,
        config: TrainingConfig,
        *,
        seed: int,
        world: World = World(),
        extractor: FeatureExtractor | None = None,
    ) -> None:
        self._network, self._optimiser = network, optimiser
        self._data, self._config, self._seed, self._world = data, config, seed, world
        self._device = device_of(network)
        self._extractor = extractor or fastest_extractor(network, data.corpus)
        self._teacher: Tensor | None = None  # features of all documents, if the GPU has room
        self._stream: torch.cuda.Stream | None = None
        if self._device.type == "cuda":
            self._stream = torch.cuda.Stream(self._device, priority=-1)  # type: ignore[no-untyped-call]
            most = _MOST_TEACHER * torch.cuda.mem_get_info(self._device)[0]
            if data.teacher is not None and data.teacher.nbytes <= most:
                self._teacher = torch.from_numpy(np.array(data.teacher)).to(self._device)
        self._ahead: tuple[int, StepInputs] | None = None
        self._trained = [p for group in optimiser.param_groups for p in group["params"]]
        self._replay: Replayer | None = None
        if world.size == 1 and self._extractor.rounded:
            self._replay = Replayer(self._compute, self._trained)

    def take(self, pairs: PairTable, step: int) -> Tensor:
        """Take a step; return the loss and the wrong decisions (2,) summed over the batch."""
        inputs = self._inputs(pairs, step)
        self._network.train()
        self._optimiser.zero_grad(set_to_none=True)
        totals = (self._replay or self._compute)(inputs)
        if self._world.size > 1:
            grads = [torch.zeros_like(p) if p.grad is None else p.grad for p in self._trained]
            flat = torch.cat([grad.flatten() for grad in grads])
            self._world.add_up(flat)
            sizes = [p.numel() for p in self._trained]
            for parameter, grad in zip(self._trained, torch.split(flat, sizes), strict=True):
                parameter.grad = grad.view_as(parameter)
        self._world.add_up(totals)
        nn.utils.clip_grad_norm_(self._trained, self._config.clip_norm)
        self._optimiser.step()
        return totals

    def look_ahead(self, pairs: PairTable, step: int) -> None:
        """Prepare the next step while a GPU works on this one; does nothing on a CPU."""
        if self._stream is not None:
            with torch.cuda.stream(self._stream):
                self._ahead = step, self._prepare(pairs, step)

    def _compute(self, inputs: StepInputs) -> Tensor:
        """Set the gradients; return this process's share of the totals."""
        labels, y = inputs.labels, None
        if inputs.batch is not None:
            y = self._extractor.features(inputs.batch, inputs.masks)
            y = y[: 2 * len(labels.same_author)]  # the rest fills the batch up
        width = self._network.n_features
        loss, totals = objective(y, labels, self._config, width, self._world)
        if loss.requires_grad:
            torch.autograd.backward(loss / labels.n_pairs)
        return totals

    def _inputs(self, pairs: PairTable, step: int) -> StepInputs:
        """Return the inputs of a step, which may have been prepared ahead."""
        if self._stream is None:
            return self._prepare(pairs, step)
        if self._ahead is None or self._ahead[0] != step:
            self.look_ahead(pairs, step)
        assert self._ahead is not None
        _, inputs = self._ahead
        self._ahead = None
        current = torch.cuda.current_stream(self._device)
        current.wait_stream(self._stream)
        for tensor in inputs.tensors():
            tensor.record_stream(current)
        return inputs

    def _prepare(self, pairs: PairTable, step: int) -> StepInputs:
        config, seed = self._config, self._seed
        ranges = draws.draw_stretches(self._data.corpus, pairs, config, seed, step)
        first, last = self._world.share(len(pairs))
        mine = slice(2 * first, 2 * last)
        batch, masks = None, None
        if last > first:
            masks = draws.draw_masks(self._network, ranges, mine, self._device, seed, step)
            hiding = draws.draw_hiding(config, seed, step)
            batch = self._extractor.batch(ranges.select(mine), hiding)
            if masks is not None and self._extractor.rounded:
                masks = _filled_up(masks, batch)
        same = to_device(pairs.same_author[first:last], self._device)
        block = None if pairs.block is None else to_device(pairs.block, self._device)
        teacher, documents = None, draws.interleave(pairs)
        if self._teacher is not None:
            teacher = self._teacher[to_device(documents, self._device)].float()
        elif self._data.teacher is not None:
            teacher = to_device(self._data.teacher[documents].astype(np.float32), self._device)
        return StepInputs(batch, masks, PairLabels(len(pairs), same, teacher, block))


def _filled_up(masks: Masks, batch: RaggedBatch) -> Masks:
    """Return masks padded with rows for the lines and documents that fill the batch up."""

    def fill(mask: Tensor, n: int) -> Tensor:
        return nn.functional.pad(mask, (0, 0, 0, n - len(mask)))

    lines, documents = batch.lines.n, batch.documents.n
    sentences = fill(masks.sentences, documents)
    return Masks(fill(masks.words, lines), sentences, fill(masks.documents, documents))
