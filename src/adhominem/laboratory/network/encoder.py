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
from adhominem.laboratory.network.batches import Collator
from adhominem.laboratory.network.model import SiameseNetwork

Floats = npt.NDArray[np.float32]
_BATCH = 256  # stretches in one batch on a GPU


def encode_documents(network: SiameseNetwork, corpus: Encoded, *, max_lines: int = 40) -> Features:
    """Features of every document: on the CPU by the NumPy encoder, with attention; on a GPU by the
    network itself, in batches of stretches of similar length, without attention."""
    device = next(network.parameters()).device
    if device.type == "cpu":
        return encode_with_numpy(numpy_network(network), corpus, max_lines=max_lines)
    stretches = cut_documents(corpus, max_lines)
    y = _read(network, Collator(corpus, device), stretches.ranges)
    features = np.full((corpus.n_documents, y.shape[1]), np.nan)
    features[stretches.owner] = 0
    np.add.at(features, stretches.owner, y * stretches.share[:, None])
    if network.has_unit_length:
        features = unit_length(features)
    return Features(features.astype(np.float32), None, None)


@torch.inference_mode()
def _read(network: SiameseNetwork, collator: Collator, ranges: LineRanges) -> Floats:
    was_training = network.training
    network.eval()
    y = np.zeros((len(ranges), network.n_features), dtype=np.float32)
    order = np.argsort(ranges.count, kind="stable")
    for start in range(0, len(order), _BATCH):
        rows = order[start : start + _BATCH]
        batch = collator.batch(LineRanges(ranges.first[rows], ranges.count[rows]))
        y[rows] = network(batch).features.cpu().numpy()
    network.train(was_training)
    return y
