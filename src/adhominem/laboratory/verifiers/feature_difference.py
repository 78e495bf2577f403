"""Logistic regression on feature differences (Weerasinghe & Greenstadt, PAN 2020).

A text is described by the frequencies of character n-grams (1 to 6), of function words and of
pairs of neighbouring function words, by lengths, richness of vocabulary and rates of capitals,
digits and punctuation. The similarity of two sides is

    s(x, y) = -sum_i w_i |sqrt(x_i) - sqrt(y_i)| / deviation_i,    w_i >= 0

with deviations over training texts and weights w of a logistic regression on training pairs.

Ours: the square root, which stabilises the variance of frequent and rare features. Weights are not
negative, so that a text is most similar to itself. scikit-learn has no such bounds, hence L-BFGS-B
on the same loss, which has one minimum and needs no seed. There is no part-of-speech tagger and no
list of misspellings, and plain frequencies replace tf-idf, as dividing by the deviation cancels the
idf. N-grams, scaling and weights come from the training texts only. A side without any function
word is not English prose and is not compared.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import minimize
from scipy.special import expit
from spacy.lang.en.stop_words import STOP_WORDS

from adhominem.arrays import Booleans, Floats, Integers
from adhominem.instrument.text.tokenised import Tokenised
from adhominem.laboratory.verifiers import Features, StylometricVerifier, Texts, counts
from adhominem.records import Pair

_BLOCK = 1000  # pairs whose sides are joined at once, to save memory
_LONGEST_NGRAM = 6
_LONGEST_TOKEN = 16  # longer tokens count as 16 letters long
_LARGEST_WEIGHT = 50.0
_SAMPLE = 2000  # training texts in which n-grams are counted


@dataclass(kw_only=True, eq=False)
class FeatureDifference(StylometricVerifier):
    """Weighted differences of many features of style.

    most        number of n-grams of each length
    neighbours  number of pairs of neighbouring function words
    C           inverse strength of the L2 penalty
    seed        chooses the texts in which n-grams are counted
    """

    kind = "feature-difference"
    most: int = 300
    neighbours: int = 200
    C: float = 1e-3
    seed: int = 1
    ngrams_: list[str] = field(init=False)
    words_: list[str] = field(init=False)
    neighbours_: Integers = field(init=False)
    weights_: Floats = field(init=False)

    def _fit(self, train: Sequence[Pair]) -> None:
        texts = Texts(train)
        chosen = np.random.default_rng(self.seed).permutation(len(texts.texts))[:_SAMPLE]
        sample = [texts.texts[i] for i in chosen]
        lengths = range(1, _LONGEST_NGRAM + 1)
        ngrams = [counts.frequent_ngrams(sample, n, self.most) for n in lengths]
        self.ngrams_ = list(chain.from_iterable(ngrams))
        self.words_ = sorted(STOP_WORDS)
        common = neighbour_counts(texts.tokens, counts.index_words(self.words_)).sum(axis=0)
        self.neighbours_ = np.sort(np.argsort(-common, kind="stable")[: self.neighbours])
        features = self._features(texts)
        readable = texts.tokens.n_tokens > 0
        deviation = counts.mean_and_deviation(features[readable].sqrt())[1]
        blocks = [slice(start, start + _BLOCK) for start in range(0, len(train), _BLOCK)]
        parts = [_differences(*texts.join(features, block)) for block in blocks]
        differences = sparse.vstack(parts, format="csr")
        differences.data /= deviation[differences.indices]
        same_author = np.array([bool(pair.same_author) for pair in train])
        self.weights_ = regress(differences, same_author, self.C)[0] / deviation

    def _features(self, texts: Texts) -> Features:
        tokens, words = texts.tokens, counts.index_words(self.words_)
        each = sparse.diags_array(1 / np.maximum(tokens.n_tokens, 1))
        parts = [
            each @ counts.count_words(tokens, words),
            each @ neighbour_counts(tokens, words)[:, self.neighbours_],
            counts.count_ngrams(texts.texts, self.ngrams_, relative=True),
            sparse.csr_array(vocabulary_figures(tokens)),
        ]
        return sparse.hstack(parts).tocsr()

    def _compare_sides(self, left: Features, right: Features) -> Floats:
        similarity = -(_differences(left, right) @ self.weights_)
        n_words = len(self.words_)
        known = (left[:, :n_words].sum(axis=1) > 0) & (right[:, :n_words].sum(axis=1) > 0)
        return np.where(known, similarity, np.nan)


def _differences(left: Features, right: Features) -> Any:
    return abs(left.sqrt() - right.sqrt())


def regress(differences: Any, same_author: Booleans, C: float) -> tuple[Floats, float]:
    """Logistic regression: weights w >= 0 and intercept b that minimise

        |w|^2 / 2C + sum log(1 + exp(-t (b - w differences)))

    with t = 1 for one author and -1 for two. Differences are centred for faster convergence."""
    mean = np.asarray(differences.mean(axis=0)).ravel()
    t = np.where(same_author, 1.0, -1.0)
    rows = sparse.csr_array(differences)

    def loss(solution: Floats) -> tuple[float, Floats]:
        w, b = solution[:-1], solution[-1]
        margin = t * (b - (rows @ w - mean @ w))
        slope = -t * expit(-margin)
        gradient = w / C - (rows.T @ slope - mean * slope.sum())
        value = float(np.logaddexp(0, -margin).sum() + w @ w / (2 * C))
        return value, np.append(gradient, slope.sum())

    limit = _LARGEST_WEIGHT  # the loss of separable pairs has no minimum
    bounds = [(0, limit)] * len(mean) + [(-limit, limit)]
    options = {"maxiter": 1000, "ftol": 1e-10}
    start = np.zeros(len(bounds))
    result = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    weights = np.asarray(result.x[:-1], dtype=np.float64)
    return weights, float(result.x[-1] + mean @ weights)


def neighbour_counts(tokens: Tokenised, words: Mapping[str, int]) -> Any:
    """Sparse counts (documents, words * words) of one word directly before another."""
    columns, rows = counts.word_columns(tokens, words), counts.documents_of(tokens)
    both = (columns[:-1] >= 0) & (columns[1:] >= 0) & (rows[:-1] == rows[1:])
    pairs = columns[:-1][both] * len(words) + columns[1:][both]
    return counts.count_cells(rows[:-1][both], pairs, (tokens.n_documents, len(words) ** 2))


def vocabulary_figures(tokens: Tokenised) -> Floats:
    """Dense (documents, 26), all non-negative: shares of tokens with 1, 2 ... 16 or more letters;
    mean lengths of tokens and sentences; shares of tokens that begin with a capital, are all
    capitals, have a digit, are punctuation; log types by log tokens; shares of types that occur
    once and twice; the probability that two tokens are equal (Yule's K without its factor)."""
    n_documents, types, rows = tokens.n_documents, tokens.types, counts.documents_of(tokens)
    n = np.maximum(tokens.n_tokens, 1).astype(np.float64)

    def mean(figures: Sequence[float]) -> Floats:
        of_token = np.array(figures, dtype=np.float64)[tokens.tokens]
        return np.asarray(np.bincount(rows, of_token, minlength=n_documents) / n)

    lengths = np.array([min(len(word), _LONGEST_TOKEN) for word in types], dtype=np.int64)
    cells = rows * _LONGEST_TOKEN + np.maximum(lengths[tokens.tokens], 1) - 1
    by_length = np.bincount(cells, minlength=n_documents * _LONGEST_TOKEN)
    used, times = np.unique(rows * len(types) + tokens.tokens, return_counts=True)
    total = partial(np.bincount, used // max(len(types), 1), minlength=n_documents)
    n_types = np.maximum(total(), 1)
    figures = [
        mean([len(word) for word in types]),
        n / np.maximum(np.diff(tokens.documents), 1),
        mean([word[:1].isupper() for word in types]),
        mean([len(word) > 1 and word.isupper() for word in types]),
        mean([any(map(str.isdigit, word)) for word in types]),
        mean([not any(map(str.isalnum, word)) for word in types]),
        np.log(n_types) / np.log(n + 1),
        total(weights=times == 1) / n_types,
        total(weights=times == 2) / n_types,
        np.maximum(total(weights=times**2) / n**2 - 1 / n, 0),
    ]
    return np.column_stack([by_length.reshape(n_documents, -1) / n[:, None], *figures])
