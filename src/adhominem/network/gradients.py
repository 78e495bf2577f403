"""Integrated gradients (Sundararajan et al. 2017): the part of every token in the similarity.

On the straight way from a text of unknown tokens (x') to the text itself (x) the gradient of the
similarity s = -d by the inputs of a token, word and spelling, is added up:

    part = sum_i (x_i - x'_i) integral_0^1 ds/dx_i (x' + a (x - x')) da

The parts of all tokens are s(x) - s(x') together. Each side goes its way while the other stays as
it is; the integral is Gauss's sum over a few points. Markers stay what they are and have no part.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from adhominem.network.batches import Collator, EncodedCorpus, LineRanges, cut_documents
from adhominem.network.joining import join_stretches
from adhominem.network.model import AdHominem, Batch, distance

Floats = npt.NDArray[np.float64]
_UNKNOWN = 1  # of every vocabulary
_TOKENS = 8192  # in one run


@dataclass(frozen=True, slots=True)
class Parts:
    """Of every word of both sides; markers are not words."""

    left: Floats
    right: Floats


class _Way:
    """One side between unknown tokens (a = 0) and itself (a = 1)."""

    def __init__(self, network: AdHominem, corpus: EncodedCorpus, *, max_lines: int = 40) -> None:
        self._network = network
        self._collator = Collator(corpus, torch.device("cpu"))
        self._chunks = cut_documents(corpus, max_lines)
        self._n_tokens = np.diff(corpus.lines)

    @property
    def at_once(self) -> int:
        """Points that fit into one run."""
        return max(1, _TOKENS // int(self._n_tokens.sum()))

    def lay(self, points: Tensor) -> tuple[Batch, Tensor, Tensor]:
        """A batch with a copy of the side for each point, its tokens there, and (x - x')."""
        ranges = self._chunks.ranges
        batch = self._collator.batch(
            LineRanges(np.tile(ranges.first, len(points)), np.tile(ranges.count, len(points)))
        )
        x = self._network.embed(batch)  # (K L, T_w, D_x)
        unknown = torch.zeros(x.shape[2])
        unknown[: self._network.config.D_w] = self._network.words.weight[_UNKNOWN]
        is_word = torch.arange(x.shape[1]) < batch.line_lengths.unsqueeze(1) - 1
        way = (x - unknown) * is_word.unsqueeze(2)
        a = points.repeat_interleave(len(x) // len(points))
        return batch, x - (1 - a)[:, None, None] * way, way

    def read(self, x: Tensor, batch: Batch, copies: int) -> Tensor:
        """Features (K, D_f)."""
        y = self._network.read(x, batch).features
        ranges, owner = self._chunks.ranges, torch.from_numpy(self._chunks.owner)
        counts = np.add.reduceat(self._n_tokens, ranges.first)
        tokens = torch.from_numpy(counts).float().repeat(copies, 1)
        n_lines = torch.from_numpy(ranges.count).float().repeat(copies, 1)
        y = y.view(copies, len(ranges), -1)
        unit_length = self._network.has_unit_length
        return join_stretches(y, tokens, n_lines, owner, unit_length=unit_length)

    def parts(self, other: Tensor, *, steps: int) -> Floats:
        """The part of every word of this side in its similarity to features (D_f) of the other."""
        nodes, weights = np.polynomial.legendre.leggauss(steps)
        nodes, weights = (nodes + 1) / 2, weights / 2
        total = np.zeros(int(self._n_tokens.sum() - len(self._n_tokens)))
        for start in range(0, steps, self.at_once):
            points = torch.from_numpy(nodes[start : start + self.at_once]).float()
            with torch.no_grad():
                batch, x, way = self.lay(points)
            x.requires_grad_()
            s = -distance(self.read(x, batch, len(points)), other)  # (K,)
            share = torch.from_numpy(weights[start : start + self.at_once]).float()
            (gradient,) = torch.autograd.grad((s * share).sum(), x)
            parts = (gradient * way).sum(dim=2)  # (K L, T_w)
            is_word = torch.arange(x.shape[1]) < batch.line_lengths.unsqueeze(1) - 1
            total += parts[is_word].view(len(points), -1).double().sum(dim=0).numpy()
        return total


def integrated_gradients(
    network: AdHominem,
    left: EncodedCorpus,
    right: EncodedCorpus,
    *,
    max_lines: int = 40,
    steps: int = 16,
) -> Parts:
    ways = [_Way(network, side, max_lines=max_lines) for side in (left, right)]
    with torch.no_grad():
        ends = []
        for way in ways:
            batch, x, _ = way.lay(torch.ones(1))
            ends.append(way.read(x, batch, 1)[0])
    return Parts(ways[0].parts(ends[1], steps=steps), ways[1].parts(ends[0], steps=steps))
