"""Hashes that are the same in every process, on every machine and in every year."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

Hashes = npt.NDArray[np.uint64]
_MIX = np.uint64(0x9E3779B97F4A7C15)


def hash_texts(texts: Iterable[str], *, key: int = 0) -> Hashes:
    """64 bits of each text; another key gives other bits."""
    secret = key.to_bytes(8, "little")
    digests = b"".join(
        hashlib.blake2b(text.encode("utf-8"), digest_size=8, key=secret).digest() for text in texts
    )
    return np.frombuffer(digests, dtype="<u8").astype(np.uint64)


def hash_ngrams(tokens: Hashes, n: int) -> Hashes:
    """Entry i is a hash of the tokens i to i + n - 1."""
    hashes = np.zeros(max(len(tokens) - n + 1, 0), dtype=np.uint64)
    for i in range(n):
        hashes = (hashes ^ tokens[i : i + len(hashes)]) * _MIX
        hashes ^= hashes >> np.uint64(29)
    return hashes


def ngrams_of_documents(
    tokens: Hashes, edges: npt.NDArray[np.int64], n: int
) -> tuple[npt.NDArray[np.int64], Hashes]:
    """The document and the hash of every n-gram; none reaches from one document into the next."""
    owner = np.repeat(np.arange(len(edges) - 1), np.diff(edges))
    hashes = hash_ngrams(tokens, n)
    whole = owner[: len(hashes)] == owner[n - 1 :][: len(hashes)]
    return owner[: len(hashes)][whole], hashes[whole]
