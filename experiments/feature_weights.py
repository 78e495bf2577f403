"""Learns how much each pair of characters says about the author of a text.

Training authors show which unusual pairs come back in an author's other texts. The view is learnt
by itself with the loss over authors: a text should be nearer, by the cosine of its weighted
z-scores, to a text of the same author than to those of other authors of the same kind. The other
views keep equal weights: with learnt ones they are better alone, but worse beside the network.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from adhominem.arrays import Integers
from adhominem.instrument.text.tokenise import tokenise
from adhominem.instrument.views.kinds import Counts, Kinds
from adhominem.laboratory.training.objectives import author_loss
from adhominem.records import Pair

_WEIGHED = ("character pairs",)  # views
_STEPS = 1000
_LEARNING_RATE = 0.02
_AUTHORS = 192  # of a step
_TEMPERATURE = 0.15
_MOST_TEXTS = 8  # of a side


@dataclass(frozen=True, slots=True)
class Unusual:
    """What is unusual (see `Usual`) on both sides of pairs by one author each, of one
    kind."""

    sides: npt.NDArray[np.float16]  # (pairs, 2, features)
    authors: Integers

    def draw(self, features: slice, rng: np.random.Generator) -> Tensor:
        """Some of the features of one pair of each of some authors."""
        order = rng.permutation(len(self.authors))
        _, first = np.unique(self.authors[order], return_index=True)
        chosen = rng.permutation(order[first])[:_AUTHORS]
        return torch.from_numpy(self.sides[chosen, :, features]).float()


def fit_weights(kinds: Kinds, learnt: Sequence[Unusual], *, seed: int) -> Kinds:
    """The same kinds with weights learnt from training authors of some of them."""
    weight = np.ones(kinds.edges[-1], np.float32)
    for view, start, end in zip(kinds.views, kinds.edges, kinds.edges[1:], strict=False):
        if view.name in _WEIGHED:
            rng = np.random.default_rng([seed, start])
            weight[start:end] = _fit(learnt, slice(start, end), rng).numpy()
    return replace(kinds, weight=weight)


def read_unusual(kinds: Kinds, name: str, pairs: Sequence[Pair]) -> Unusual:
    """What is unusual in pairs of the kind with this name; pairs by two authors are not used."""
    own = [pair for pair in pairs if pair.same_author]
    sides = [side[:_MOST_TEXTS] for pair in own for side in (pair.left, pair.right)]
    texts = list(dict.fromkeys(document.text for side in sides for document in side))
    counts = dict(zip(texts, kinds.count(texts, tokenise(texts)), strict=True))
    statistics = kinds.statistics(np.zeros(len(kinds.names)), name)
    unusual = np.empty((len(sides), kinds.edges[-1]), np.float16)
    for row, side in enumerate(sides):
        together = Counts.of([half for document in side for half in counts[document.text]])
        unusual[row] = statistics.z_scores(kinds.frequencies(together))
    _, authors = np.unique([str(pair.left[0].author) for pair in own], return_inverse=True)
    return Unusual(unusual.reshape(len(own), 2, -1), authors)


def _fit(kinds: Sequence[Unusual], features: slice, rng: np.random.Generator) -> Tensor:
    """The weights of some of the features, with geometric mean 1."""
    logarithms = torch.zeros(features.stop - features.start, requires_grad=True)
    optimiser = torch.optim.Adam([logarithms], lr=_LEARNING_RATE)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, _STEPS)
    for _ in range(_STEPS):
        unusual = kinds[int(rng.integers(len(kinds)))].draw(features, rng)
        seen = nn.functional.normalize(unusual * logarithms.exp(), dim=2)
        losses, _ = author_loss(seen[:, 0], seen[:, 1], _TEMPERATURE)
        optimiser.zero_grad()
        torch.autograd.backward(losses.mean())
        optimiser.step()
        schedule.step()
    return torch.exp(logarithms - logarithms.mean()).detach()
