"""Hashes of texts and n-grams that do not depend on process, machine or version."""

import hashlib
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from adhominem.arrays import Integers

Hashes = npt.NDArray[np.uint64]


def hash_texts(texts: Iterable[str], *, key: int = 0) -> Hashes:
    """Return 64 bits of each text, which may be any string; another key gives other bits."""
    secret = key.to_bytes(8, "little")
    digests = b"".join(
        hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8, key=secret).digest()
        for text in texts
    )
    return np.frombuffer(digests, dtype="<u8").astype(np.uint64)


def mix(one: Hashes, other: Hashes) -> Hashes:
    """Return a hash of each two hashes, which depends on their order."""
    mixed = one * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= other
    mixed *= np.uint64(0xD1B54A32D192ED03)
    mixed ^= mixed >> np.uint64(29)
    return mixed


def hash_ngrams(tokens: Hashes, n: int) -> Hashes:
    """Return the hash of the tokens i to i + n - 1 as entry i, combined from runs of 1, 2, 4 ..."""
    if len(tokens) < n:
        return np.zeros(0, np.uint64)
    runs, length = tokens, 1
    done: Hashes | None = None
    covered = 0
    while length <= n:
        if n & length:
            part = runs[covered:]
            done = part if done is None else mix(done[: len(part)], part)
            covered += length
        if 2 * length <= n:
            runs = mix(runs[:-length], runs[length:])
        length *= 2
    assert done is not None
    return done


def ngrams_of_documents(
    tokens: Hashes, edges: Integers, n: int
) -> tuple[npt.NDArray[np.int32], Hashes]:
    """Return the document and the hash of every n-gram; none spans two documents."""
    owner = np.repeat(np.arange(len(edges) - 1, dtype=np.int32), np.diff(edges))
    last = owner[n - 1 :]
    first = owner[: len(last)]
    inside = first == last
    return first[inside], hash_ngrams(tokens, n)[inside]
