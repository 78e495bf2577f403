"""AVeer's nine feature categories of texts, hashed into sparse rows of relative frequencies.

Every category is a sequence of codes for each text, of which n on end are one feature. A token
shorter than a prefix or suffix is taken whole; words and characters are as spelt. Frequencies are
relative to what the category counts in the text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from adhominem.instrument.text.tokenised import offsets
from adhominem.laboratory.corpus.hashes import Hashes, hash_texts, mix, ngrams_of_documents
from adhominem.laboratory.verifiers.stylometric import Features, Integers, Texts

Parameters = tuple[int, ...]
_SYMBOLS = "$+<=>^`|~"  # ASCII punctuation that Unicode calls symbols

# The grids of the paper; n, k or (n, k) as each category has them.
GRID: dict[str, tuple[Parameters, ...]] = {
    "F1": tuple((n,) for n in range(1, 11)),  # n punctuation marks
    "F2": tuple((n,) for n in range(1, 11)),  # n characters
    "F3": tuple((n,) for n in range(5, 55, 5)),  # n % most frequent tokens
    "F4": tuple((k,) for k in range(1, 5)),  # k first letters of a token
    "F5": tuple((k,) for k in range(1, 5)),  # k last ones
    "F6": tuple((n, k) for n in range(2, 5) for k in range(1, 5)),  # k first of n tokens
    "F7": tuple((n, k) for n in range(2, 5) for k in range(1, 5)),  # k last of n tokens
    "F8": tuple((n, k) for n in range(1, 5) for k in range(1, 5)),  # n first and k last
    "F9": tuple((n, k) for n in range(1, 5) for k in range(1, 5)),  # n last, k first of the next
}


def frequencies(
    texts: Texts, category: str, parameters: Parameters, words: Sequence[str], columns: int
) -> Features:
    """Sparse (texts, columns); `words` are the tokens that F3 counts."""
    if category == "F3":
        return _count(*_frequent(texts, words), columns)
    return _count(*_COUNTED[category](texts, *parameters), columns)


def _token_edges(texts: Texts) -> Integers:
    return texts.tokens.sentences[texts.tokens.documents]


def _keep(codes: Hashes, edges: Integers, mask: npt.NDArray[np.bool_]) -> tuple[Hashes, Integers]:
    return codes[mask], offsets(mask)[edges]


def _characters(texts: Texts) -> tuple[Hashes, Integers]:
    read = [" ".join(text.split()) for text in texts.texts]
    codes = np.frombuffer("".join(read).encode("utf-32-le", "surrogatepass"), np.uint32)
    return codes.astype(np.uint64), offsets([len(text) for text in read])


def _punctuation(texts: Texts) -> tuple[Hashes, Integers]:
    codes, edges = _characters(texts)
    is_mark = np.zeros(int(codes.max(initial=0)) + 1, bool)
    for char in set().union(*texts.texts):
        if unicodedata.category(char)[0] == "P" or char in _SYMBOLS:
            is_mark[ord(char)] = True
    return _keep(codes, edges, is_mark[codes])


def _of_tokens(texts: Texts, part: Callable[[str], str]) -> Hashes:
    return hash_texts(part(word) for word in texts.tokens.types)[texts.tokens.tokens]


def _runs(codes: Hashes, edges: Integers, n: int) -> tuple[Hashes, Integers]:
    """Hashes of n codes on end that are all of one text."""
    _, hashes = ngrams_of_documents(codes, edges, n)
    return hashes, offsets(np.maximum(np.diff(edges) - n + 1, 0))


def _count(codes: Hashes, edges: Integers, columns: int) -> Features:
    """Sparse (texts, columns) with rows that sum to 1, or to 0 where there is nothing."""
    from scipy import sparse

    n_texts = len(edges) - 1
    column = (mix(codes, codes) % np.uint64(columns)).astype(np.int64)
    row = np.repeat(np.arange(n_texts), np.diff(edges))
    cells, counts = np.unique(row * columns + column, return_counts=True)
    row = cells // columns
    frequency = counts / np.diff(edges)[row]
    starts = np.searchsorted(row, np.arange(n_texts + 1))
    return sparse.csr_array((frequency, cells % columns, starts), shape=(n_texts, columns))


def _frequent(texts: Texts, words: Sequence[str]) -> tuple[Hashes, Integers]:
    numbers = {word: number for number, word in enumerate(words)}
    known = np.array([numbers.get(word, -1) for word in texts.tokens.types], dtype=np.int64)
    codes = known[texts.tokens.tokens]
    return _keep(codes.astype(np.uint64), _token_edges(texts), codes >= 0)


def _first(texts: Texts, k: int) -> Hashes:
    return _of_tokens(texts, lambda word: word[:k])


def _last(texts: Texts, k: int) -> Hashes:
    return _of_tokens(texts, lambda word: word[-k:])


def _last_and_first(texts: Texts, n: int, k: int) -> tuple[Hashes, Integers]:
    """The n last letters of a token with the k first of the next."""
    pairs = mix(_last(texts, n)[:-1], _first(texts, k)[1:])
    edges = _token_edges(texts)
    inside = np.ones(len(pairs), bool)
    inside[edges[(edges > 0) & (edges <= len(pairs))] - 1] = False
    return pairs[inside], offsets(inside)[np.minimum(edges, len(pairs))]


_COUNTED: dict[str, Callable[..., tuple[Hashes, Integers]]] = {
    "F1": lambda texts, n: _runs(*_punctuation(texts), n),
    "F2": lambda texts, n: _runs(*_characters(texts), n),
    "F4": lambda texts, k: (_first(texts, k), _token_edges(texts)),
    "F5": lambda texts, k: (_last(texts, k), _token_edges(texts)),
    "F6": lambda texts, n, k: _runs(_first(texts, k), _token_edges(texts), n),
    "F7": lambda texts, n, k: _runs(_last(texts, k), _token_edges(texts), n),
    "F8": lambda texts, n, k: (
        _of_tokens(texts, lambda word: f"{word[:n]}\n{word[-k:]}"),
        _token_edges(texts),
    ),
    "F9": _last_and_first,
}
