"""Hashes of texts and n-grams, the same in every process and on every machine."""

import hashlib
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from adhominem.arrays import Integers

Hashes = npt.NDArray[np.uint64]


def hash_texts(texts: Iterable[str], *, key: int = 0) -> Hashes:
    """Return a 64-bit hash of each text, which may be any string; `key` is a seed."""
    secret = key.to_bytes(8, "little")
    digests = b"".join(
        hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8, key=secret).digest()
        for text in texts
    )
    return np.frombuffer(digests, dtype="<u8").astype(np.uint64)


def mix(one: Hashes, other: Hashes) -> Hashes:
    """Combine two hashes into one, elementwise; the order of the arguments matters."""
    mixed = one * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= other
    mixed *= np.uint64(0xD1B54A32D192ED03)
    mixed ^= mixed >> np.uint64(29)
    return mixed


def hash_ngrams(tokens: Hashes, n: int) -> Hashes:
    """Return the hashes of all n-grams in order, combined from runs of 1, 2, 4, ... tokens."""
    if len(tokens) < n:
        return np.zeros(0, np.uint64)
    runs, length = tokens, 1
    done: Hashes | None = None
    covered = 0  # tokens of each n-gram that are in `done`
    while True:
        if n & length:
            part = runs[covered:]
            done = part if done is None else mix(done[: len(part)], part)
            covered += length
            if covered == n:
                return done
        runs = mix(runs[:-length], runs[length:])
        length *= 2


def ngrams_of_documents(
    tokens: Hashes, edges: Integers, n: int
) -> tuple[npt.NDArray[np.int32], Hashes]:
    """Return the document and the hash of every n-gram; none spans two documents. Document d has
    the tokens `edges[d]:edges[d + 1]`."""
    owner = np.repeat(np.arange(len(edges) - 1, dtype=np.int32), np.diff(edges))
    last = owner[n - 1 :]
    first = owner[: len(last)]
    inside = first == last
    return first[inside], hash_ngrams(tokens, n)[inside]
