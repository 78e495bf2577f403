"""Features of documents by a network in torch, and the error of their distances on pairs.

On a CPU, batches are read with the network's `forward` over packed sequences and whole documents
with NumPy. On a GPU, batches have no padding and LSTMs run in bfloat16 if the GPU supports it.
"""

from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor, nn

from adhominem.arrays import Booleans, Floats, Singles
from adhominem.instrument.network.encoder import Features
from adhominem.instrument.network.encoder import encode_documents as encode_with_numpy
from adhominem.instrument.network.stretches import cut_documents
from adhominem.instrument.network.weights import unit_length
from adhominem.instrument.text.encode import Encoded
from adhominem.laboratory.corpus.pairs import PairTable
from adhominem.laboratory.network import numpy_network
from adhominem.laboratory.network.batches import Collator, RaggedBatch
from adhominem.laboratory.network.model import Masks, SiameseNetwork
from adhominem.laboratory.network.ragged import is_fused, read_ragged

_BATCH = 1024  # stretches in one batch on a GPU


def encode_documents(network: SiameseNetwork, corpus: Encoded, *, max_lines: int = 40) -> Features:
    """Return features of all documents, with attention on a CPU and without it on a GPU."""
    if device_of(network).type == "cpu":
        return encode_with_numpy(numpy_network(network), corpus, max_lines=max_lines)
    features = encode_ragged(network, corpus, max_lines=max_lines, precision=gpu_precision())
    return Features(features, None, None)


@torch.inference_mode()
def encode_ragged(
    network: SiameseNetwork, corpus: Encoded, *, max_lines: int, precision: torch.dtype
) -> Singles:
    """Return features (n_documents, D_f), read without padding; `precision` is for the LSTMs."""
    stretches = cut_documents(corpus, max_lines)
    extractor = FeatureExtractor(network, corpus, precision=precision)
    y = np.zeros((len(stretches.ranges), network.n_features), dtype=np.float32)
    order = np.argsort(stretches.ranges.count, kind="stable")
    was_training = network.training
    network.eval()
    for start in range(0, len(order), _BATCH):
        rows = order[start : start + _BATCH]
        y[rows] = extractor.features(extractor.batch(stretches.ranges.select(rows))).cpu().numpy()
    network.train(was_training)
    features = stretches.average(y, corpus.n_documents)
    return (unit_length(features) if network.has_unit_length else features).astype(np.float32)


def distances_by_genre(
    network: SiameseNetwork, corpus: Encoded, tables: Mapping[str, PairTable], *, max_lines: int
) -> dict[str, Floats]:
    """Return the distances of the pairs of each genre; all documents are read together."""
    left, right = (
        np.concatenate([np.zeros(0, np.int64), *(getattr(t, side) for t in tables.values())])
        for side in ("left", "right")
    )
    documents, rows = np.unique(np.concatenate([left, right]), return_inverse=True)
    y = encode_documents(network, corpus.select(documents), max_lines=max_lines).features
    one, other = np.split(rows, 2)
    distances = np.linalg.norm(y[one].astype(np.float64) - y[other], axis=1)
    ends = np.cumsum([len(table) for table in tables.values()])
    return dict(zip(tables, np.split(distances, ends[:-1]), strict=True))


def lowest_error(distances: Floats, same: Booleans) -> float:
    """Return the error rate of the best threshold on the distance."""
    order = np.argsort(distances, kind="stable")
    is_same = same[order]
    accepted, refused = np.cumsum(~is_same), np.cumsum(is_same[::-1])[::-1]
    wrong = np.append(0, accepted) + np.append(refused, 0)
    ties = np.concatenate([[True], np.diff(distances[order]) > 0, [True]])
    return float(wrong[ties].min() / len(same))


class FeatureExtractor:
    """Cuts batches out of a corpus and computes their features.

    precision   of the LSTMs, which then run without padding; None runs the network's `forward`
    rounded     whether batches are filled up to few sizes, so that kernels can be recorded
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
        self.batch = Collator(corpus, device_of(network), rounded=rounded).batch

    def features(self, batch: RaggedBatch, masks: Masks | None = None) -> Tensor:
        """Return features (B, D_f) of a batch, with gradients."""
        if self.precision is not None:
            return read_ragged(self.network, batch, masks, dtype=self.precision).features
        features: Tensor = self.network(batch.padded(), masks).features
        return features


def fastest_extractor(network: SiameseNetwork, corpus: Encoded) -> FeatureExtractor:
    """Return the fastest extractor for training on the device of the network."""
    device = device_of(network)
    if device.type != "cuda":
        return FeatureExtractor(network, corpus)
    precision = gpu_precision()
    lstms = [module for module in network.modules() if isinstance(module, nn.LSTM)]
    rounded = all(is_fused(lstm, device, precision) for lstm in lstms)
    return FeatureExtractor(network, corpus, precision=precision, rounded=rounded)


def gpu_precision() -> torch.dtype:
    """Return bfloat16 if the GPU supports it, else float32."""
    return torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float32


def device_of(network: SiameseNetwork) -> torch.device:
    return next(network.parameters()).device
