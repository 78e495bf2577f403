"""How the documents of a step get through the network: packed on a CPU, without padding on a GPU.

Both read the same tokens with the same masks. On a GPU the LSTMs are in bfloat16.
"""

from __future__ import annotations

from typing import Protocol

import torch
from torch import Tensor, nn

from adhominem.instrument.network.stretches import LineRanges
from adhominem.instrument.text.encode import Encoded
from adhominem.laboratory.network.batches import Collator
from adhominem.laboratory.network.hiding import Hiding
from adhominem.laboratory.network.model import Batch, Masks, SiameseNetwork
from adhominem.laboratory.network.ragged import read_ragged
from adhominem.laboratory.network.ragged_batches import RaggedBatch, RaggedCollator
from adhominem.laboratory.network.ragged_lstm import is_fused


class Reader(Protocol):
    def batch(self, ranges: LineRanges, hiding: Hiding) -> Batch | RaggedBatch: ...
    def features(self, batch: Batch | RaggedBatch, masks: Masks | None) -> Tensor: ...


class PackedReader:
    def __init__(self, network: SiameseNetwork, corpus: Encoded) -> None:
        self._network = network
        self._collator = Collator(corpus, device_of(network))

    def batch(self, ranges: LineRanges, hiding: Hiding) -> Batch:
        return self._collator.batch(ranges, hiding)

    def features(self, batch: Batch | RaggedBatch, masks: Masks | None) -> Tensor:
        features: Tensor = self._network(batch, masks).features
        return features


class RaggedReader:
    """`rounded` batches have one of few sizes, so that the kernels of a step can be recorded."""

    def __init__(
        self,
        network: SiameseNetwork,
        corpus: Encoded,
        dtype: torch.dtype = torch.float32,
        *,
        rounded: bool = False,
    ) -> None:
        self.rounded = rounded
        self._network = network
        self._collator = RaggedCollator(corpus, device_of(network), rounded=rounded)
        self._dtype = dtype

    def batch(self, ranges: LineRanges, hiding: Hiding) -> RaggedBatch:
        return self._collator.batch(ranges, hiding)

    def features(self, batch: Batch | RaggedBatch, masks: Masks | None) -> Tensor:
        assert isinstance(batch, RaggedBatch)
        return read_ragged(self._network, batch, masks, dtype=self._dtype).features


def make_reader(network: SiameseNetwork, corpus: Encoded) -> Reader:
    """The fastest for the device on which the network is."""
    if device_of(network).type != "cuda":
        return PackedReader(network, corpus)
    dtype = torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float32
    lstms = [module for module in network.modules() if isinstance(module, nn.LSTM)]
    rounded = all(is_fused(lstm, device_of(network), dtype) for lstm in lstms)
    return RaggedReader(network, corpus, dtype, rounded=rounded)


def device_of(network: SiameseNetwork) -> torch.device:
    return next(network.parameters()).device
