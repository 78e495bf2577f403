"""Words and character n-grams of texts, counted into sparse matrices.

White space counts as single spaces. N-grams are found by hashes, for whole batches of texts.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.sparsefuncs import mean_variance_axis

from adhominem.arrays import Booleans, Floats, Integers, Reals
from adhominem.instrument.text.tokenised import Tokenised
from adhominem.laboratory.corpus.hashes import Hashes, hash_ngrams

_BLOCK = 1000  # texts whose n-grams are in memory at once


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
    """Sparse matrix with the number of times that each cell is given."""
    return sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)


def frequent_ngrams(texts: Sequence[str], n: int, most: int) -> list[str]:
    """The n-grams that occur most often, ties in alphabetical order."""
    joined, codes, rows = read_characters(texts)
    hashes, inside = hash_runs(codes, rows, n)
    starts = np.flatnonzero(inside)
    _, first, counts = np.unique(hashes[starts], return_index=True, return_counts=True)
    enough = counts >= np.sort(counts)[-most:].min(initial=len(codes))
    first, times = starts[first[enough]].tolist(), counts[enough].tolist()
    return rank({joined[i : i + n]: count for i, count in zip(first, times, strict=True)}, most)


def count_ngrams(texts: Sequence[str], ngrams: Sequence[str], *, relative: bool = False) -> Any:
    """Sparse counts (texts, n-grams of any lengths); `relative` to the characters of the text."""
    lengths = np.array([len(ngram) for ngram in ngrams])
    columns_of = {int(n): np.flatnonzero(lengths == n) for n in np.unique(lengths)}
    tables = {n: _table([ngrams[i] for i in columns_of[n].tolist()], n) for n in columns_of}
    blocks = []
    for start in range(0, len(texts), _BLOCK):
        block = texts[start : start + _BLOCK]
        _, codes, rows = read_characters(block)
        cells = [np.zeros((2, 0), np.int64)]
        for n, (known, order) in tables.items():
            hashes, inside = hash_runs(codes, rows, n)
            index = np.minimum(np.searchsorted(known, hashes), len(known) - 1)
            hit = np.flatnonzero(inside & (known[index] == hashes))
            cells.append(np.stack([rows[hit], columns_of[n][order[index[hit]]]]))
        where = np.concatenate(cells, axis=1)
        length = np.bincount(rows, minlength=len(block))
        amounts = 1 / length[where[0]] if relative else np.ones(where.shape[1])
        blocks.append(sparse.csr_array((amounts, where), shape=(len(block), len(ngrams))))
    return sparse.vstack(blocks).tocsr()


def space_free_ngrams(text: str, n: int) -> list[str]:
    """Runs of n characters within words, and shorter words whole."""
    return [word[i : i + n] for word in text.split() for i in range(max(len(word) - n, 0) + 1)]


def count_space_free(texts: Sequence[Sequence[str]], ngrams: Mapping[str, int]) -> Any:
    """Sparse counts (texts, n-grams) of the n-grams of each text."""
    columns = [[ngrams[ngram] for ngram in text if ngram in ngrams] for text in texts]
    rows = np.repeat(np.arange(len(texts)), [len(text) for text in columns])
    flat = np.fromiter(chain.from_iterable(columns), dtype=np.int64)
    shape = (len(texts), len(ngrams))
    return sparse.csr_array((np.ones(len(flat), np.float32), (rows, flat)), shape=shape)


def weigh(counts: Any, idf: Reals) -> Any:
    """Relative frequencies times idf, in single precision."""
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
    clean = [" ".join(text.split()) for text in texts]
    joined = "".join(clean)
    return joined, _codes(joined), np.repeat(np.arange(len(clean)), [*map(len, clean)])


def _codes(text: str) -> Hashes:
    encoded = text.encode("utf-32-le", "surrogatepass")
    return np.frombuffer(encoded, dtype="<u4").astype(np.uint64)


def hash_runs(codes: Hashes, rows: Integers, n: int) -> tuple[Hashes, Booleans]:
    """A hash for each run of n codes, and whether it lies inside one text; `rows` are the texts."""
    hashes = hash_ngrams(codes, n)
    return hashes, rows[: len(hashes)] == rows[n - 1 :][: len(hashes)]


def _table(ngrams: Sequence[str], n: int) -> tuple[Hashes, Integers]:
    """Hashes of n-grams in ascending order, and the order."""
    hashes = hash_ngrams(_codes("".join(ngrams)), n)[::n]
    order = np.argsort(hashes)
    return hashes[order], order
