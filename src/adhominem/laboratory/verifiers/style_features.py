"""Figures of style that need no more than the tokens: the columns of `FeatureDifference`.

All are non-negative, and are computed for whole batches of texts by arithmetic on numbers of
tokens and hashes of n-grams.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from adhominem.instrument.text.tokenised import Tokenised
from adhominem.laboratory.corpus.hashes import Hashes, hash_ngrams

Floats = npt.NDArray[np.float64]
_LONGEST_TOKEN = 16  # longer ones are counted with those of this length
_BLOCK = 1000  # texts whose n-grams are in memory at once


def frequent_ngrams(texts: Sequence[str], n: int, most: int) -> list[str]:
    """The character n-grams that occur most often, ties in alphabetical order."""
    joined, codes, rows = _characters(texts)
    hashes, inside = _hash_characters(codes, rows, n)
    places = np.flatnonzero(inside)
    _, first, counts = np.unique(hashes[places], return_index=True, return_counts=True)
    if len(counts) > most:
        enough = counts >= np.partition(counts, -most)[-most]
        first, counts = first[enough], counts[enough]
    starts = places[first].tolist()
    ngrams = [(-int(count), joined[i : i + n]) for i, count in zip(starts, counts, strict=True)]
    return [ngram for _, ngram in sorted(ngrams)[:most]]


def ngram_frequencies(texts: Sequence[str], ngrams: Sequence[str]) -> Any:
    """Sparse (texts, n-grams of any lengths): occurrences for each character of the text."""
    from scipy import sparse

    lengths = np.array([len(ngram) for ngram in ngrams])
    columns_of = {int(n): np.flatnonzero(lengths == n) for n in np.unique(lengths)}
    tables = {n: _table([ngrams[i] for i in columns_of[n].tolist()], n) for n in columns_of}
    blocks = []
    for start in range(0, len(texts), _BLOCK):
        block = texts[start : start + _BLOCK]
        _, codes, rows = _characters(block)
        found = [np.zeros((2, 0), np.int64)]
        for n, (known, order) in tables.items():
            hashes, inside = _hash_characters(codes, rows, n)
            place = np.minimum(np.searchsorted(known, hashes), len(known) - 1)
            hit = np.flatnonzero(inside & (known[place] == hashes))
            found.append(np.stack([rows[hit], columns_of[n][order[place[hit]]]]))
        where = np.concatenate(found, axis=1)
        length = np.bincount(rows, minlength=len(block))
        blocks.append(
            sparse.csr_array((1 / length[where[0]], where), shape=(len(block), len(ngrams)))
        )
    return sparse.vstack(blocks).tocsr()


def neighbour_counts(tokens: Tokenised, words: Mapping[str, int]) -> Any:
    """Sparse (documents, words * words): one word right before another."""
    from scipy import sparse

    place_of = np.array([words.get(word.lower(), -1) for word in tokens.types], dtype=np.int64)
    places, rows = place_of[tokens.tokens], _documents(tokens)
    both = (places[:-1] >= 0) & (places[1:] >= 0) & (rows[:-1] == rows[1:])
    columns = places[:-1][both] * len(words) + places[1:][both]
    return sparse.csr_array(
        (np.ones(len(columns)), (rows[:-1][both], columns)),
        shape=(tokens.n_documents, len(words) ** 2),
    )


def vocabulary_figures(tokens: Tokenised) -> Floats:
    """Dense (documents, 26): shares of tokens with 1, 2 ... 16 or more letters; mean lengths of
    tokens and sentences; shares of tokens that begin with a capital, are all capitals, have a
    digit, are punctuation; log types by log tokens; shares of types that occur once and twice;
    the chance that two tokens are alike (Yule's K without its factor)."""
    n_documents, types, rows = tokens.n_documents, tokens.types, _documents(tokens)
    n = np.maximum(tokens.n_tokens, 1).astype(np.float64)

    def mean(figures: Sequence[float]) -> Floats:
        of_token = np.array(figures, dtype=np.float64)[tokens.tokens]
        return np.asarray(np.bincount(rows, of_token, minlength=n_documents) / n)

    lengths = np.array([min(len(word), _LONGEST_TOKEN) for word in types], dtype=np.int64)
    cells = rows * _LONGEST_TOKEN + np.maximum(lengths[tokens.tokens], 1) - 1
    by_length = np.bincount(cells, minlength=n_documents * _LONGEST_TOKEN)
    used, counts = np.unique(rows * len(types) + tokens.tokens, return_counts=True)
    owners = used // max(len(types), 1)

    def total(weights: npt.ArrayLike) -> Floats:
        sums = np.bincount(owners, np.asarray(weights, np.float64), minlength=n_documents)
        return np.asarray(sums, dtype=np.float64)

    n_types = np.maximum(total(counts > 0), 1)
    figures = [
        mean([len(word) for word in types]),
        n / np.maximum(np.diff(tokens.documents), 1),
        mean([word[:1].isupper() for word in types]),
        mean([len(word) > 1 and word.isupper() for word in types]),
        mean([any(map(str.isdigit, word)) for word in types]),
        mean([not any(map(str.isalnum, word)) for word in types]),
        np.log(n_types) / np.log(n + 1),
        total(counts == 1) / n_types,
        total(counts == 2) / n_types,
        np.maximum(total(counts.astype(np.float64) ** 2) / n**2 - 1 / n, 0),
    ]
    return np.column_stack([by_length.reshape(n_documents, -1) / n[:, None], *figures])


def _documents(tokens: Tokenised) -> npt.NDArray[np.int64]:
    """The document of each token."""
    return np.repeat(np.arange(tokens.n_documents), tokens.n_tokens)


def _characters(texts: Sequence[str]) -> tuple[str, Hashes, npt.NDArray[np.int64]]:
    """All texts in one, white space as single spaces; its characters; the text of each."""
    clean = [" ".join(text.split()) for text in texts]
    joined = "".join(clean)
    codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    return joined, codes.astype(np.uint64), np.repeat(np.arange(len(clean)), [*map(len, clean)])


def _hash_characters(
    codes: Hashes, rows: npt.NDArray[np.int64], n: int
) -> tuple[Hashes, npt.NDArray[np.bool_]]:
    """A hash for each n-gram, and whether it lies inside one text."""
    hashes = hash_ngrams(codes, n)
    return hashes, rows[: len(hashes)] == rows[n - 1 :][: len(hashes)]


def _table(ngrams: Sequence[str], n: int) -> tuple[Hashes, npt.NDArray[np.int64]]:
    """Hashes of n-grams in ascending order, and the order."""
    codes = np.frombuffer("".join(ngrams).encode("utf-32-le", "surrogatepass"), dtype="<u4")
    hashes = hash_ngrams(codes.astype(np.uint64), n)[::n]
    order = np.argsort(hashes)
    return hashes[order], order
