"""Character n-grams of texts, counted into sparse matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt


def most_frequent(
    texts: Sequence[str], n: int, most: int, *, without_spaces: bool = False
) -> list[str]:
    """The n-grams that occur most often, ties in alphabetical order."""
    from sklearn.feature_extraction.text import CountVectorizer

    counter = CountVectorizer(analyzer="char", ngram_range=(n, n), lowercase=False)
    counts = np.asarray(counter.fit_transform(_prepared(texts, without_spaces)).sum(axis=0)).ravel()
    names = counter.get_feature_names_out()
    return [str(name) for name in names[np.lexsort((names, -counts))[:most]]]


def count_ngrams(
    texts: Sequence[str], vocabulary: Sequence[str], n: int, *, without_spaces: bool = False
) -> Any:
    """Sparse counts (texts, n-grams of the vocabulary)."""
    from sklearn.feature_extraction.text import CountVectorizer

    counter = CountVectorizer(
        analyzer="char", ngram_range=(n, n), lowercase=False, vocabulary=list(vocabulary)
    )
    return counter.transform(_prepared(texts, without_spaces)).astype(np.float64).tocsr()


def inverse_document_frequency(counts: Any) -> npt.NDArray[np.float64]:
    """Smoothed as if one more document had every n-gram, so that none is divided by zero."""
    n_documents = counts.shape[0]
    frequency = np.bincount(counts.indices, minlength=counts.shape[1])
    weights: npt.NDArray[np.float64] = np.log((1 + n_documents) / (1 + frequency)) + 1
    return weights


def unit_rows(features: Any) -> Any:
    """Rows of length 1; a row of zeros stays one."""
    from scipy import sparse

    norms = np.sqrt(np.asarray(features.multiply(features).sum(axis=1)).ravel())
    return sparse.diags_array(1 / np.where(norms > 0, norms, 1)) @ features


def _prepared(texts: Sequence[str], without_spaces: bool) -> list[str]:
    return ["".join(text.split()) if without_spaces else " ".join(text.split()) for text in texts]
