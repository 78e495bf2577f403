"""A network over stretches of a corpus, in the way that is fastest on its device.

On a CPU the network's own `forward` runs over packed sequences. On a GPU the batch has no padding
and the LSTMs are in half precision, if the GPU has it.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from adhominem.instrument.network.stretches import LineRanges
from adhominem.instrument.text.encode import Encoded
from adhominem.laboratory.network.batches import Collator, RaggedBatch
from adhominem.laboratory.network.hiding import Hiding
from adhominem.laboratory.network.model import Masks, SiameseNetwork
from adhominem.laboratory.network.ragged import read_ragged
from adhominem.laboratory.network.ragged_lstm import is_fused


class FeatureExtractor:
    """Cuts batches out of a corpus and computes their features.

    precision   of the LSTMs, to read without padding; None: packed sequences, in single precision
    rounded     batches are filled up to few sizes, so that the kernels of a step can be recorded
    """

    def __init__(
        self,
        network: SiameseNetwork,
        corpus: Encoded,
        *,
        precision: torch.dtype | None = None,
        rounded: bool = False,
    ) -> None:
        self.network, self.precision, self.rounded = network, precision, rounded
        self._collator = Collator(corpus, device_of(network), rounded=rounded)

    def batch(self, ranges: LineRanges, hiding: Hiding = Hiding()) -> RaggedBatch:
        """The batch of these stretches, with some tokens hidden."""
        return self._collator.batch(ranges, hiding)

    def features(self, batch: RaggedBatch, masks: Masks | None = None) -> Tensor:
        """Features (B, D_f) of a batch, with a gradient."""
        if self.precision is not None:
            return read_ragged(self.network, batch, masks, dtype=self.precision).features
        features: Tensor = self.network(batch.padded(), masks).features
        return features


def fastest_extractor(network: SiameseNetwork, corpus: Encoded) -> FeatureExtractor:
    """The fastest one for training on the device of the network."""
    device = device_of(network)
    if device.type != "cuda":
        return FeatureExtractor(network, corpus)
    precision = gpu_precision()
    lstms = [module for module in network.modules() if isinstance(module, nn.LSTM)]
    rounded = all(is_fused(lstm, device, precision) for lstm in lstms)
    return FeatureExtractor(network, corpus, precision=precision, rounded=rounded)


def gpu_precision() -> torch.dtype:
    """bfloat16 if the GPU has it, single precision otherwise."""
    return torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float32


def device_of(network: SiameseNetwork) -> torch.device:
    """The device of the weights."""
    return next(network.parameters()).device
