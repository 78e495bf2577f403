"""Space-free character n-grams, and the sums that the min-max similarity is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

Reals = npt.NDArray[np.floating[Any]]  # single precision where there are many


def space_free_ngrams(text: str, n: int) -> list[str]:
    """Runs of n characters within words, and words of fewer."""
    return [word[i : i + n] for word in text.split() for i in range(max(len(word) - n, 0) + 1)]


def count_space_free(texts: Sequence[Sequence[str]], ngrams: Mapping[str, int]) -> Any:
    """Sparse counts (texts, n-grams)."""
    from scipy import sparse

    columns = [[ngrams[ngram] for ngram in text if ngram in ngrams] for text in texts]
    rows = np.repeat(np.arange(len(texts)), [len(text) for text in columns])
    flat = np.fromiter(chain.from_iterable(columns), dtype=np.int64)
    shape = (len(texts), len(ngrams))
    return sparse.csr_array((np.ones(len(flat), np.float32), (rows, flat)), shape=shape)


def weigh(counts: Any, idf: Reals) -> Any:
    """Relative frequencies times idf."""
    from scipy import sparse

    sums = np.maximum(counts.sum(axis=1), 1)
    return (sparse.diags_array(1 / sums) @ counts @ sparse.diags_array(idf)).astype(np.float32)


def min_by_max(minima: Reals, sums: Reals) -> Reals:
    """Sum of minima by sum of maxima; 0 where both texts have nothing."""
    maxima = sums - minima
    ratio: Reals = minima / np.where(maxima > 0, maxima, 1)
    return ratio
