"""Duplicates among the documents of one author.

One review posted for two hotels would be the easiest same-author pair there is. A document goes
when its text is that of an earlier one, or when more than a tenth of its word 5-grams, or of the
other's, stand in an earlier one that stays. Cost: linear in the tokens, and a sort of the 5-grams
that are met again.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from adhominem.laboratory.corpus.hashes import (
    Hashes,
    Offsets,
    first_of_each,
    mix,
    ngrams_of_documents,
    repeated,
)

Booleans = npt.NDArray[np.bool_]
_BLOCK = 2_000  # documents compared with all others at once


def exact_duplicates(texts: Hashes, authors: Hashes) -> Booleans:
    """True for every document with the text of an earlier one of its author."""
    return ~first_of_each(mix(texts, authors))


def near_duplicates(
    tokens: Hashes, edges: Offsets, authors: Hashes, *, n: int = 5, share: float = 0.1
) -> Booleans:
    """True for every document that repeats an earlier one of the same author that stays.

    `tokens` are hashes of the words, `edges` the offsets of each document in them.
    """
    from scipy import sparse

    owner, ngrams = ngrams_of_documents(tokens, edges, n)
    sizes = np.bincount(owner, minlength=len(authors))
    keys = mix(ngrams, authors[owner])  # only those of one author meet
    again = repeated(keys)
    owner = owner[again]
    _, columns = np.unique(keys[again], return_inverse=True)
    shape = (len(authors), int(columns.max(initial=-1)) + 1)
    table = sparse.csr_array((np.ones(len(owner), np.int32), (owner, columns)), shape=shape)
    # An n-gram counts once in a document.
    sizes -= np.asarray(table.sum(axis=1)).ravel() - np.diff(table.indptr)
    table.data[:] = 1
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
