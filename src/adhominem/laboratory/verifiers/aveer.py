"""AVeer: an ensemble of feature categories, each with its own threshold.

Halvani, Winter & Pflug (2016), "Authorship verification for different languages, genres and
topics". A text is a vector of relative frequencies in each of nine categories, and

    similarity(x, y) = 1 / (1 + sum |x - y|)

accepts a pair where it reaches the category's threshold, which stands at the equal error rate of
the training pairs. Each category takes the parameters with the lowest equal error rate, and an
odd number of categories decides by majority. A similarity s is mapped to s / (2 theta) below the
threshold theta and to 1/2 + (s - theta) / (2 (1 - theta)) above it; a pair has the mean of the
mapped scores of those members that are in the majority, which is at least 1/2 where it accepts
and below where it rejects. A text has 1 with itself, the most there is.

Ours: the search for the ensemble tries every odd set of categories and takes the one with most
training pairs right, the smallest of equals; the "n % most frequent tokens" are those of all
training texts, so that a text's vector does not depend on what it is compared with; a token
shorter than a prefix or suffix is taken whole. Features are hashed into 2 ** 18 columns for each
category: of 2,000 distinct n-grams in two texts about eight pairs share a column, which can only
make the distance smaller, by about 1/2,000 each. No public implementation was looked at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from adhominem.errors import InputError, NotFittedError
from adhominem.instrument.verifier import ModelState
from adhominem.laboratory.verifiers.aveer_categories import GRID, Parameters, frequencies
from adhominem.laboratory.verifiers.stylometric import (
    Features,
    Floats,
    StylometricVerifier,
    Texts,
    read_sides,
)
from adhominem.laboratory.verifiers.text_pairs import draw
from adhominem.records import Pair


@dataclass(frozen=True, slots=True)
class Member:
    """A category with its parameters and threshold."""

    category: str
    parameters: Parameters
    threshold: float

    def score(self, similarity: Floats) -> Floats:
        """0 to 1, straight below and above the threshold, where it is 1/2."""
        below = similarity / (2 * self.threshold)
        above = 0.5 + (similarity - self.threshold) / (2 * max(1 - self.threshold, 1e-12))
        return np.where(similarity < self.threshold, below, above)


class AVeer(StylometricVerifier):
    """
    grid      parameters to try in each category; a category that is not in it is not used
    columns   into which the features of a category are hashed
    most      training pairs that are used, drawn by `seed` where there are more
    """

    kind = "aveer"

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
        self.members_: list[Member] | None = None
        self.words_: list[str] = []  # those that F3 counts

    def _fit(self, train: Sequence[Pair], dev: Sequence[Pair]) -> None:  # noqa: ARG002
        if not self.grid or set(self.grid) - set(GRID) or not all(self.grid.values()):
            raise InputError(f"the grid is {dict(self.grid)}: give parameters for some of F1 to F9")
        train = draw(train, self.most, self.seed)
        texts = read_sides(train)
        n = len(train)
        usable = (texts.side_tokens[:n] > 0) & (texts.side_tokens[n:] > 0)
        same = np.array([bool(pair.same_author) for pair in train])[usable]
        if same.all() or not same.any():
            raise InputError("training pairs are all of one kind: both kinds are needed")
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
        """The members side by side."""
        from scipy import sparse

        if self.members_ is None:
            raise NotFittedError(f"this {self.kind} verifier is not fitted: call fit() or load one")
        parts = [
            frequencies(texts, m.category, m.parameters, self.words_, self.columns)
            for m in self.members_
        ]
        return sparse.hstack(parts, format="csr")

    def _compare_sides(self, left: Features, right: Features) -> Floats:
        members = self.members_ or []
        apart = abs(left - right).tocoo()
        cells = apart.row.astype(np.int64) * len(members) + apart.col // self.columns
        size = left.shape[0] * len(members)
        distance = np.bincount(cells, weights=apart.data, minlength=size)
        similarity = _similarity(distance.reshape(-1, len(members)))
        columns = [m.score(s) for m, s in zip(members, similarity.T, strict=True)]
        return majority_mean(np.stack(columns, axis=1))

    def state(self) -> ModelState:
        if self.members_ is None:
            raise NotFittedError(f"this {self.kind} verifier is not fitted: nothing to save")
        members = [[m.category, list(m.parameters), m.threshold] for m in self.members_]
        grid = {name: [list(p) for p in tried] for name, tried in self.grid.items()}
        tables = {"members": members, "words": self.words_}
        settings = {"columns": self.columns, "most": self.most, "seed": self.seed}
        return ModelState({"grid": grid, **settings}, tables, {})

    def restore(self, state: ModelState) -> None:
        grid: dict[str, Any] = state.settings["grid"]
        self.grid = {name: tuple(tuple(p) for p in tried) for name, tried in grid.items()}
        self.columns, self.most = state.settings["columns"], state.settings["most"]
        self.seed = state.settings["seed"]
        self.members_ = [Member(c, tuple(p), theta) for c, p, theta in state.tables["members"]]
        self.words_ = list(state.tables["words"])


def equal_error(similarity: Floats, same: npt.NDArray[np.bool_]) -> tuple[float, float]:
    """Error rate and threshold where wrong acceptance and wrong rejection are closest; half way
    between two similarities of the training pairs."""
    values = np.unique(similarity)
    edges = np.concatenate([values[:1], (values[1:] + values[:-1]) / 2])
    rejected = np.searchsorted(np.sort(similarity[same]), edges) / same.sum()
    accepted = 1 - np.searchsorted(np.sort(similarity[~same]), edges) / (~same).sum()
    best = int(np.argmin(np.abs(rejected - accepted)))
    return float((rejected[best] + accepted[best]) / 2), float(edges[best])


def best_ensemble(votes: npt.NDArray[np.bool_], same: npt.NDArray[np.bool_]) -> tuple[int, ...]:
    """The odd set of rows of `votes` (members, pairs) whose majority is right most often."""
    sets = [
        c for size in range(1, len(votes) + 1, 2) for c in combinations(range(len(votes)), size)
    ]
    right = [((2 * votes[list(c)].sum(axis=0) > len(c)) == same).sum() for c in sets]
    return sets[int(np.argmax(right))]


def majority_mean(scores: Floats) -> Floats:
    """(pairs, members) to the mean of the scores on the side of 1/2 that most members take."""
    accepts = scores >= 0.5
    majority = 2 * accepts.sum(axis=1) > scores.shape[1]
    agrees = accepts == majority[:, None]
    mean: Floats = (scores * agrees).sum(axis=1) / agrees.sum(axis=1)
    return mean


def _similarity(distance: Any) -> Floats:
    return np.asarray(1 / (1 + np.asarray(distance, dtype=np.float64)))


def _most_frequent(ranked: list[str], category: str, parameters: Parameters) -> list[str]:
    """The n % that F3 counts, rounded up; other categories need none."""
    return ranked[: -(-len(ranked) * parameters[0] // 100)] if category == "F3" else []
