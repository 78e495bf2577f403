"""Near duplicates: two documents of one author that share too many runs of words.

One review posted for two hotels would be the easiest same-author pair there is. A document goes
when more than a tenth of its word 5-grams, or of the other's, stand in an earlier one as well.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from adhominem.corpus.arrays import group

Offsets = npt.NDArray[np.int64]


def near_duplicates(
    tokens: npt.NDArray[np.int32],
    documents: Offsets,
    authors: npt.NDArray[np.int64],
    *,
    n: int = 5,
    share: float = 0.1,
) -> npt.NDArray[np.bool_]:
    """True for every document that repeats an earlier one of the same author that stays.

    `tokens` are type numbers, `documents` the offsets of each document in them.
    """
    hashes = _hash_ngrams(tokens, n)
    repeats = np.zeros(len(authors), dtype=bool)
    for members in group(authors):
        if len(members) < 2:
            continue
        kept: list[npt.NDArray[np.uint64]] = []
        for document in members:
            end = max(documents[document + 1] - n + 1, documents[document])
            ngrams = np.unique(hashes[documents[document] : end])
            if any(_overlap(ngrams, earlier) > share for earlier in kept):
                repeats[document] = True
            else:
                kept.append(ngrams)
    return repeats


def _hash_ngrams(tokens: npt.NDArray[np.int32], n: int) -> npt.NDArray[np.uint64]:
    """Entry i is a 64-bit hash of the tokens i to i + n - 1."""
    hashes = np.zeros(max(len(tokens) - n + 1, 0), dtype=np.uint64)
    for i in range(n):
        hashes = (hashes ^ tokens[i : i + len(hashes)].astype(np.uint64)) * np.uint64(
            0x9E3779B97F4A7C15
        )
        hashes ^= hashes >> np.uint64(29)
    return hashes


def _overlap(one: npt.NDArray[np.uint64], other: npt.NDArray[np.uint64]) -> float:
    smaller = min(len(one), len(other))
    if not smaller:
        return 0.0
    return len(np.intersect1d(one, other, assume_unique=True)) / smaller
