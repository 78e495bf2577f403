"""Integrated gradients (Sundararajan et al. 2017): the part of every token in the similarity.

On the straight way from a text of unknown tokens (x') to the text itself (x) the gradient of the
similarity s = -d by the inputs of a token, word and spelling, is added up:

    part = sum_i (x_i - x'_i) integral_0^1 ds/dx_i (x' + a (x - x')) da

The parts of all tokens are s(x) - s(x') together. Each side goes its way while the other stays as
it is; the integral is Gauss's sum over a few points. Markers stay what they are and have no part.
The gradient is taken in two steps, by the features of the stretches and from there by their tokens,
so that memory does not grow with the text. Letters of the shapes: K points, S stretches.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from adhominem.laboratory.network.batches import Collator, EncodedCorpus, LineRanges, cut_documents
from adhominem.laboratory.network.joining import join_stretches
from adhominem.laboratory.network.model import AdHominem, Batch, distance
from adhominem.pausing import pause

Floats = npt.NDArray[np.float64]
_UNKNOWN = 1  # of every vocabulary
_TOKENS = 8192  # in one run


@dataclass(frozen=True, slots=True)
class Parts:
    """Of every word of both sides; markers are not words."""

    left: Floats
    right: Floats


@dataclass(frozen=True, slots=True)
class _Block:
    """Stretches at points of the way, as many as are run at once."""

    items: slice
    batch: Batch
    x: Tensor  # (L, T_w, D_x) the tokens there
    way: Tensor  # (L, T_w, D_x) x - x', 0 for markers
    is_word: Tensor  # (L, T_w)


class _Side:
    """The way of one side between unknown tokens (a = 0) and itself (a = 1)."""

    def __init__(self, network: AdHominem, corpus: EncodedCorpus, *, max_lines: int) -> None:
        self._network = network
        self._collator = Collator(corpus, torch.device("cpu"))
        self._chunks = cut_documents(corpus, max_lines)
        ranges = self._chunks.ranges
        self._starts = corpus.lines[ranges.first] - ranges.first  # a marker for each line before
        self._tokens = corpus.lines[ranges.first + ranges.count] - corpus.lines[ranges.first]
        self._n_words = len(corpus.tokens) - len(corpus.lines) + 1

    @torch.no_grad()
    def features(self, points: Tensor) -> Tensor:
        """Of all stretches at all points, (K S, D_f)."""
        blocks = self._blocks(points)
        return torch.cat([self._network.read(b.x, b.batch).features for b in blocks])

    def join(self, y: Tensor, n_points: int) -> Tensor:
        """Features of stretches (K S, D_f) to those of the side (K, D_f)."""
        return join_stretches(
            y.view(n_points, len(self._tokens), -1),
            torch.from_numpy(self._tokens).float().expand(n_points, -1),
            torch.from_numpy(self._chunks.ranges.count).float().expand(n_points, -1),
            torch.from_numpy(self._chunks.owner),
            unit_length=self._network.has_unit_length,
        )

    def parts(self, other: Tensor, *, steps: int) -> Floats:
        """The part of every word in the similarity to the features (D_f) of the other side."""
        nodes, shares = np.polynomial.legendre.leggauss(steps)
        points, weights = (torch.from_numpy(v).float() for v in ((nodes + 1) / 2, shares / 2))
        y = self.features(points).requires_grad_()
        s = -distance(self.join(y, steps), other)  # (K,)
        (by_features,) = torch.autograd.grad((weights * s).sum(), y)
        total = np.zeros(self._n_words)
        for block in self._blocks(points):
            x = block.x.requires_grad_()
            features = self._network.read(x, block.batch).features
            # As a sum: torch would import sympy, a second, to compare the shapes of two tensors.
            s = (features * by_features[block.items]).sum()
            (gradient,) = torch.autograd.grad(s, x)
            np.add.at(
                total,
                self._places(block.items),
                (gradient * block.way).sum(dim=2)[block.is_word].double().numpy(),
            )
        return total

    def _blocks(self, points: Tensor) -> Iterator[_Block]:
        """Items are all stretches at the first point, then at the next; a block of them has
        `_TOKENS` tokens, and one stretch at least."""
        ranges, n = self._chunks.ranges, len(self._chunks.ranges)
        ends = np.cumsum(np.tile(self._tokens, len(points)))
        start = 0
        while start < len(ends):
            pause()
            before = ends[start - 1] if start else 0
            end = max(start + 1, int(np.searchsorted(ends, before + _TOKENS, side="right")))
            stretches = np.arange(start, end) % n
            counts = ranges.count[stretches]
            batch = self._collator.batch(LineRanges(ranges.first[stretches], counts))
            a = points[np.repeat(np.arange(start, end) // n, counts)]
            yield self._lay(slice(start, end), batch, a)
            start = end

    @torch.no_grad()
    def _lay(self, items: slice, batch: Batch, a: Tensor) -> _Block:
        x = self._network.embed(batch)
        unknown = torch.zeros(x.shape[2])
        unknown[: self._network.config.D_w] = self._network.words.weight[_UNKNOWN]
        is_word = torch.arange(x.shape[1]) < batch.line_lengths.unsqueeze(1) - 1
        way = (x - unknown) * is_word.unsqueeze(2)
        return _Block(items, batch, x - (1 - a)[:, None, None] * way, way, is_word)

    def _places(self, items: slice) -> npt.NDArray[np.int64]:
        """Of the words of these items, in order."""
        stretches = np.arange(items.start, items.stop) % len(self._tokens)
        sizes = self._tokens - self._chunks.ranges.count
        return np.concatenate([self._starts[i] + np.arange(sizes[i]) for i in stretches])


def integrated_gradients(
    network: AdHominem,
    left: EncodedCorpus,
    right: EncodedCorpus,
    *,
    max_lines: int = 40,
    steps: int = 12,
) -> Parts:
    sides = [_Side(network, corpus, max_lines=max_lines) for corpus in (left, right)]
    one, other = (side.join(side.features(torch.ones(1)), 1)[0] for side in sides)
    return Parts(sides[0].parts(other, steps=steps), sides[1].parts(one, steps=steps))
