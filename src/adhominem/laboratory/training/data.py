"""The data of a training run, and the stretches, masks and hidden tokens that a step draws.

A draw depends on the seed and the number of the step alone.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch

from adhominem.arrays import Integers
from adhominem.instrument.network.stretches import LineRanges
from adhominem.instrument.text.encode import Encoded
from adhominem.laboratory.corpus.pairs import PairTable
from adhominem.laboratory.network.batches import Hiding
from adhominem.laboratory.network.model import Masks, SiameseNetwork
from adhominem.laboratory.training import TrainingConfig


@dataclass(frozen=True, slots=True)
class TrainingData:
    corpus: Encoded
    draw: Callable[[int], PairTable]  # the training pairs of an epoch, given its number
    dev: Mapping[str, PairTable]  # by genre
    teacher: npt.NDArray[np.float16] | None = None  # features of each document by a teacher


def draw_stretches(
    corpus: Encoded, pairs: PairTable, config: TrainingConfig, seed: int, step: int
) -> LineRanges:
    """A random stretch of both documents of each pair in turn: at most `max_lines` long, and at
    least the share `shortest_stretch` of what can be read of the document."""
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
    """Dropout masks of the documents `mine`, out of those of the batch; None without dropout."""
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


def draw_hiding(config: TrainingConfig, seed: int, step: int) -> Hiding:
    key = int(np.random.SeedSequence([seed, 4, step]).generate_state(1, np.uint32)[0])
    return Hiding(config.unknown_share, key, config.content_share)


def interleave(pairs: PairTable) -> Integers:
    """Both documents of each pair in turn."""
    return np.stack([pairs.left, pairs.right], axis=1).ravel()
