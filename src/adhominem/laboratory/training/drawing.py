"""What a step draws, from the seed and the number of the step alone."""

from __future__ import annotations

import numpy as np
import torch

from adhominem.instrument.network.stretches import LineRanges
from adhominem.instrument.text.encode import Encoded
from adhominem.laboratory.corpus.pairs import PairTable
from adhominem.laboratory.network.model import Masks, SiameseNetwork
from adhominem.laboratory.training.config import TrainingConfig


def draw_stretches(
    corpus: Encoded, pairs: PairTable, config: TrainingConfig, seed: int, step: int
) -> LineRanges:
    """Both documents of each pair in turn; of each a random stretch, at most `max_lines` long and
    not shorter than the share of the document that the settings ask for."""
    rng = np.random.default_rng([seed, 1, step])
    documents = interleave(pairs)
    n_lines = corpus.documents[documents + 1] - corpus.documents[documents]
    count = np.minimum(n_lines, config.max_lines)
    if config.shortest_stretch < 1:
        least = np.ceil(config.shortest_stretch * count).astype(np.int64)
        count = rng.integers(np.maximum(least, 1), count + 1)
    start = rng.integers(0, n_lines - count + 1)
    return LineRanges(corpus.documents[documents] + start, count)


def draw_masks(
    network: SiameseNetwork,
    ranges: LineRanges,
    mine: slice,
    device: torch.device,
    seed: int,
    step: int,
) -> Masks | None:
    """Masks for the global batch, of which this process keeps its own rows."""
    if not network.config.dropout:
        return None
    state = np.random.SeedSequence([seed, 2, step]).generate_state(1, np.uint64)
    generator = torch.Generator(device).manual_seed(int(state[0] >> np.uint64(1)))
    starts = np.concatenate([[0], np.cumsum(ranges.count)])
    masks = network.draw_masks(int(starts[-1]), len(ranges), generator)
    return Masks(
        words=masks.words[starts[mine.start] : starts[mine.stop]],
        sentences=masks.sentences[mine],
        documents=masks.documents[mine],
    )


def draw_key(seed: int, step: int) -> int:
    """Which tokens are hidden."""
    return int(np.random.SeedSequence([seed, 4, step]).generate_state(1, np.uint32)[0])


def interleave(pairs: PairTable) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Both documents of each pair in turn."""
    return np.stack([pairs.left, pairs.right], axis=1).ravel()
