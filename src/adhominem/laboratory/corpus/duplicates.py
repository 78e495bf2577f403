"""Documents that repeat others: duplicates by the same author, copies by another one.

A review posted twice would be the easiest same-author pair. A document is a duplicate if its text
is that of an earlier document of the author, or if the two share more than a tenth of the word
5-grams of either.

A text that two authors share says nothing about the style of either. An eighth of all word 8-grams
is sampled by hash. Two documents of different authors are copies if they share more than a quarter
of the smaller sample, or if their texts are equal. An 8-gram in many documents is boilerplate and
not counted. The samples are compared one range of hashes at a time, so memory grows by a few bytes
per document only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt

from adhominem.arrays import Booleans, Integers
from adhominem.files import whole_file
from adhominem.laboratory.corpus.hashes import Hashes, mix, ngrams_of_documents

Numbers = npt.NDArray[np.uint32]
COPIED_N = 8  # words of an n-gram by which copies are found
MOST_SHARERS = 20  # documents; an n-gram in more is boilerplate
_BLOCK = 2_000  # documents compared with all others at once
_SAMPLED = np.uint64(8)  # one of so many n-grams
_FEWEST_SHARED = 3  # sampled n-grams of two copies


def exact_duplicates(texts: Hashes, authors: Hashes) -> Booleans:
    """Return True for every document with the text of an earlier one of its author."""
    is_repeated = np.ones(len(texts), dtype=bool)
    is_repeated[np.unique(mix(texts, authors), return_index=True)[1]] = False
    return is_repeated


def near_duplicates(
    tokens: Hashes, edges: Integers, authors: Hashes, *, n: int = 5, share: float = 0.1
) -> Booleans:
    """Return True for every document that repeats an earlier one of the same author which is none.
    `tokens` are hashes of the words, `edges` the offsets of each document in them."""
    from scipy import sparse

    owner, ngrams = ngrams_of_documents(tokens, edges, n)
    sizes = np.bincount(owner, minlength=len(authors))
    keys = mix(ngrams, authors[owner])  # equal for the same author only
    _, columns, times = np.unique(keys, return_inverse=True, return_counts=True)
    again = times[columns] > 1
    owner, columns = owner[again], columns[again]
    shape = (len(authors), len(times))
    table = sparse.csr_array((np.ones(len(owner), np.int32), (owner, columns)), shape=shape)
    # An n-gram counts once in a document.
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
class NgramSample:
    """Sampled 8-grams in the order of their hashes, each once per document."""

    hashes: Hashes
    documents: Numbers
    authors: Numbers

    def save(self, folder: Path) -> None:
        for name in NgramSample.__slots__:
            np.save(folder / f"{name}.npy", getattr(self, name))


def sample_ngrams(tokens: Hashes, edges: Integers, authors: Hashes) -> NgramSample:
    """Return the sample of documents; `authors` has the hash of the author of each."""
    owner, ngrams = ngrams_of_documents(tokens, edges, COPIED_N)
    chosen = ngrams % _SAMPLED == 0
    owner, ngrams = owner[chosen], ngrams[chosen]
    order = np.lexsort((owner, ngrams))
    owner, ngrams = owner[order], ngrams[order]
    is_new = np.ones(len(order), dtype=bool)
    is_new[1:] = (np.diff(ngrams) != 0) | (np.diff(owner) != 0)
    owner = owner[is_new]
    short = (authors[owner] >> np.uint64(32)).astype(np.uint32)
    return NgramSample(ngrams[is_new], owner.astype(np.uint32), short)


def load_range(folders: Sequence[Path], firsts: Sequence[int], low: int, high: int) -> NgramSample:
    """Return the rows of saved samples with hashes from `low` to below `high`."""
    parts = []
    for folder, first in zip(folders, firsts, strict=True):
        hashes, documents, authors = (
            np.load(folder / f"{name}.npy", mmap_mode="r") for name in NgramSample.__slots__
        )
        begin = int(np.searchsorted(hashes, np.uint64(low), "left"))
        end = int(np.searchsorted(hashes, np.uint64(high - 1), "right"))
        chosen = slice(begin, end)
        parts.append((hashes[chosen], documents[chosen] + np.uint32(first), authors[chosen]))
    hashes, documents, authors = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.lexsort((documents, hashes))
    return NgramSample(hashes[order], documents[order], authors[order])


@dataclass(frozen=True, slots=True)
class SharedNgrams:
    """Pairs of documents of different authors, each as one number (left << 32 | right), with the
    number of sampled 8-grams that both have; and the 8-grams that are boilerplate."""

    pairs: Hashes
    counts: Integers
    boilerplate: Hashes

    def save(self, path: Path) -> None:
        with whole_file(path) as file:
            np.savez(file, **{name: getattr(self, name) for name in SharedNgrams.__slots__})

    @classmethod
    def load(cls, path: Path) -> Self:
        with np.load(path, allow_pickle=False) as arrays:
            return cls(**{name: arrays[name] for name in cls.__slots__})


def find_shared(sample: NgramSample) -> SharedNgrams:
    """Return what documents share; `sample` has all rows of the hashes that are in it."""
    hashes = sample.hashes
    edges = np.flatnonzero(np.diff(hashes, prepend=~hashes[:1], append=~hashes[-1:]))
    sizes = np.diff(edges)
    is_common = sizes > MOST_SHARERS
    few = np.flatnonzero(np.repeat((sizes > 1) & ~is_common, sizes))
    rare, documents, authors = hashes[few], sample.documents[few], sample.authors[few]
    pairs = [np.zeros(0, np.uint64)]
    for step in range(1, MOST_SHARERS):
        is_equal = rare[:-step] == rare[step:]
        if not is_equal.any():
            break
        is_equal &= authors[:-step] != authors[step:]
        left, right = documents[:-step][is_equal], documents[step:][is_equal]
        pairs.append(left.astype(np.uint64) << np.uint64(32) | right)
    keys, counts = np.unique(np.concatenate(pairs), return_counts=True)
    return SharedNgrams(keys, counts, hashes[edges[:-1][is_common]])


def find_copies(
    shared: Sequence[SharedNgrams],
    sampled: Integers,
    whole: Hashes,
    authors: Hashes,
    *,
    share: float,
) -> Integers:
    """Return the pairs of documents (n, 2) of different authors that are copies, in order. Each
    document has `sampled` 8-grams, and hashes of its `whole` text and of its author."""
    keys, inverse = np.unique(np.concatenate([part.pairs for part in shared]), return_inverse=True)
    counts = np.concatenate([part.counts for part in shared])
    total = np.bincount(inverse, weights=counts, minlength=len(keys))
    pairs = np.stack([keys >> np.uint64(32), keys & np.uint64(2**32 - 1)], axis=1).astype(np.int64)
    close = (total > share * sampled[pairs].min(axis=1)) & (total >= _FEWEST_SHARED)
    # Each document with the next one that has the same text and another author.
    order = np.lexsort((authors, whole))
    one, other = order[:-1], order[1:]
    same = (whole[one] == whole[other]) & (authors[one] != authors[other])
    equal = np.sort(np.stack([one[same], other[same]], axis=1), axis=1)
    return np.unique(np.concatenate([pairs[close], equal]), axis=0)
