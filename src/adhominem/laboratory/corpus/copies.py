"""Texts that two authors share: copies, which are nobody's style.

An eighth of all word 8-grams, chosen by their hash, is kept of each document. Two documents of
different authors are copies of each other when more than a quarter of the smaller sample stands in
both, or when their texts are the same. An 8-gram that many documents share is boilerplate.
The samples are compared one range of hashes at a time, so memory does not grow with the corpus
beyond some bytes per document.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from adhominem.laboratory.corpus.hashes import Hashes, ngrams_of_documents

Offsets = npt.NDArray[np.int64]
N = 8
MOST_SHARERS = 20  # documents; an n-gram in more is boilerplate
_SAMPLE = np.uint64(8)
_FEWEST = 3  # shared 8-grams of the sample


@dataclass(frozen=True, slots=True)
class Sketch:
    """Sampled 8-grams in the order of their hashes, each once per document."""

    hashes: Hashes
    documents: npt.NDArray[np.uint32]
    authors: npt.NDArray[np.uint32]

    def save(self, folder: Path) -> None:
        for name in ("hashes", "documents", "authors"):
            np.save(folder / f"{name}.npy", getattr(self, name))


def make_sketch(tokens: Hashes, edges: Offsets, authors: Hashes) -> Sketch:
    """`authors` holds a hash of the author of each document."""
    owner, ngrams = ngrams_of_documents(tokens, edges, N)
    chosen = ngrams % _SAMPLE == 0
    owner, ngrams = owner[chosen], ngrams[chosen]
    order = np.lexsort((owner, ngrams))
    owner, ngrams = owner[order], ngrams[order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (ngrams[1:] != ngrams[:-1]) | (owner[1:] != owner[:-1])
    owner, ngrams = owner[new], ngrams[new]
    return Sketch(
        hashes=ngrams,
        documents=owner.astype(np.uint32),
        authors=(authors[owner] >> np.uint64(32)).astype(np.uint32),
    )


def load_range(folders: Sequence[Path], firsts: Sequence[int], low: int, high: int) -> Sketch:
    """The rows of many sketches with hashes from `low` up to, but not including, `high`; `firsts`
    are the numbers of the first document of each."""
    parts = []
    for folder, first in zip(folders, firsts, strict=True):
        hashes, documents, authors = (
            np.load(folder / f"{name}.npy", mmap_mode="r")
            for name in ("hashes", "documents", "authors")
        )
        begin = int(np.searchsorted(hashes, np.uint64(low), "left"))
        end = int(np.searchsorted(hashes, np.uint64(high - 1), "right"))
        parts.append(
            (hashes[begin:end], documents[begin:end] + np.uint32(first), authors[begin:end])
        )
    hashes, documents, authors = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.lexsort((documents, hashes))
    return Sketch(hashes[order], documents[order], authors[order])


@dataclass(frozen=True, slots=True)
class Shared:
    """Pairs of documents with the number of sampled 8-grams that both have, and the 8-grams that
    stand in too many documents to tell anything, with the number of these."""

    left: npt.NDArray[np.uint32]
    right: npt.NDArray[np.uint32]
    count: npt.NDArray[np.int64]
    boilerplate: Hashes
    n_documents: npt.NDArray[np.int64]


def find_shared(rows: Sketch) -> Shared:
    """`rows` hold all that any document has of the hashes in them."""
    edges = np.flatnonzero(np.diff(rows.hashes, prepend=~rows.hashes[:1], append=~rows.hashes[-1:]))
    sizes = np.diff(edges)
    is_common = sizes > MOST_SHARERS
    few = np.flatnonzero(np.repeat((sizes > 1) & ~is_common, sizes))
    hashes, documents, authors = rows.hashes[few], rows.documents[few], rows.authors[few]
    pairs = [np.zeros(0, np.uint64)]
    for step in range(1, MOST_SHARERS):
        meet = hashes[:-step] == hashes[step:]
        if not meet.any():
            break
        meet &= authors[:-step] != authors[step:]
        pairs.append(_pair_keys(documents[:-step][meet], documents[step:][meet]))
    keys, count = np.unique(np.concatenate(pairs), return_counts=True)
    left, right = _documents_of(keys)
    return Shared(left, right, count, rows.hashes[edges[:-1][is_common]], sizes[is_common])


def _pair_keys(left: npt.NDArray[np.uint32], right: npt.NDArray[np.uint32]) -> Hashes:
    return left.astype(np.uint64) << np.uint64(32) | right


def _documents_of(keys: Hashes) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    return (keys >> np.uint64(32)).astype(np.uint32), keys.astype(np.uint32)


def find_copies(
    shared: Sequence[Shared],
    sampled: npt.NDArray[np.int64],
    whole: Hashes,
    authors: Hashes,
    *,
    share: float,
) -> npt.NDArray[np.int64]:
    """Pairs of documents (n, 2) of different authors that are copies, in order.

    sampled     how many 8-grams of each document are in the sample
    whole       a hash of the text of each document
    """
    keys = [_pair_keys(part.left, part.right) for part in shared]
    counts = [part.count for part in shared]
    unique, place = np.unique(np.concatenate([np.zeros(0, np.uint64), *keys]), return_inverse=True)
    weights = np.concatenate([np.zeros(0, np.int64), *counts])
    total = np.bincount(place, weights=weights, minlength=len(unique))
    left, right = _documents_of(unique)
    close = (total > share * np.minimum(sampled[left], sampled[right])) & (total >= _FEWEST)
    near = np.stack([left[close], right[close]], axis=1).astype(np.int64)
    return np.unique(np.concatenate([near, _same_text(whole, authors)]), axis=0)


def _same_text(whole: Hashes, authors: Hashes) -> npt.NDArray[np.int64]:
    """Each document with the next one that has the same text and another author."""
    order = np.lexsort((authors, whole))
    one, other = order[:-1], order[1:]
    same = (whole[one] == whole[other]) & (authors[one] != authors[other])
    pairs = np.stack([one[same], other[same]], axis=1)
    return np.sort(pairs, axis=1).astype(np.int64)
