"""Logistic regression on feature differences (Weerasinghe & Greenstadt, PAN 2020).

A text is described by the frequencies of character n-grams (1 to 6), of function words and of
pairs of neighbouring function words, by lengths, richness of vocabulary and rates of capitals,
digits and punctuation. The similarity of two sides is

    s(x, y) = min(0, sum_i w_i |sqrt(x_i) - sqrt(y_i)| / deviation_i)

with deviations over training texts and weights w of a logistic regression on training pairs. The
square root is ours: it makes frequent and rare features equally noisy, and took the error on
TripAdvisor reviews from about 30 to 21 %, where also C was chosen. So is the bound at 0, the
similarity of a text with itself, which nothing may exceed: a fifth of the weights are positive,
yet none of 2,000 development pairs reached it, so that it costs nothing, while forbidding positive
weights cost a point of error. There is no part-of-speech tagger and no list of misspellings, and
plain frequencies take the place of tf-idf, whose idf the deviation would cancel. N-grams, scaling
and weights come from the training texts alone. A side without any function word is not English
prose, and is not compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from adhominem.errors import NotFittedError
from adhominem.records import Pair
from adhominem.verifier import ModelState
from adhominem.verifiers.delta import count_words
from adhominem.verifiers.style_features import (
    frequent_ngrams,
    neighbour_counts,
    ngram_frequencies,
    vocabulary_figures,
)
from adhominem.verifiers.stylometric import (
    Features,
    Floats,
    Integers,
    StylometricVerifier,
    Texts,
    read_sides,
)

_LONGEST_NGRAM = 6
_SAMPLE = 2000  # training texts in which the most frequent n-grams are sought


class FeatureDifference(StylometricVerifier):
    """
    most        number of n-grams of each length
    neighbours  number of pairs of function words
    C           of the logistic regression; smaller is stricter
    """

    kind = "feature-difference"

    def __init__(
        self, *, most: int = 600, neighbours: int = 500, C: float = 1e-4, seed: int = 1
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
        from sklearn.linear_model import LogisticRegression
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
        regression = LogisticRegression(C=self.C, max_iter=500, random_state=self.seed)
        regression.fit(differences, [bool(pair.same_author) for pair in train])
        self.weights_ = regression.coef_[0] / deviation

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
        similarity = np.minimum(_differences(left, right) @ self.weights_, 0)
        n_words = len(self.words_)
        known = (left[:, :n_words].sum(axis=1) > 0) & (right[:, :n_words].sum(axis=1) > 0)
        return np.where(known, similarity, np.nan)

    def _state(self) -> ModelState:
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

    def _restore(self, state: ModelState) -> None:
        for name, value in state.settings.items():
            setattr(self, name, value)
        self.ngrams_ = list(state.tables["ngrams"])
        self.words_ = {word: place for place, word in enumerate(state.tables["words"])}
        self.neighbours_ = state.arrays["neighbours"]
        self.weights_ = state.arrays["weights"]


def _differences(left: Features, right: Features) -> Any:
    return abs(left.sqrt() - right.sqrt())


def _deviation(features: Any) -> Floats:
    """Of each column of a sparse matrix; 1 where it is 0."""
    mean = np.asarray(features.mean(axis=0)).ravel()
    variance = np.asarray(features.multiply(features).mean(axis=0)).ravel() - mean**2
    return np.sqrt(np.where(variance > 1e-15, variance, 1))
