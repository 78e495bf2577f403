"""Data of a training run, and random draws of a step: stretches, dropout masks, hidden tokens.

A draw depends on the seed and the number of the step only.
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
    draw: Callable[[int], PairTable]  # returns the training pairs of an epoch
    dev: Mapping[str, PairTable]  # development pairs by genre
    teacher: npt.NDArray[np.float16] | None = None  # a teacher's features of each document


def draw_stretches(
    corpus: Encoded, pairs: PairTable, config: TrainingConfig, seed: int, step: int
) -> LineRanges:
    """Draw a stretch of each document of the pairs, left and right in turn. It has at most
    `max_lines` lines, and at least the share `shortest_stretch` of the longest possible stretch."""
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
    """Draw the dropout masks of a batch; return those of the documents `mine`, None without
    dropout."""
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
    """Return the left and the right document of each pair in turn."""
    return np.stack([pairs.left, pairs.right], axis=1).ravel()
