"""Documents to features of a network in torch, without gradients."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch

from adhominem.instrument.network.encoder import Features
from adhominem.instrument.network.encoder import encode_documents as encode_with_numpy
from adhominem.instrument.network.stretches import LineRanges, cut_documents
from adhominem.instrument.network.weights import unit_length
from adhominem.instrument.text.encode import Encoded
from adhominem.laboratory.network.arrays import numpy_network
from adhominem.laboratory.network.model import SiameseNetwork
from adhominem.laboratory.network.ragged import read_ragged
from adhominem.laboratory.network.ragged_batches import RaggedCollator

Floats = npt.NDArray[np.float32]
_BATCH = 1024  # stretches in one batch on a GPU


def encode_documents(network: SiameseNetwork, corpus: Encoded, *, max_lines: int = 40) -> Features:
    """Features of every document: on the CPU by the NumPy encoder, with attention; on a GPU by
    `encode_ragged`, without attention."""
    device = next(network.parameters()).device
    if device.type == "cpu":
        return encode_with_numpy(numpy_network(network), corpus, max_lines=max_lines)
    dtype = torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float32
    features = encode_ragged(network, corpus, max_lines=max_lines, dtype=dtype)
    return Features(features, None, None)


def encode_ragged(
    network: SiameseNetwork, corpus: Encoded, *, max_lines: int, dtype: torch.dtype
) -> Floats:
    """Features (n_documents, D_f), read without padding as in training on a GPU; `dtype` is the
    precision of the LSTMs."""
    stretches = cut_documents(corpus, max_lines)
    y = _read(network, corpus, stretches.ranges, dtype)
    features = np.full((corpus.n_documents, y.shape[1]), np.nan)
    features[stretches.owner] = 0
    np.add.at(features, stretches.owner, y * stretches.share[:, None])
    if network.has_unit_length:
        features = unit_length(features)
    return features.astype(np.float32)


@torch.inference_mode()
def _read(
    network: SiameseNetwork, corpus: Encoded, ranges: LineRanges, dtype: torch.dtype
) -> Floats:
    """Features of each stretch, in batches of stretches of similar length."""
    collator = RaggedCollator(corpus, next(network.parameters()).device)
    y = np.zeros((len(ranges), network.n_features), dtype=np.float32)
    order = np.argsort(ranges.count, kind="stable")
    was_training = network.training
    network.eval()
    for start in range(0, len(order), _BATCH):
        rows = order[start : start + _BATCH]
        batch = collator.batch(LineRanges(ranges.first[rows], ranges.count[rows]))
        y[rows] = read_ragged(network, batch, dtype=dtype).features.cpu().numpy()
    network.train(was_training)
    return y
