"""Methods that compare two vectors by their cosine: chance, Burrows's Delta, PAN's baseline."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np
from scipy import sparse
from sklearn.preprocessing import normalize

from adhominem.arrays import Floats
from adhominem.instrument.evidence.calibration import Calibration
from adhominem.laboratory.verifiers import Features, StylometricVerifier, Texts, counts
from adhominem.records import Pair


class CosineVerifier(StylometricVerifier):
    """A method whose similarity is the cosine of `_features`."""

    def _compare_sides(self, left: Features, right: Features) -> Floats:
        return np.asarray((normalize(left) * normalize(right)).sum(axis=1)).ravel()


@dataclass(kw_only=True, eq=False)
class Chance(CosineVerifier):
    """Random baseline, as in PAN's tables; an answer depends on the two texts and the seed only.

    A text is hashed to a direction in 16 dimensions. The cosine of two directions is random and
    symmetric around zero for different texts, and 1 for a text and itself.
    """

    kind = "chance"
    min_llr = 0.0
    seed: int = 1

    def fit(self, train: Sequence[Pair], dev: Sequence[Pair]) -> Self:
        """Checks the pairs as every method does and sets a fixed, nearly flat calibration: every
        pair is decided, but with next to no evidence. One fitted to random numbers would depend on
        the draw, and its bounds would leave every pair undecided."""
        super().fit(train, dev)
        self.calibration_ = Calibration(0.01, 0.0, -0.01, 0.01)
        return self

    def _fit(self, train: Sequence[Pair]) -> None:
        """Learns nothing."""

    def _features(self, texts: Texts) -> Features:
        key = str(self.seed).encode()
        digests = b"".join(
            hashlib.blake2b(text.encode("utf-8", "surrogatepass"), key=key).digest()
            for text in texts.texts
        )
        numbers = np.frombuffer(digests, dtype="<u4").reshape(-1, 16)
        return (numbers + 0.5) / 2**31 - 1  # never 0, so that every direction has a length


@dataclass(kw_only=True, eq=False)
class CosineDelta(CosineVerifier):
    """Burrows's Delta in its cosine form (Burrows 2002; Smith & Aldridge 2011; Evert et al. 2017).

    The relative frequency of each of the most frequent words becomes a z-score,

        z_i(x) = (f_i(x) - mean_i) / deviation_i

    and the similarity of two texts is the cosine of their z-scores. Ours: words are lower-cased
    tokens, punctuation included; words, means and deviations come from the training texts only,
    where stylometry usually takes the compared texts, so that an answer does not depend on other
    pairs. A side without any of the words is not compared.

    most    number of most frequent words
    """

    kind = "delta"
    most: int = 150
    words_: list[str] = field(init=False)
    mean_: Floats = field(init=False)
    deviation_: Floats = field(init=False)

    def _fit(self, train: Sequence[Pair]) -> None:
        texts = Texts(train)
        self.words_ = counts.most_frequent_words(texts.tokens, self.most)
        frequency = self._features(texts)[texts.tokens.n_tokens > 0]
        self.mean_, self.deviation_ = counts.mean_and_deviation(frequency)

    def _features(self, texts: Texts) -> Features:
        each = sparse.diags_array(1 / np.maximum(texts.tokens.n_tokens, 1))
        return each @ counts.count_words(texts.tokens, counts.index_words(self.words_))

    def _compare_sides(self, left: Features, right: Features) -> Floats:
        rows = np.stack([left.toarray(), right.toarray()])
        z = (rows - self.mean_) / self.deviation_
        known = (rows.any(axis=2) & z.any(axis=2)).all(axis=0)
        return np.where(known, super()._compare_sides(*z), np.nan)


@dataclass(kw_only=True, eq=False)
class PanDistance(CosineVerifier):
    """PAN's baseline: cosine of tf-idf weighted character n-grams (Kestemont et al., PAN 2020).

    It won PAN 2022 against every submission. Ours: the n-grams come from training texts only, and
    calibration takes the place of the two thresholds between which the original does not answer.

    n, most     length and number of the n-grams
    """

    kind = "pan-distance"
    n: int = 4
    most: int = 3000
    ngrams_: list[str] = field(init=False)
    idf_: Floats = field(init=False)

    def _fit(self, train: Sequence[Pair]) -> None:
        texts = Texts(train).texts
        self.ngrams_ = counts.frequent_ngrams(texts, self.n, self.most)
        self.idf_ = counts.inverse_document_frequency(counts.count_ngrams(texts, self.ngrams_))

    def _features(self, texts: Texts) -> Features:
        return normalize(counts.count_ngrams(texts.texts, self.ngrams_).multiply(self.idf_).tocsr())
