"""Duplicates (repeated text of one author) and copies (text shared by two authors).

A review posted twice would be an easy same-author pair. A document is a duplicate if its text
equals that of an earlier document of the author, or shares more than a tenth of the word 5-grams
with it.

Text shared by two authors says nothing about the style of either. An eighth of all word 8-grams is
sampled by hash. Two documents of different authors are copies if they share more than a quarter of
the smaller sample, or if their texts are equal. An 8-gram in many documents is boilerplate and not
counted. Samples are compared one range of hashes at a time, to bound memory.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from adhominem.arrays import Booleans, Integers, Rows
from adhominem.laboratory.corpus.hashes import Hashes, mix, ngrams_of_documents

Numbers = npt.NDArray[np.uint32]
Shared = tuple[Hashes, Integers]  # pairs (left << 32 | right), number of 8-grams of each pair
COPIED_N = 8  # length of the n-grams that detect copies
MOST_SHARERS = 20  # documents that share an n-gram; with more it is boilerplate
_BLOCK = 2_000  # documents compared with all others at once
_SAMPLED = np.uint64(8)  # one in eight n-grams is sampled
_FEWEST_SHARED = 3  # sampled n-grams that copies share


def exact_duplicates(texts: Hashes, authors: Hashes) -> Booleans:
    """Return whether each document has the text of an earlier one of its author."""
    is_repeated = np.ones(len(texts), dtype=bool)
    is_repeated[np.unique(mix(texts, authors), return_index=True)[1]] = False
    return is_repeated


def near_duplicates(
    tokens: Hashes, edges: Integers, authors: Hashes, *, n: int = 5, share: float = 0.1
) -> Booleans:
    """Return whether each document is a near duplicate of an earlier one of its author that is not
    a duplicate itself. `tokens` are hashes of words, `edges` the offsets of the documents."""
    from scipy import sparse

    owner, ngrams = ngrams_of_documents(tokens, edges, n)
    sizes = np.bincount(owner, minlength=len(authors))
    keys = mix(ngrams, authors[owner])  # equal for the same author only
    _, columns, times = np.unique(keys, return_inverse=True, return_counts=True)
    is_repeated = times[columns] > 1
    owner, columns = owner[is_repeated], columns[is_repeated]
    shape = (len(authors), len(times))
    table = sparse.csr_array((np.ones(len(owner), np.int32), (owner, columns)), shape=shape)
    # Sizes are numbers of distinct n-grams.
    sizes -= np.asarray(table.sum(axis=1)).ravel() - np.diff(table.indptr)
    table.data[:] = 1
    is_duplicate = np.zeros(len(authors), dtype=bool)
    for start in range(0, len(authors), _BLOCK):
        stop = min(start + _BLOCK, len(authors))
        earlier = table[:stop].copy()
        earlier.data *= np.repeat(~is_duplicate[:stop], np.diff(earlier.indptr))
        common = (table[start:stop] @ earlier.T).tocoo()
        later, before = common.row + start, common.col
        close = (before < later) & (common.data > share * np.minimum(sizes[later], sizes[before]))
        order = np.argsort(later[close], kind="stable")
        for one, other in zip(later[close][order], before[close][order], strict=True):
            is_duplicate[one] |= not is_duplicate[other]
    return is_duplicate


@dataclass(frozen=True, slots=True)
class NgramSample(Rows):
    """Sampled 8-grams in the order of their hashes, each once per document."""

    hashes: Hashes
    documents: Numbers
    authors: Numbers

    def save(self, folder: Path) -> None:
        for name in NgramSample.__slots__:
            np.save(folder / f"{name}.npy", getattr(self, name))


def sample_ngrams(tokens: Hashes, edges: Integers, authors: Hashes) -> NgramSample:
    """Return the sampled 8-grams of documents, given the hash of the author of each."""
    owner, ngrams = ngrams_of_documents(tokens, edges, COPIED_N)
    chosen = np.flatnonzero(ngrams % _SAMPLED == 0)
    chosen = chosen[np.lexsort((owner[chosen], ngrams[chosen]))]
    owner, ngrams = owner[chosen], ngrams[chosen]
    short = (authors[owner] >> np.uint64(32)).astype(np.uint32)
    is_new = np.ones(len(chosen), dtype=bool)
    is_new[1:] = (np.diff(ngrams) != 0) | (np.diff(owner) != 0)
    return NgramSample(ngrams, owner.astype(np.uint32), short).select(is_new)


def load_range(folders: Sequence[Path], firsts: Sequence[int], low: int, high: int) -> NgramSample:
    """Return the 8-grams of saved samples with hashes from `low` to below `high`. The documents of
    a folder are numbered from its entry in `firsts` on, which increase."""
    parts = []
    for folder, first in zip(folders, firsts, strict=True):
        hashes, documents, authors = (
            np.load(folder / f"{name}.npy", mmap_mode="r") for name in NgramSample.__slots__
        )
        begin = int(np.searchsorted(hashes, np.uint64(low), "left"))
        end = int(np.searchsorted(hashes, np.uint64(high - 1), "right"))
        own = NgramSample(hashes, documents, authors).select(slice(begin, end))
        parts.append(replace(own, documents=own.documents + np.uint32(first)))
    joined = NgramSample.join(parts)
    return joined.select(np.argsort(joined.hashes, kind="stable"))  # documents stay in order


def find_shared(sample: NgramSample) -> Shared:
    """Return the pairs of documents of different authors that share 8-grams of a sample, which is
    complete for a range of hashes."""
    hashes = sample.hashes
    edges = np.flatnonzero(np.diff(hashes, prepend=~hashes[:1], append=~hashes[-1:]))
    sizes = np.diff(edges)
    few = np.flatnonzero(np.repeat((sizes > 1) & (sizes <= MOST_SHARERS), sizes))
    rare, documents, authors = hashes[few], sample.documents[few], sample.authors[few]
    pairs = [np.zeros(0, np.uint64)]
    for step in range(1, MOST_SHARERS):
        is_equal = rare[:-step] == rare[step:]
        if not is_equal.any():
            break
        is_equal &= authors[:-step] != authors[step:]
        left, right = documents[:-step][is_equal], documents[step:][is_equal]
        pairs.append(left.astype(np.uint64) << np.uint64(32) | right)
    return np.unique(np.concatenate(pairs), return_counts=True)


def find_copies(
    shared: Sequence[Shared],
    sampled: Integers,
    whole: Hashes,
    authors: Hashes,
    *,
    share: float,
) -> Integers:
    """Return the sorted pairs of documents (n, 2) of different authors that are copies. `sampled`
    is the number of sampled 8-grams of each document, `whole` the hash of its text and `authors`
    that of its author."""
    every, counts = (np.concatenate(parts) for parts in zip(*shared, strict=True))
    keys, inverse = np.unique(every, return_inverse=True)
    total = np.bincount(inverse, weights=counts, minlength=len(keys))
    pairs = np.stack([keys >> np.uint64(32), keys & np.uint64(2**32 - 1)], axis=1).astype(np.int64)
    close = (total > share * sampled[pairs].min(axis=1)) & (total >= _FEWEST_SHARED)
    # Sorted by text and author, documents with equal texts are neighbours.
    order = np.lexsort((authors, whole))
    one, other = order[:-1], order[1:]
    same = (whole[one] == whole[other]) & (authors[one] != authors[other])
    equal = np.sort(np.stack([one[same], other[same]], axis=1), axis=1)
    return np.unique(np.concatenate([pairs[close], equal]), axis=0)
