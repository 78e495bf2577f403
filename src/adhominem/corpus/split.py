"""Train, development and test documents with no author in two of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

SPLITS = ("train", "dev", "test")


def split_by_author(
    authors: Sequence[str], *, seed: int, shares: tuple[float, float, float] = (0.8, 0.1, 0.1)
) -> npt.NDArray[np.int8]:
    """The place in SPLITS of every document; all documents of an author go to one."""
    names, author_of = np.unique(np.asarray(authors), return_inverse=True)
    order = np.random.default_rng(seed).permutation(len(names))
    edges = np.round(np.cumsum(shares) / sum(shares) * len(names)).astype(int)
    split_of_author = np.empty(len(names), dtype=np.int8)
    split_of_author[order] = np.searchsorted(edges, np.arange(len(names)), side="right")
    return split_of_author[author_of]
