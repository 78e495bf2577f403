"""Duplicates among the documents of one author.

One review posted for two hotels would be the easiest same-author pair there is. A document goes
when it says the same words as an earlier one, or when more than a tenth of its word 5-grams, or of
the other's, stand in an earlier one that stays. Cost: a sort of the 5-grams.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from adhominem.corpus.hashes import Hashes, hash_ngrams, ngrams_of_documents

Offsets = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]
_BLOCK = 2_000  # documents compared with all others at once


def exact_duplicates(tokens: Hashes, edges: Offsets, authors: Offsets) -> Booleans:
    """True for every document with the very tokens of an earlier one of its author."""
    whole = whole_hashes(tokens, edges)
    repeats = np.ones(len(authors), dtype=bool)
    _, first = np.unique(np.stack([authors.astype(np.uint64), whole]), axis=1, return_index=True)
    repeats[first] = False
    return repeats


def whole_hashes(tokens: Hashes, edges: Offsets) -> Hashes:
    """One hash per document, of all its tokens and their places."""
    places = np.arange(len(tokens), dtype=np.uint64) - np.repeat(
        edges[:-1].astype(np.uint64), np.diff(edges)
    )
    mixed = hash_ngrams(tokens ^ hash_ngrams(places + np.uint64(1), 1), 1)
    total = np.concatenate([np.zeros(1, np.uint64), np.cumsum(mixed, dtype=np.uint64)])
    return total[edges[1:]] - total[edges[:-1]]


def near_duplicates(
    tokens: Hashes, edges: Offsets, authors: Offsets, *, n: int = 5, share: float = 0.1
) -> Booleans:
    """True for every document that repeats an earlier one of the same author that stays.

    `tokens` are hashes of the words, `edges` the offsets of each document in them.
    """
    from scipy import sparse

    owner, ngrams = ngrams_of_documents(tokens, edges, n)
    # An n-gram counts once in a document, and only those of one author meet.
    keys = hash_ngrams(
        ngrams ^ (authors.astype(np.uint64)[owner] * np.uint64(0xD1B54A32D192ED03)), 1
    )
    _, columns = np.unique(keys, return_inverse=True)
    shape = (len(authors), int(columns.max(initial=-1)) + 1)
    table = sparse.csr_array((np.ones(len(owner), np.int32), (owner, columns)), shape=shape)
    table.data[:] = 1
    sizes = np.diff(table.indptr)
    shared_by_two = np.asarray(table.sum(axis=0)).ravel() > 1
    table = table[:, np.flatnonzero(shared_by_two)]
    repeats = np.zeros(len(authors), dtype=bool)
    for start in range(0, len(authors), _BLOCK):
        stop = min(start + _BLOCK, len(authors))
        earlier = table[:stop].copy()
        earlier.data *= np.repeat(~repeats[:stop], np.diff(earlier.indptr))
        common = (table[start:stop] @ earlier.T).tocoo()
        later, before = common.row + start, common.col
        close = (before < later) & (common.data > share * np.minimum(sizes[later], sizes[before]))
        order = np.argsort(later[close], kind="stable")
        for one, other in zip(later[close][order], before[close][order], strict=True):
            repeats[one] |= not repeats[other]
    return repeats
