"""AVeer: an ensemble of feature categories, each with its own threshold.

Halvani, Winter & Pflug (2016), "Authorship verification for different languages, genres and
topics". A text is a vector of relative frequencies in each of nine categories, and

    similarity(x, y) = 1 / (1 + sum |x - y|)

accepts a pair if it reaches the category's threshold, which is set at the equal error rate of the
training pairs. Each category takes the parameters with the lowest equal error rate, and an odd
number of categories decides by majority. A similarity s is mapped to s / (2 theta) below the
threshold theta and to 1/2 + (s - theta) / (2 (1 - theta)) above it; the score of a pair is the mean
of the mapped similarities of the members in the majority, at least 1/2 if the pair is accepted and
below 1/2 if not. A text and itself have 1, the maximum.

Ours: the ensemble is the odd set of categories with most training pairs right, the smallest of
equals; the "n % most frequent tokens" are those of all training texts, so that the vector of a text
does not depend on what it is compared with; a token shorter than a prefix or suffix is taken whole.
Features of a category are hashed into 2 ** 18 columns: among 2,000 distinct n-grams of two texts
about eight pairs share a column, each of which lowers the distance by about 1/2,000. No public
implementation was consulted.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from adhominem.arrays import Booleans, Floats, Integers
from adhominem.errors import InputError
from adhominem.instrument.text.tokenised import offsets
from adhominem.instrument.verifier import ModelState
from adhominem.laboratory.corpus.hashes import Hashes, hash_texts, mix, ngrams_of_documents
from adhominem.laboratory.verifiers.compared_method import (
    Features,
    Texts,
    labels_of,
    limit_pairs,
    read_sides,
)
from adhominem.laboratory.verifiers.stylometric import StylometricVerifier
from adhominem.records import Pair

Parameters = tuple[int, ...]
_SYMBOLS = "$+<=>^`|~"  # ASCII punctuation that Unicode calls symbols

# The paper's grids of n, k or (n, k).
GRID: dict[str, tuple[Parameters, ...]] = {
    "F1": tuple((n,) for n in range(1, 11)),  # n punctuation marks
    "F2": tuple((n,) for n in range(1, 11)),  # n characters
    "F3": tuple((n,) for n in range(5, 55, 5)),  # n % most frequent tokens
    "F4": tuple((k,) for k in range(1, 5)),  # k first letters of a token
    "F5": tuple((k,) for k in range(1, 5)),  # k last letters of a token
    "F6": tuple((n, k) for n in range(2, 5) for k in range(1, 5)),  # k first letters of n tokens
    "F7": tuple((n, k) for n in range(2, 5) for k in range(1, 5)),  # k last letters of n tokens
    "F8": tuple((n, k) for n in range(1, 5) for k in range(1, 5)),  # n first and k last letters
    "F9": tuple(
        (n, k) for n in range(1, 5) for k in range(1, 5)
    ),  # n last letters, k first of the next
}


class Member(NamedTuple):
    """A category with its parameters and threshold."""

    category: str
    parameters: Parameters
    threshold: float

    def score(self, similarity: Floats) -> Floats:
        """Similarities mapped to [0, 1], linearly on both sides of the threshold, at 1/2."""
        below = similarity / (2 * self.threshold)
        above = 0.5 + (similarity - self.threshold) / (2 * max(1 - self.threshold, 1e-12))
        return np.where(similarity < self.threshold, below, above)


class AVeer(StylometricVerifier):
    """Majority of feature categories.

    grid      parameters to try in each category; other categories are not used
    columns   number of columns that the features of a category are hashed into
    most      the largest number of training pairs; `seed` draws them if there are more
    """

    kind = "aveer"
    learned = ("members", "words")
    members_: list[Member]
    words_: list[str]  # counted by F3

    def __init__(
        self,
        *,
        grid: Mapping[str, Sequence[Parameters]] = GRID,
        columns: int = 2**18,
        most: int = 10_000,
        seed: int = 0,
    ) -> None:
        self.grid = grid
        self.columns = columns
        self.most = most
        self.seed = seed

    def _fit(self, train: Sequence[Pair], dev: Sequence[Pair]) -> None:  # noqa: ARG002
        if not self.grid or set(self.grid) - set(GRID) or not all(self.grid.values()):
            raise InputError(f"the grid is {dict(self.grid)}: give parameters for some of F1 to F9")
        train = limit_pairs(train, self.most, self.seed)
        texts, n = read_sides(train), len(train)
        usable = (texts.side_tokens[:n] > 0) & (texts.side_tokens[n:] > 0)
        same = labels_of(train, usable)
        counts = texts.tokens.counts()
        ranked = sorted(counts, key=lambda word: (-counts[word], word))
        members, votes = [], []
        for category in sorted(self.grid):
            lowest = np.inf
            for parameters in map(tuple, self.grid[category]):
                words = _most_frequent(ranked, category, parameters)
                sides = texts.join(frequencies(texts, category, parameters, words, self.columns))
                similarity = _similarity(abs(sides[:n] - sides[n:]).sum(axis=1))[usable]
                error, threshold = equal_error(similarity, same)
                if error < lowest:
                    lowest, member = error, Member(category, parameters, threshold)
                    vote = similarity >= threshold
            members.append(member)
            votes.append(vote)
        self.members_ = [members[i] for i in best_ensemble(np.array(votes), same)]
        chosen = [_most_frequent(ranked, m.category, m.parameters) for m in self.members_]
        self.words_ = max(chosen, key=len)

    def _features(self, texts: Texts) -> Features:
        """The categories of all members side by side."""
        from scipy import sparse

        parts = [
            frequencies(texts, m.category, m.parameters, self.words_, self.columns)
            for m in self.members_
        ]
        return sparse.hstack(parts, format="csr")

    def _compare_sides(self, left: Features, right: Features) -> Floats:
        members = self.members_
        apart = abs(left - right).tocoo()
        cells = apart.row.astype(np.int64) * len(members) + apart.col // self.columns
        size = left.shape[0] * len(members)
        distance = np.bincount(cells, weights=apart.data, minlength=size)
        similarity = _similarity(distance.reshape(-1, len(members)))
        columns = [m.score(s) for m, s in zip(members, similarity.T, strict=True)]
        return majority_mean(np.stack(columns, axis=1))

    def restore(self, state: ModelState) -> None:
        super().restore(state)
        self.members_ = [Member(c, tuple(p), theta) for c, p, theta in state.tables["members"]]


def equal_error(similarity: Floats, same: Booleans) -> tuple[float, float]:
    """Equal error rate and its threshold, half way between two similarities."""
    values = np.unique(similarity)
    edges = np.concatenate([values[:1], (values[1:] + values[:-1]) / 2])
    rejected = np.searchsorted(np.sort(similarity[same]), edges) / same.sum()
    accepted = 1 - np.searchsorted(np.sort(similarity[~same]), edges) / (~same).sum()
    best = int(np.argmin(np.abs(rejected - accepted)))
    return float((rejected[best] + accepted[best]) / 2), float(edges[best])


def best_ensemble(votes: Booleans, same: Booleans) -> tuple[int, ...]:
    """The odd set of members whose majority is right most often; `votes` is (members, pairs)."""
    sets = [
        c for size in range(1, len(votes) + 1, 2) for c in combinations(range(len(votes)), size)
    ]
    right = [((2 * votes[list(c)].sum(axis=0) > len(c)) == same).sum() for c in sets]
    return sets[int(np.argmax(right))]


def majority_mean(scores: Floats) -> Floats:
    """The mean score of the members in the majority; `scores` is (pairs, members)."""
    accepts = scores >= 0.5
    majority = 2 * accepts.sum(axis=1) > scores.shape[1]
    agrees = accepts == majority[:, None]
    mean: Floats = (scores * agrees).sum(axis=1) / agrees.sum(axis=1)
    return mean


def _similarity(distance: Any) -> Floats:
    return np.asarray(1 / (1 + np.asarray(distance, dtype=np.float64)))


def _most_frequent(ranked: list[str], category: str, parameters: Parameters) -> list[str]:
    """The n % of the words that F3 counts, rounded up; none for other categories."""
    return ranked[: -(-len(ranked) * parameters[0] // 100)] if category == "F3" else []


def frequencies(
    texts: Texts, category: str, parameters: Parameters, words: Sequence[str], columns: int
) -> Features:
    """Sparse (texts, columns) relative frequencies of one category; F3 counts `words`."""
    if category == "F3":
        return _count(*_frequent(texts, words), columns)
    return _count(*_COUNTED[category](texts, *parameters), columns)


def _token_edges(texts: Texts) -> Integers:
    return texts.tokens.sentences[texts.tokens.documents]


def _keep(codes: Hashes, edges: Integers, mask: Booleans) -> tuple[Hashes, Integers]:
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
    """Hashes of runs of n codes within one text."""
    _, hashes = ngrams_of_documents(codes, edges, n)
    return hashes, offsets(np.maximum(np.diff(edges) - n + 1, 0))


def _count(codes: Hashes, edges: Integers, columns: int) -> Features:
    """Sparse (texts, columns) with rows that sum to 1, or to 0 for an empty text."""
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
    """The n last letters of each token with the k first of the next."""
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
