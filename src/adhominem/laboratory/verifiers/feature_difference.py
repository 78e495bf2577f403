"""Logistic regression on feature differences (Weerasinghe & Greenstadt, PAN 2020).

A text is described by the frequencies of character n-grams (1 to 6), of function words and of
pairs of neighbouring function words, by lengths, richness of vocabulary and rates of capitals,
digits and punctuation. The similarity of two sides is

    s(x, y) = -sum_i w_i |sqrt(x_i) - sqrt(y_i)| / deviation_i,    w_i >= 0

with deviations over training texts and weights w of a logistic regression on training pairs.

Ours: the square root, which makes frequent and rare features equally noisy. No weight may make two
texts more alike the more they differ, so that nothing exceeds a text with itself. scikit-learn has
no such bounds, hence L-BFGS-B on the same loss, which has one minimum and needs no seed. There is
no part-of-speech tagger and no list of misspellings, and plain frequencies take the place of
tf-idf, whose idf the deviation would cancel. N-grams, scaling and weights come from the training
texts alone. A side without any function word is not English prose, and is not compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from adhominem.errors import NotFittedError
from adhominem.instrument.verifier import ModelState
from adhominem.laboratory.verifiers.delta import count_words
from adhominem.laboratory.verifiers.style_features import (
    frequent_ngrams,
    neighbour_counts,
    ngram_frequencies,
    vocabulary_figures,
)
from adhominem.laboratory.verifiers.stylometric import (
    Features,
    Floats,
    Integers,
    StylometricVerifier,
    Texts,
    read_sides,
)
from adhominem.records import Pair

_LONGEST_NGRAM = 6
_SAMPLE = 2000  # training texts in which the most frequent n-grams are sought


class FeatureDifference(StylometricVerifier):
    """
    most        number of n-grams of each length
    neighbours  number of pairs of function words
    C           weight of the loss against half the squares of w
    seed        chooses the texts in which n-grams are sought
    """

    kind = "feature-difference"

    def __init__(
        self, *, most: int = 300, neighbours: int = 200, C: float = 1e-3, seed: int = 1
    ) -> None:
        self.most = most
        self.neighbours = neighbours
        self.C = C
        self.seed = seed
        self.ngrams_: list[str] | None = None
        self.words_: dict[str, int] | None = None
        self.neighbours_: Integers | None = None
        self.weights_: Floats | None = None

    def _fit(self, train: Sequence[Pair], dev: Sequence[Pair]) -> None:  # noqa: ARG002
        from spacy.lang.en.stop_words import STOP_WORDS

        texts = read_sides(train)
        chosen = np.random.default_rng(self.seed).permutation(len(texts.texts))[:_SAMPLE]
        sample = [texts.texts[i] for i in chosen]
        lengths = range(1, _LONGEST_NGRAM + 1)
        self.ngrams_ = [ngram for n in lengths for ngram in frequent_ngrams(sample, n, self.most)]
        self.words_ = {word: place for place, word in enumerate(sorted(STOP_WORDS))}
        counts = neighbour_counts(texts.tokens, self.words_).sum(axis=0)
        self.neighbours_ = np.sort(np.argsort(-counts, kind="stable")[: self.neighbours])
        features = self._features(texts)
        deviation = _deviation(features[texts.tokens.n_tokens > 0].sqrt())
        sides = texts.join(features)
        differences = _differences(sides[: len(train)], sides[len(train) :]) / deviation
        same_author = np.array([bool(pair.same_author) for pair in train])
        self.weights_ = _regress(differences, same_author, self.C) / deviation

    def _features(self, texts: Texts) -> Features:
        if self.ngrams_ is None or self.words_ is None or self.neighbours_ is None:
            raise NotFittedError(f"this {self.kind} verifier is not fitted: call fit() or load one")
        from scipy import sparse

        tokens = texts.tokens
        each = sparse.diags_array(1 / np.maximum(tokens.n_tokens, 1))
        parts = [
            each @ count_words(tokens, self.words_),
            each @ neighbour_counts(tokens, self.words_)[:, self.neighbours_],
            ngram_frequencies(texts.texts, self.ngrams_),
            sparse.csr_array(vocabulary_figures(tokens)),
        ]
        return sparse.hstack(parts).tocsr()

    def _compare_sides(self, left: Features, right: Features) -> Floats:
        assert self.words_ is not None and self.weights_ is not None
        similarity = -(_differences(left, right) @ self.weights_)
        n_words = len(self.words_)
        known = (left[:, :n_words].sum(axis=1) > 0) & (right[:, :n_words].sum(axis=1) > 0)
        return np.where(known, similarity, np.nan)

    def state(self) -> ModelState:
        if (
            self.ngrams_ is None
            or self.words_ is None
            or self.neighbours_ is None
            or self.weights_ is None
        ):
            raise NotFittedError(f"this {self.kind} verifier is not fitted: nothing to save")
        names = ("most", "neighbours", "C", "seed")
        return ModelState(
            {name: getattr(self, name) for name in names},
            {"ngrams": self.ngrams_, "words": list(self.words_)},
            {"neighbours": self.neighbours_, "weights": self.weights_},
        )

    def restore(self, state: ModelState) -> None:
        for name, value in state.settings.items():
            setattr(self, name, value)
        self.ngrams_ = list(state.tables["ngrams"])
        self.words_ = {word: place for place, word in enumerate(state.tables["words"])}
        self.neighbours_ = state.arrays["neighbours"]
        self.weights_ = state.arrays["weights"]


def _differences(left: Features, right: Features) -> Any:
    return abs(left.sqrt() - right.sqrt())


def _regress(differences: Any, same_author: npt.NDArray[np.bool_], C: float) -> Floats:
    """Non-negative w that minimise |w|^2 / 2C + sum log(1 + exp(-t (b - w differences))), where t
    is 1 for one author and -1 for two. Differences are centred, which changes b alone and spares
    most of the steps."""
    from scipy.optimize import minimize
    from scipy.special import expit

    mean = np.asarray(differences.mean(axis=0)).ravel()
    t = np.where(same_author, 1.0, -1.0)
    rows = differences.tocsr()
    columns = rows.T.tocsr()

    def loss(solution: Floats) -> tuple[float, Floats]:
        w, b = solution[:-1], solution[-1]
        margin = t * (b - (rows @ w - mean @ w))
        slope = -t * expit(-margin)
        gradient = w / C - (columns @ slope - mean * slope.sum())
        value = float(np.logaddexp(0, -margin).sum() + w @ w / (2 * C))
        return value, np.append(gradient, slope.sum())

    n = len(mean)
    bounds = [(0, None)] * n + [(None, None)]
    options = {"maxiter": 1000, "ftol": 1e-10}
    found = minimize(
        loss, np.zeros(n + 1), jac=True, method="L-BFGS-B", bounds=bounds, options=options
    )
    return np.asarray(found.x[:-1], dtype=np.float64)


def _deviation(features: Any) -> Floats:
    """Of each column of a sparse matrix; 1 where it is 0."""
    mean = np.asarray(features.mean(axis=0)).ravel()
    variance = np.asarray(features.multiply(features).mean(axis=0)).ravel() - mean**2
    return np.sqrt(np.where(variance > 1e-15, variance, 1))
