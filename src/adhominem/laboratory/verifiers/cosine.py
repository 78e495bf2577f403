"""Methods whose similarity is the cosine of two vectors: chance, Burrows's Delta, PAN's baseline.

The cosine is a sum over features, and explains itself by its terms. The term of a feature is shared
out among the texts of a side in proportion to the feature, and equally among its occurrences within
a text; a token gets the sum of its shares. A contribution is that part of log10 LR, a weight the
same with the sign changed: as with occlusion, what pulls the texts together is negative. Terms of
features that a text lacks belong to no token.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Self

import numpy as np

from adhominem.arrays import Floats
from adhominem.instrument.evidence.calibration import Calibration
from adhominem.instrument.text.tokenised import Tokenised
from adhominem.laboratory.verifiers import counts
from adhominem.laboratory.verifiers.base import Features, StylometricVerifier, Texts, read_sides
from adhominem.records import Explanation, Pair, Sentence, TextExplanation, Word


class CosineVerifier(StylometricVerifier):
    """A subclass writes `_fit` and `_features`, and if tokens carry its features `_carriers`."""

    def _vectors(self, features: Features) -> Features:
        """The features of sides as they are compared."""
        return features

    def _carriers(self, texts: Texts) -> Any | None:  # noqa: ARG002
        """Sparse (tokens of all texts, features): the part of each feature's occurrences that falls
        on each token; None if the features do not belong to tokens."""
        return None

    def _terms(self, left: Features, right: Features) -> Any:
        """(pairs, features) terms of the cosine of each two rows; 0 for a row of zeros."""
        from sklearn.preprocessing import normalize

        return normalize(self._vectors(left)) * normalize(self._vectors(right))

    def _compare_sides(self, left: Features, right: Features) -> Floats:
        return np.asarray(self._terms(left, right).sum(axis=1)).ravel()

    def explain(self, pair: Pair, *, contributions: bool = True) -> Explanation:
        """Explains a decided pair by the terms of the cosine, if tokens carry them, else by
        occlusion."""
        decision = self.decide([pair])[0]
        texts = read_sides([pair])
        carriers = self._carriers(texts)
        if decision.reasons or carriers is None:
            return super().explain(pair, contributions=contributions)
        assert self.calibration_ is not None
        features = self._features(texts)
        sides = texts.join(features)
        terms = _dense(self._terms(*sides))
        edges = texts.tokens.sentences[texts.tokens.documents]
        explained = []
        for number, documents in enumerate((pair.left, pair.right)):
            share, whole = _dense(texts.sides[[number]]), _dense(sides[number])
            side = []
            for document in documents:
                i = texts.texts.index(document.text)
                copies = sum(other.text == document.text for other in documents)
                own = carriers[edges[i] : edges[i + 1]]
                among = whole * _dense(own.sum(axis=0))
                brought = terms * (share[i] / copies * _dense(features[[i]]))
                part = np.divide(brought, among, out=np.zeros_like(terms), where=among != 0)
                tokens = texts.tokens.select(np.array([i]))
                weights = -self.calibration_.slope * (own @ part)
                side.append(_explain_text(document.text, tokens, weights))
            explained.append(tuple(side))
        return Explanation(decision, "terms", explained[0], explained[1], "terms")


def _dense(row: Any) -> Floats:
    dense = row.toarray() if hasattr(row, "toarray") else row
    return np.asarray(dense, dtype=np.float64).ravel()


def _explain_text(text: str, tokens: Tokenised, weights: Floats) -> TextExplanation:
    spelt, starts, ends = tokens.words(), tokens.starts.tolist(), tokens.ends.tolist()
    words: list[Word] = []
    sentences: list[Sentence] = []
    for number, (first, last) in enumerate(pairwise(tokens.sentences.tolist())):
        words += [
            Word(spelt[i], starts[i], ends[i], float(weights[i]), number, -float(weights[i]))
            for i in range(first, last)
        ]
        total = float(weights[first:last].sum())
        sentences.append(Sentence(starts[first], ends[last - 1], total, -total))
    return TextExplanation(text, tuple(words), tuple(sentences))


@dataclass(kw_only=True, eq=False)
class Chance(CosineVerifier):
    """The floor of every table: random answers that depend on the two texts and a seed only.

    After the random baseline that PAN prints beside its participants. A text is hashed to a
    direction in 16 dimensions: the cosine of two is random and symmetric around zero for different
    texts, 1 for a text and itself. Unlike numbers drawn pair by pair, the answer to a pair does not
    depend on the other pairs.

    seed    gives other answers
    """

    kind = "chance"
    min_llr = 0.0
    seed: int = 1

    def calibrate(self, dev: Sequence[Pair]) -> Self:
        """Checks the pairs as every method does, and sets a fixed calibration: a line fitted to
        random numbers would depend on the draw, and its bounds would leave every pair undecided.
        It is so flat that every pair gets an answer which is worth nothing as evidence."""
        super().calibrate(dev)
        self.calibration_ = Calibration(0.01, 0.0, -0.01, 0.01)
        return self

    def _fit(self, train: Sequence[Pair], dev: Sequence[Pair]) -> None:
        """Learns nothing."""

    def _features(self, texts: Texts) -> Features:
        key = str(self.seed).encode()
        digests = b"".join(
            hashlib.blake2b(text.encode("utf-8", "surrogatepass"), key=key).digest()
            for text in texts.texts
        )
        numbers = np.frombuffer(digests, dtype="<u4").reshape(-1, 16)
        return (numbers + 0.5) / 2**31 - 1  # never 0, so that no direction has length 0


@dataclass(kw_only=True, eq=False)
class CosineDelta(CosineVerifier):
    """Burrows's Delta in its cosine form (Burrows 2002; Smith & Aldridge 2011; Evert et al. 2017).

    The relative frequency of each of the most frequent words becomes a z-score,

        z_i(x) = (f_i(x) - mean_i) / deviation_i

    and the similarity of two texts is the cosine of their z-scores. Ours: words are lower-cased
    tokens, punctuation included, and words, means and deviations come from the training texts only;
    if they came from the compared texts, as is usual in stylometry, an answer would depend on what
    else is compared. A side without any of the words is not compared.

    most    number of the most frequent words
    """

    kind = "delta"
    most: int = 150
    words_: list[str] = field(init=False)
    mean_: Floats = field(init=False)
    deviation_: Floats = field(init=False)

    def _fit(self, train: Sequence[Pair], dev: Sequence[Pair]) -> None:  # noqa: ARG002
        texts = read_sides(train)
        self.words_ = counts.most_frequent_words(texts.tokens, self.most)
        frequency = self._features(texts)[texts.tokens.n_tokens > 0]
        deviation = frequency.std(axis=0)
        self.mean_ = frequency.mean(axis=0)
        self.deviation_ = np.where(deviation > 0, deviation, 1)

    def _features(self, texts: Texts) -> Features:
        words = counts.count_words(texts.tokens, counts.index_words(self.words_)).toarray()
        return words / np.maximum(texts.tokens.n_tokens, 1)[:, None]

    def _vectors(self, features: Features) -> Features:
        return (features - self.mean_) / self.deviation_

    def _compare_sides(self, left: Features, right: Features) -> Floats:
        known = [rows.any(axis=1) & self._vectors(rows).any(axis=1) for rows in (left, right)]
        return np.where(known[0] & known[1], super()._compare_sides(left, right), np.nan)

    def _carriers(self, texts: Texts) -> Any:
        columns = counts.word_columns(texts.tokens, counts.index_words(self.words_))
        known = np.flatnonzero(columns >= 0)
        return counts.count_cells(known, columns[known], (len(columns), len(self.words_)))


@dataclass(kw_only=True, eq=False)
class PanDistance(CosineVerifier):
    """PAN's baseline: cosine of tf-idf weighted character n-grams (Kestemont et al., PAN 2020).

    It won PAN 2022 against every submission. Ours: the n-grams come from training texts only, and
    the band between two thresholds in the original is left to the calibration, which all methods
    share.

    n, most     length and number of the n-grams
    """

    kind = "pan-distance"
    n: int = 4
    most: int = 3000
    ngrams_: list[str] = field(init=False)
    idf_: Floats = field(init=False)

    def _fit(self, train: Sequence[Pair], dev: Sequence[Pair]) -> None:  # noqa: ARG002
        texts = read_sides(train).texts
        self.ngrams_ = counts.frequent_ngrams(texts, self.n, self.most)
        self.idf_ = counts.inverse_document_frequency(counts.count_ngrams(texts, self.ngrams_))

    def _features(self, texts: Texts) -> Features:
        from sklearn.preprocessing import normalize

        return normalize(counts.count_ngrams(texts.texts, self.ngrams_).multiply(self.idf_).tocsr())

    def _carriers(self, texts: Texts) -> Any:
        return counts.carried_ngrams(texts.texts, texts.tokens, self.ngrams_, self.n)
