"""Authors to train, development and test, and to folds: no author is in two of them.

An author's place is a hash of seed and name. The places are cut at exact quantiles, so the parts
have the sizes that were asked for, and a worker needs the cuts alone to place its authors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from adhominem.laboratory.corpus.hashes import Hashes, hash_texts

SPLITS = ("train", "dev", "test")


def author_places(names: Sequence[str], *, seed: int) -> Hashes:
    return hash_texts(names, key=seed)


@dataclass(frozen=True, slots=True)
class Cuts:
    """Upper bounds of all parts but the last, for the split and for the folds."""

    split: tuple[int, ...]
    fold: tuple[int, ...]

    def splits(self, places: Hashes) -> npt.NDArray[np.int8]:
        """The place in SPLITS for each author's place."""
        return np.searchsorted(_bounds(self.split), places, side="right").astype(np.int8)

    def folds(self, places: Hashes) -> npt.NDArray[np.int8]:
        return np.searchsorted(_bounds(self.fold), places, side="right").astype(np.int8)


def cut(places: Hashes, *, train: float, dev: float, folds: int) -> Cuts:
    """`places` of all authors, each once."""
    ordered = np.sort(places)
    return Cuts(
        split=_cut(ordered, [train, train + dev]),
        fold=_cut(ordered, [i / folds for i in range(1, folds)]),
    )


def _cut(ordered: Hashes, shares: Sequence[float]) -> tuple[int, ...]:
    ranks = [round(share * len(ordered)) for share in shares]
    return tuple(int(ordered[rank]) if rank < len(ordered) else 2**64 - 1 for rank in ranks)


def _bounds(cuts: Sequence[int]) -> Hashes:
    return np.array(cuts, dtype=np.uint64)
