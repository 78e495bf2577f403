"""Similarities of two sides, given as the vectors that `Kinds.side` makes."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from adhominem.arrays import Floats, Reals
from adhominem.instrument.evidence.matrix import distances

_BLOCK = 64  # vectors multiplied together


def similarities(one: Reals, other: Reals, width: int, edges: Sequence[int]) -> Floats:
    """The similarities of sides, vectors over the last axis: the negative distance of the features
    of the network, the cosine of the same in their kind, and that of each view.

    width   number of features of the network
    edges   where the views begin and end, see `Kinds.edges`
    """
    cuts = (0, *(width + edge for edge in edges))
    parts = cosines(one[..., width:], other[..., width:], cuts)
    return np.stack([-distances(one[..., :width], other[..., :width]), *parts], axis=-1)


def cosines(one: Reals, other: Reals, edges: Sequence[int]) -> list[Reals]:
    """The cosine of each part of vectors over the last axis; the parts have length 1."""
    return [_dot(one[..., start:end], other[..., start:end]) for start, end in pairwise(edges)]


def _dot(one: Reals, other: Reals) -> Reals:
    """Products summed over the last axis. Many rows against one vector go block by block: their
    products would be as large as the rows."""
    if one.ndim != 2 or other.ndim != 1:
        return np.asarray((one * other).sum(axis=-1))
    blocks = [one[start : start + _BLOCK] for start in range(0, len(one), _BLOCK)]
    return np.concatenate([(block * other).sum(axis=-1) for block in blocks or [one]])
