"""Character n-grams of texts, counted into sparse matrices."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from adhominem.instrument.text.tokenised import Tokenised


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


def carried_ngrams(
    texts: Sequence[str], tokens: Tokenised, vocabulary: Sequence[str], n: int
) -> Any:
    """Sparse (tokens, n-grams): an n-gram is carried by the tokens whose characters it has, each
    by its share of them."""
    from scipy import sparse

    column = {ngram: i for i, ngram in enumerate(vocabulary)}
    edges = tokens.sentences[tokens.documents]
    rows: list[int] = []
    columns: list[int] = []
    shares: list[float] = []
    for number, text in enumerate(texts):
        owner = np.full(len(text) + 1, -1)
        for token in range(edges[number], edges[number + 1]):
            owner[tokens.starts[token] : tokens.ends[token]] = token
        places = [m.start() for m in re.finditer(r"\S|(?<=\S)\s+(?=\S)", text)]
        read = "".join(" " if text[place].isspace() else text[place] for place in places)
        for i in range(len(read) - n + 1):
            if read[i : i + n] in column:
                carriers = [int(owner[p]) for p in places[i : i + n] if owner[p] >= 0]
                rows += carriers
                columns += [column[read[i : i + n]]] * len(carriers)
                shares += [1 / len(carriers)] * len(carriers)
    shape = (len(tokens.tokens), len(vocabulary))
    return sparse.csr_array((shares, (rows, columns)), shape=shape)


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
