"""Pairs of sides of several documents, as when more than one text of an author is known.

The documents of an author are dealt to two sides, each of one or more; a pair of one author has
both of his sides, a pair of two authors a side of each. A draw depends on (seed, epoch) alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from adhominem.records import Document, Pair

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Sides:
    """Places of the documents on both sides of a pair."""

    left: Integers
    right: Integers
    same_author: bool


def draw_sides(places: Integers, authors: Integers, *, seed: int, epoch: int) -> list[Sides]:
    """One pair of an author with three documents or more (`authors[i]` wrote `places[i]`), and one
    with the next author; at least one side has several documents."""
    rng = np.random.default_rng([seed, 6, epoch])
    shuffled = rng.permutation(len(places))
    order = shuffled[np.argsort(authors[shuffled], kind="stable")]
    starts = np.flatnonzero(np.diff(authors[order], prepend=-1))
    dealt = []
    for documents in np.split(places[order], starts[1:]):
        if len(documents) > 2:
            # As often few documents as many, of those that there are.
            n = int(np.exp(rng.uniform(np.log(3), np.log(len(documents) + 1))))
            cut = int(rng.integers(1, n))
            dealt.append((documents[:cut], documents[cut:n]))
    turn = rng.permutation(len(dealt))
    sides = [Sides(left, right, True) for left, right in dealt]
    for one, other in zip(turn, np.roll(turn, 1), strict=True):
        if one != other:
            sides.append(Sides(dealt[one][0], dealt[other][1], False))
    return sides


def pairs_of_sides(
    sides: list[Sides], documents: Mapping[int, Document], *, prefix: str
) -> list[Pair]:
    return [
        Pair(
            left=tuple(documents[int(place)] for place in side.left),
            right=tuple(documents[int(place)] for place in side.right),
            same_author=side.same_author,
            id=f"{prefix}-{number}",
        )
        for number, side in enumerate(sides)
    ]
