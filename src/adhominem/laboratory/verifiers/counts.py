"""Words and character n-grams of texts, counted into sparse matrices.

Runs of white space count as one space.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.utils.sparsefuncs import mean_variance_axis

from adhominem.arrays import Floats, Integers, Reals
from adhominem.instrument.text.tokenised import Tokenised
from adhominem.laboratory.corpus.hashes import Hashes


def index_words(words: Sequence[str]) -> dict[str, int]:
    """The column of each word or n-gram."""
    return {word: column for column, word in enumerate(words)}


def rank(counts: Mapping[str, int], most: int | None = None) -> list[str]:
    """The most frequent words or n-grams, ties in alphabetical order."""
    return sorted(counts, key=lambda word: (-counts[word], word))[:most]


def most_frequent_words(tokens: Tokenised, most: int) -> list[str]:
    """The lower-cased tokens that occur most often, ties in alphabetical order."""
    counts: Counter[str] = Counter()
    for word, count in tokens.counts().items():
        counts[word.lower()] += count
    return rank(counts, most)


def word_columns(tokens: Tokenised, words: Mapping[str, int]) -> Integers:
    """The column of each token, -1 for words without one."""
    column_of = np.array([words.get(word.lower(), -1) for word in tokens.types], dtype=np.int64)
    return column_of[tokens.tokens]


def documents_of(tokens: Tokenised) -> Integers:
    return np.repeat(np.arange(tokens.n_documents), tokens.n_tokens)


def count_words(tokens: Tokenised, words: Mapping[str, int]) -> Any:
    """Sparse counts (documents, words)."""
    columns = word_columns(tokens, words)
    known = columns >= 0
    shape = (tokens.n_documents, len(words))
    return count_cells(documents_of(tokens)[known], columns[known], shape)


def count_cells(rows: Any, columns: Any, shape: tuple[int, int]) -> Any:
    """Sparse matrix with the number of times that each (row, column) occurs."""
    return sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)


def frequent_ngrams(texts: Sequence[str], n: int, most: int) -> list[str]:
    """The n-grams that occur most often, ties in alphabetical order."""
    return rank(Counter(chain.from_iterable(_ngrams(text, [n]) for text in texts)), most)


def count_ngrams(texts: Sequence[str], ngrams: Sequence[str], *, relative: bool = False) -> Any:
    """Sparse counts (texts, n-grams of any lengths), divided by characters if `relative`."""
    lengths = sorted({len(ngram) for ngram in ngrams})
    counts = count_known(texts, index_words(ngrams), lambda text: _ngrams(text, lengths))
    if not relative:
        return counts
    n_characters = [max(len(single_spaced(text)), 1) for text in texts]
    return (sparse.diags_array(1 / np.array(n_characters)) @ counts).tocsr()


def count_known(
    texts: Sequence[str], ngrams: Mapping[str, int], read: Callable[[str], Iterable[str]]
) -> Any:
    """Sparse counts (texts, n-grams) of the n-grams that `read` extracts; others are ignored."""
    counter = CountVectorizer(analyzer=read, vocabulary=ngrams, dtype=np.float64)
    return sparse.csr_array(counter.transform(texts))


def _ngrams(text: str, lengths: Iterable[int]) -> Iterator[str]:
    text = single_spaced(text)
    return (text[i : i + n] for n in lengths for i in range(len(text) - n + 1))


def single_spaced(text: str) -> str:
    return " ".join(text.split())


def space_free_ngrams(text: str, n: int) -> list[str]:
    """Character n-grams within words; words shorter than n are taken whole."""
    return [word[i : i + n] for word in text.split() for i in range(max(len(word) - n, 0) + 1)]


def weigh(counts: Any, idf: Reals) -> Any:
    """tf-idf in single precision: relative frequencies times idf."""
    sums = np.maximum(counts.sum(axis=1), 1)
    return (sparse.diags_array(1 / sums) @ counts @ sparse.diags_array(idf)).astype(np.float32)


def inverse_document_frequency(counts: Any) -> Floats:
    """idf of each column, smoothed as if one more document had every n-gram."""
    frequency = np.bincount(counts.indices, minlength=counts.shape[1])
    return np.asarray(np.log((1 + counts.shape[0]) / (1 + frequency)) + 1)


def mean_and_deviation(features: Any) -> tuple[Floats, Floats]:
    """Mean and standard deviation of each column of a sparse matrix; a deviation of 0 becomes 1."""
    mean, variance = mean_variance_axis(features, axis=0)
    return mean, np.sqrt(np.where(variance > 1e-15, variance, 1))


def read_characters(texts: Sequence[str]) -> tuple[str, Hashes, Integers]:
    """All texts joined, the code of each character, and the number of its text."""
    clean = [single_spaced(text) for text in texts]
    joined = "".join(clean)
    encoded = joined.encode("utf-32-le", "surrogatepass")
    codes = np.frombuffer(encoded, dtype="<u4").astype(np.uint64)
    return joined, codes, np.repeat(np.arange(len(clean)), [*map(len, clean)])
