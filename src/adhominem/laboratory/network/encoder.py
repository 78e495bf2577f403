"""Documents to features of a network in torch, without gradients."""

from __future__ import annotations

import numpy as np
import torch

from adhominem.arrays import Singles
from adhominem.instrument.network.encoder import Features
from adhominem.instrument.network.encoder import encode_documents as encode_with_numpy
from adhominem.instrument.network.stretches import LineRanges, cut_documents
from adhominem.instrument.network.weights import unit_length
from adhominem.instrument.text.encode import Encoded
from adhominem.laboratory.network.arrays import numpy_network
from adhominem.laboratory.network.feature_extractor import (
    FeatureExtractor,
    device_of,
    gpu_precision,
)
from adhominem.laboratory.network.model import SiameseNetwork

_BATCH = 1024  # stretches in one batch on a GPU


def encode_documents(network: SiameseNetwork, corpus: Encoded, *, max_lines: int = 40) -> Features:
    """Features of every document: on the CPU by the NumPy encoder, with attention; on a GPU by
    `encode_ragged`, without attention."""
    if device_of(network).type == "cpu":
        return encode_with_numpy(numpy_network(network), corpus, max_lines=max_lines)
    features = encode_ragged(network, corpus, max_lines=max_lines, precision=gpu_precision())
    return Features(features, None, None)


def encode_ragged(
    network: SiameseNetwork, corpus: Encoded, *, max_lines: int, precision: torch.dtype
) -> Singles:
    """Features (n_documents, D_f), read without padding; `precision` is that of the LSTMs."""
    stretches = cut_documents(corpus, max_lines)
    extractor = FeatureExtractor(network, corpus, precision=precision)
    y = _read(extractor, stretches.ranges)
    features = np.full((corpus.n_documents, y.shape[1]), np.nan)
    features[stretches.owner] = 0
    np.add.at(features, stretches.owner, y * stretches.share[:, None])
    if network.has_unit_length:
        features = unit_length(features)
    return features.astype(np.float32)


@torch.inference_mode()
def _read(extractor: FeatureExtractor, ranges: LineRanges) -> Singles:
    """Features of each stretch, in batches of stretches of similar length."""
    network = extractor.network
    y = np.zeros((len(ranges), network.n_features), dtype=np.float32)
    order = np.argsort(ranges.count, kind="stable")
    was_training = network.training
    network.eval()
    for start in range(0, len(order), _BATCH):
        rows = order[start : start + _BATCH]
        batch = extractor.batch(LineRanges(ranges.first[rows], ranges.count[rows]))
        y[rows] = extractor.features(batch).cpu().numpy()
    network.train(was_training)
    return y
