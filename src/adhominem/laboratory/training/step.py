"""One optimiser step on the global batch.

On a GPU nothing waits for the device: the batch of the next step is cut out of the corpus on a
stream of its own while the device works, and losses stay where they are until somebody asks.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from adhominem.instrument.network.stretches import LineRanges
from adhominem.laboratory.corpus.pairs import PairTable
from adhominem.laboratory.network.hiding import Hiding
from adhominem.laboratory.network.model import Batch, Masks, SiameseNetwork
from adhominem.laboratory.network.ragged_batches import RaggedBatch, to_device
from adhominem.laboratory.training.config import TrainingConfig
from adhominem.laboratory.training.data import TrainingData
from adhominem.laboratory.training.drawing import draw_key, draw_masks, draw_stretches, interleave
from adhominem.laboratory.training.graphs import Replayer
from adhominem.laboratory.training.objectives import OBJECTIVES, Truth
from adhominem.laboratory.training.processes import World
from adhominem.laboratory.training.reading import RaggedReader, Reader, device_of, make_reader

_MOST_TAUGHT = 0.25  # of the device's free memory; larger tables of a teacher stay on the host


@dataclass(frozen=True, slots=True)
class Prepared:
    """All that a step needs, on the device; `batch` is None where this process has no share."""

    batch: Batch | RaggedBatch | None
    masks: Masks | None
    truth: Truth

    def tensors(self) -> list[Tensor]:
        found: list[Tensor] = []
        if isinstance(self.batch, RaggedBatch):
            found = self.batch.tensors()
        elif self.batch is not None:
            b = self.batch
            found = [b.words, b.characters, b.tokens, b.lines]
        if self.masks is not None:
            found += [self.masks.words, self.masks.sentences, self.masks.documents]
        truth = self.truth
        return found + [t for t in (truth.same_author, truth.taught, truth.block) if t is not None]

    def size(self) -> Hashable:
        """Steps of one size launch the same kernels."""
        assert isinstance(self.batch, RaggedBatch)
        longest = self.batch.lines.longest, self.batch.documents.longest
        return self.truth.n_pairs, longest, tuple(tensor.shape for tensor in self.tensors())


class Stepper:
    """Takes steps with one network and one optimiser. `reader` is the one for the device, unless
    another is given."""

    def __init__(
        self,
        network: SiameseNetwork,
        optimiser: torch.optim.Optimizer,
        data: TrainingData,
        config: TrainingConfig,
        *,
        seed: int,
        world: World = World(),
        reader: Reader | None = None,
    ) -> None:
        self._network, self._optimiser = network, optimiser
        self._data, self._config, self._seed, self._world = data, config, seed, world
        self._device = device_of(network)
        self._reader = reader or make_reader(network, data.corpus)
        self._taught = self._teacher()
        self._stream: torch.cuda.Stream | None = None
        if self._device.type == "cuda":
            self._stream = torch.cuda.Stream(self._device, priority=-1)  # type: ignore[no-untyped-call]
        self._ahead: tuple[int, Prepared] | None = None
        self._trained = [p for group in optimiser.param_groups for p in group["params"]]
        self._replay: Replayer[Prepared] | None = None
        if world.size == 1 and isinstance(self._reader, RaggedReader) and self._reader.rounded:
            self._replay = Replayer(self._compute, self._trained)

    def take(self, pairs: PairTable, step: int) -> Tensor:
        """Returns (2,): the summed loss of the global batch and its wrong decisions."""
        prepared = self._prepared(pairs, step)
        self._network.train()
        self._optimiser.zero_grad(set_to_none=True)
        totals = (self._replay or self._compute)(prepared)
        _add_up_gradients(self._trained, self._world)
        self._world.add_up(totals)
        nn.utils.clip_grad_norm_(self._trained, self._config.clip_norm)
        self._optimiser.step()
        return totals

    def _compute(self, prepared: Prepared) -> Tensor:
        """Sets the gradients; returns this process's part of the totals."""
        truth = prepared.truth
        y: Tensor | None = None
        if prepared.batch is not None:
            y = self._reader.features(prepared.batch, prepared.masks)
            y = y[: 2 * len(truth.same_author)]  # the rest fills the batch up
        objective = OBJECTIVES[self._config.objective](
            y, truth, self._config, self._network.n_features, self._device, self._world
        )
        if objective.loss.requires_grad:
            torch.autograd.backward(objective.loss / truth.n_pairs)
        return objective.totals

    def look_ahead(self, pairs: PairTable, step: int) -> None:
        """Prepares a step that will be taken next, where that can be done meanwhile."""
        if self._stream is not None:
            with torch.cuda.stream(self._stream):
                self._ahead = step, self._prepare(pairs, step)

    def _prepared(self, pairs: PairTable, step: int) -> Prepared:
        if self._stream is None:
            return self._prepare(pairs, step)
        if self._ahead is None or self._ahead[0] != step:
            self.look_ahead(pairs, step)
        assert self._ahead is not None
        _, prepared = self._ahead
        self._ahead = None
        current = torch.cuda.current_stream(self._device)
        current.wait_stream(self._stream)
        for tensor in prepared.tensors():
            tensor.record_stream(current)
        return prepared

    def _prepare(self, pairs: PairTable, step: int) -> Prepared:
        config, seed = self._config, self._seed
        ranges = draw_stretches(self._data.corpus, pairs, config, seed, step)
        first, last = self._world.share(len(pairs))
        mine = slice(2 * first, 2 * last)
        batch, masks = None, None
        if last > first:
            masks = draw_masks(self._network, ranges, mine, self._device, seed, step)
            batch = self._reader.batch(
                LineRanges(ranges.first[mine], ranges.count[mine]),
                Hiding(config.unknown_share, draw_key(seed, step), config.content_share),
            )
            masks = _fitted(masks, batch)
        same = to_device(pairs.same_author[first:last], self._device)
        block = None if pairs.block is None else to_device(pairs.block, self._device)
        return Prepared(batch, masks, Truth(len(pairs), same, self._taught_features(pairs), block))

    def _teacher(self) -> Tensor | None:
        """The teacher's features of all documents on the device, where it has room for them."""
        taught = self._data.taught
        if taught is None or self._device.type != "cuda":
            return None
        free, _ = torch.cuda.mem_get_info(self._device)
        if taught.nbytes > _MOST_TAUGHT * free:
            return None
        return torch.from_numpy(np.array(taught)).to(self._device)

    def _taught_features(self, pairs: PairTable) -> Tensor | None:
        if self._data.taught is None:
            return None
        documents = interleave(pairs)
        if self._taught is not None:
            return self._taught[to_device(documents, self._device)].float()
        return to_device(self._data.taught[documents].astype(np.float32), self._device)


def _fitted(masks: Masks | None, batch: Batch | RaggedBatch) -> Masks | None:
    """Masks with rows for the lines and documents that fill the batch up."""
    if masks is None or not isinstance(batch, RaggedBatch):
        return masks
    lines = batch.lines.n - len(masks.words)
    documents = batch.documents.n - len(masks.documents)
    if not lines and not documents:
        return masks
    return Masks(
        words=nn.functional.pad(masks.words, (0, 0, 0, lines)),
        sentences=nn.functional.pad(masks.sentences, (0, 0, 0, documents)),
        documents=nn.functional.pad(masks.documents, (0, 0, 0, documents)),
    )


def _add_up_gradients(parameters: list[nn.Parameter], world: World) -> None:
    if world.size == 1:
        return
    for parameter in parameters:
        if parameter.grad is None:
            parameter.grad = torch.zeros_like(parameter)
    flat = torch.cat([p.grad.flatten() for p in parameters if p.grad is not None])
    world.add_up(flat)
    sizes = [p.numel() for p in parameters]
    for parameter, grad in zip(parameters, torch.split(flat, sizes), strict=True):
        parameter.grad = grad.view_as(parameter)
