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

Ours: the ensemble is the odd set of categories with most training pairs right, the smallest one
in case of ties; the "n % most frequent tokens" are counted over all training texts, so that the
vector of a text does not depend on the other text of the pair; a token shorter than a prefix or
suffix is taken whole. Features are hashed into 2 ** 18 columns per category: about eight pairs of
the 2,000 distinct n-grams of two texts share a column, each of which lowers the distance by about
1/2,000. No public implementation was consulted.
"""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
from scipy import sparse

from adhominem.arrays import Booleans, Floats, Integers
from adhominem.errors import InputError
from adhominem.instrument.verifier import ModelState
from adhominem.laboratory import verifiers as base
from adhominem.laboratory.corpus.hashes import Hashes, hash_ngrams, hash_texts, mix
from adhominem.laboratory.verifiers import Features, Texts, counts
from adhominem.records import Pair

Parameters = tuple[int, ...]
_SYMBOLS = "$+<=>^`|~"  # ASCII punctuation that Unicode calls symbols

# The paper's grids of n, k or (n, k).
GRID: dict[str, tuple[Parameters, ...]] = {
    "F1": tuple(product(range(1, 11))),  # n punctuation marks
    "F2": tuple(product(range(1, 11))),  # n characters
    "F3": tuple(product(range(5, 55, 5))),  # n % most frequent tokens
    "F4": tuple(product(range(1, 5))),  # k first letters of a token
    "F5": tuple(product(range(1, 5))),  # k last letters of a token
    "F6": tuple(product(range(2, 5), range(1, 5))),  # k first letters of n tokens
    "F7": tuple(product(range(2, 5), range(1, 5))),  # k last letters of n tokens
    "F8": tuple(product(range(1, 5), range(1, 5))),  # n first and k last letters
    "F9": tuple(product(range(1, 5), range(1, 5))),  # n last letters, k first of the next
}


class Member(NamedTuple):
    """A category with its parameters and threshold."""

    category: str
    parameters: Parameters
    threshold: float

    def score(self, similarity: Floats) -> Floats:
        """Similarities mapped to [0, 1], piecewise linearly with 1/2 at the threshold."""
        below = similarity / (2 * self.threshold)
        above = 0.5 + (similarity - self.threshold) / (2 * max(1 - self.threshold, 1e-12))
        return np.where(similarity < self.threshold, below, above)


@dataclass(kw_only=True, eq=False)
class AVeer(base.StylometricVerifier):
    """Majority vote of feature categories.

    grid      parameters to try in each category; other categories are not used
    columns   number of hashed features of a category
    most      maximum number of training pairs; `seed` draws them if there are more
    """

    kind = "aveer"
    grid: Mapping[str, Sequence[Parameters]] = field(default_factory=GRID.copy)
    columns: int = 2**18
    most: int = 10_000
    seed: int = 0
    members_: list[Member] = field(init=False)
    words_: list[str] = field(init=False)  # tokens that F3 counts

    def _fit(self, train: Sequence[Pair]) -> None:
        if not self.grid or set(self.grid) - set(GRID) or not all(self.grid.values()):
            raise InputError(f"the grid is {dict(self.grid)}: give parameters for some of F1 to F9")
        train = base.limit_pairs(train, self.most, self.seed)
        texts = base.Texts(train)
        same = base.labels_of(train, texts.comparable)
        ranked = counts.rank(texts.tokens.counts())
        members, votes = [], []
        for category in sorted(self.grid):
            lowest = np.inf
            for parameters in map(tuple, self.grid[category]):
                words = _most_frequent(ranked, category, parameters)
                features = frequencies(texts, category, parameters, words, self.columns)
                left, right = texts.join(features)
                similarity = (1 / (1 + abs(left - right).sum(axis=1)))[texts.comparable]
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
        own = [(m.category, m.parameters, self.words_, self.columns) for m in self.members_]
        return sparse.hstack([frequencies(texts, *part) for part in own], format="csr")

    def _compare_sides(self, left: Features, right: Features) -> Floats:
        members = self.members_
        apart = abs(left - right).tocoo()
        cells = apart.row.astype(np.int64) * len(members) + apart.col // self.columns
        size = left.shape[0] * len(members)
        distance = np.bincount(cells, weights=apart.data, minlength=size)
        similarity = 1 / (1 + distance.reshape(-1, len(members)))
        columns = [m.score(s) for m, s in zip(members, similarity.T, strict=True)]
        return majority_mean(np.stack(columns, axis=1))

    def restore(self, state: ModelState) -> None:
        super().restore(state)
        self.members_ = [Member(c, tuple(p), theta) for c, p, theta in state.tables["members"]]


def equal_error(similarity: Floats, same: Booleans) -> tuple[float, float]:
    """Equal error rate and its threshold, the midpoint between two similarities."""
    values = np.unique(similarity)
    edges = np.concatenate([values[:1], (values[1:] + values[:-1]) / 2])
    rejected = np.searchsorted(np.sort(similarity[same]), edges) / same.sum()
    accepted = 1 - np.searchsorted(np.sort(similarity[~same]), edges) / (~same).sum()
    best = int(np.argmin(np.abs(rejected - accepted)))
    return float((rejected[best] + accepted[best]) / 2), float(edges[best])


def best_ensemble(votes: Booleans, same: Booleans) -> tuple[int, ...]:
    """The odd set of members whose majority is right most often; `votes` is (members, pairs)."""
    members, sizes = range(len(votes)), range(1, len(votes) + 1, 2)
    sets = [chosen for size in sizes for chosen in combinations(members, size)]
    right = [((2 * votes[list(c)].sum(axis=0) > len(c)) == same).sum() for c in sets]
    return sets[int(np.argmax(right))]


def majority_mean(scores: Floats) -> Floats:
    """The mean score of the members in the majority; `scores` is (pairs, members)."""
    accepts = scores >= 0.5
    majority = 2 * accepts.sum(axis=1) > scores.shape[1]
    agrees = accepts == majority[:, None]
    return np.asarray((scores * agrees).sum(axis=1) / agrees.sum(axis=1))


def _most_frequent(ranked: list[str], category: str, parameters: Parameters) -> list[str]:
    """The n % most frequent words for F3, rounded up; none for other categories."""
    return ranked[: -(-len(ranked) * parameters[0] // 100)] if category == "F3" else []


def frequencies(
    texts: Texts, category: str, parameters: Parameters, words: Sequence[str], columns: int
) -> Features:
    """Sparse (texts, columns) relative frequencies of one category; F3 counts `words`."""
    arguments = (words,) if category == "F3" else parameters
    codes, rows = _COUNTED[category](texts, *arguments)
    column = (mix(codes, codes) % np.uint64(columns)).astype(np.int64)
    matrix = counts.count_cells(rows, column, (len(texts.texts), columns))
    totals = np.bincount(rows, minlength=len(texts.texts))
    matrix.data /= np.repeat(totals, np.diff(matrix.indptr))
    return matrix


Counted = tuple[Hashes, Integers]  # code of each feature occurrence, and index of its text


def _punctuation(texts: Texts) -> Counted:
    characters, codes, rows = counts.read_characters(texts.texts)
    is_mark = np.zeros(int(codes.max(initial=0)) + 1, bool)
    for char in set(characters):
        is_mark[ord(char)] = unicodedata.category(char)[0] == "P" or char in _SYMBOLS
    return codes[is_mark[codes]], rows[is_mark[codes]]


def _parts(texts: Texts, part: Callable[[str], str]) -> Counted:
    """Hashes of a part of each token."""
    hashes = hash_texts(part(word) for word in texts.tokens.types)
    return hashes[texts.tokens.tokens], counts.documents_of(texts.tokens)


def _runs(codes: Hashes, rows: Integers, n: int) -> Counted:
    """Hashes of the n-grams of codes that lie within one text."""
    hashes = hash_ngrams(codes, n)
    first, last = rows[: len(hashes)], rows[n - 1 :][: len(hashes)]
    return hashes[first == last], first[first == last]


def _frequent(texts: Texts, words: Sequence[str]) -> Counted:
    numbers = counts.index_words(words)
    known = np.array([numbers.get(word, -1) for word in texts.tokens.types], dtype=np.int64)
    codes = known[texts.tokens.tokens]
    return codes[codes >= 0].astype(np.uint64), counts.documents_of(texts.tokens)[codes >= 0]


def _last_and_first(texts: Texts, n: int, k: int) -> Counted:
    """Hashes of the last n letters of each token and the first k of the next."""
    last, rows = _parts(texts, lambda word: word[-n:])
    first, _ = _parts(texts, lambda word: word[:k])
    inside = rows[:-1] == rows[1:]
    return mix(last[:-1], first[1:])[inside], rows[:-1][inside]


_COUNTED: dict[str, Callable[..., Counted]] = {
    "F1": lambda texts, n: _runs(*_punctuation(texts), n),
    "F2": lambda texts, n: _runs(*counts.read_characters(texts.texts)[1:], n),
    "F3": _frequent,
    "F4": lambda texts, k: _parts(texts, lambda word: word[:k]),
    "F5": lambda texts, k: _parts(texts, lambda word: word[-k:]),
    "F6": lambda texts, n, k: _runs(*_parts(texts, lambda word: word[:k]), n),
    "F7": lambda texts, n, k: _runs(*_parts(texts, lambda word: word[-k:]), n),
    "F8": lambda texts, n, k: _parts(texts, lambda word: f"{word[:n]}\n{word[-k:]}"),
    "F9": _last_and_first,
}
