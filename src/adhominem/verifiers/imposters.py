"""The imposters method (Koppel & Winter 2014).

Features are space-free character 4-grams: four characters without a space among them, or a whole
word of fewer. Their relative frequencies times idf are compared by

    minmax(x, y) = sum_i min(x_i, y_i) / sum_i max(x_i, y_i)

For a pair (X, Y): of a pool of texts by others the m most similar to Y are sought and n of them
drawn. In each of 100 rounds only a random half of the features counts; a round is won when no
impostor is nearer to X than Y is. The same with the roles exchanged; the similarity is the share
of rounds won in both.

Ours: the pool are training texts, one for each author where authors are known. The random halves
come from the seed alone and serve all pairs; the draw comes from the seed and the text that the
impostors resemble. So an answer depends on nothing but the two texts and the seed. A round in
which nothing is shared is lost. As the share takes 201 values only, the min-max similarity over
all features, as a fraction of one round, breaks ties. A text is no impostor of itself (by its
hash) nor of its author (by the author's hash, where the pair names one): public implementations
leave that to the caller. Those also let the compared texts into vocabulary and idf.

What makes it fast: sum max = sum x + sum y - sum min, the first two of which are needed once for
each text and round; minima are sparse; the pool, stored by feature, is asked only for the features
that a text has; and rounds are columns of a matrix of zeros and ones, so that the sums of minima
of all rounds are one sparse product.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from adhominem.corpus.hashes import Hashes, mix
from adhominem.errors import InputError, NotFittedError
from adhominem.records import Pair, Reading
from adhominem.text.tokenised import take_ranges
from adhominem.verifier import Comparison, ModelState, Verifier
from adhominem.verifiers.character_ngrams import inverse_document_frequency
from adhominem.verifiers.stylometric import Integers, Texts, read_sides

Singles = npt.NDArray[np.float32]
_BLOCK = 32  # pairs whose rounds are played at once
_UNKNOWN = 0  # in place of the hash of an author


@dataclass(frozen=True, slots=True)
class Pool:
    """Texts that may serve as impostors.

    features    sparse (texts, n-grams)
    hashes      of the texts
    authors     hashes of their authors
    """

    features: Any
    hashes: Hashes
    authors: Hashes


class Imposters(Verifier):
    """
    n, most         length and number of the character n-grams
    pool            how many training texts are kept
    candidates      m, how many of them are near enough to be drawn
    impostors       n of the paper, how many are drawn
    rounds          each with another half of the features
    """

    kind = "imposters"

    def __init__(
        self,
        *,
        n: int = 4,
        most: int = 100_000,
        pool: int = 1000,
        candidates: int = 250,
        impostors: int = 25,
        rounds: int = 100,
        seed: int = 1,
    ) -> None:
        self.n = n
        self.most = most
        self.pool = pool
        self.candidates = candidates
        self.impostors = impostors
        self.rounds = rounds
        self.seed = seed
        self.ngrams_: dict[str, int] | None = None
        self.idf_: Singles | None = None
        self.pool_: Pool | None = None
        self.halves_: Singles | None = None  # (n-grams, rounds), 1 where the n-gram counts

    def _fit(self, train: Sequence[Pair], dev: Sequence[Pair]) -> None:  # noqa: ARG002
        read = read_sides(train)
        ngrams = [space_free_ngrams(text, self.n) for text in read.texts]
        counted: dict[str, int] = {}
        for text in ngrams:
            for ngram in text:
                counted[ngram] = counted.get(ngram, 0) + 1
        ranked = sorted(counted, key=lambda ngram: (-counted[ngram], ngram))[: self.most]
        self.ngrams_ = {ngram: place for place, ngram in enumerate(ranked)}
        counts = _count(ngrams, self.ngrams_)
        self.idf_ = inverse_document_frequency(counts).astype(np.float32)
        rng = np.random.default_rng(self.seed)
        chosen, authors = self._choose(train, read, rng)
        features = _weigh(counts[chosen], self.idf_)
        texts = [read.texts[i] for i in chosen]
        self.pool_ = Pool(features, _hash(texts, self.seed), authors)
        half = np.arange(len(ranked)) % 2 == 0
        self.halves_ = np.stack([rng.permutation(half) for _ in range(self.rounds)], axis=1).astype(
            np.float32
        )

    def _choose(
        self, train: Sequence[Pair], read: Texts, rng: np.random.Generator
    ) -> tuple[Integers, Hashes]:
        """Texts for the pool and their authors, one text each; unknown authors count as many."""
        author_of = {
            document.text: document.author
            for pair in train
            for document in (*pair.left, *pair.right)
        }
        chosen: list[int] = []
        authors: list[str | None] = []
        long_enough = np.flatnonzero(read.tokens.n_tokens >= self.min_tokens)
        for i in rng.permutation(long_enough).tolist():
            author = author_of[read.texts[i]]
            if author is None or author not in authors:
                chosen.append(i)
                authors.append(author)
            if len(chosen) == self.pool:
                break
        if not chosen:
            raise InputError(
                f"no training text has {self.min_tokens} tokens: the imposters method needs "
                "texts by other authors to compare with"
            )
        return np.array(chosen), self._hash_authors(authors)

    def _similarity(self, pairs: Sequence[Pair]) -> npt.NDArray[np.float64]:
        return np.array([comparison.similarity for comparison in self._compare(pairs)])

    def _compare(self, pairs: Sequence[Pair]) -> list[Comparison]:
        if self.ngrams_ is None or self.idf_ is None:
            raise NotFittedError(f"this {self.kind} verifier is not fitted: call fit() or load one")
        if not pairs:
            return []
        read = read_sides(pairs)
        counts = _count([space_free_ngrams(text, self.n) for text in read.texts], self.ngrams_)
        sides = _sorted(read.join(_weigh(counts, self.idf_)).astype(np.float32))
        hashes = _hash(read.texts, self.seed)
        n = len(pairs)
        similarity = np.concatenate(
            [
                self._play(pairs[start : start + _BLOCK], sides, read, hashes, start)
                for start in range(0, n, _BLOCK)
            ]
        )
        tokens = read.side_tokens
        return [
            Comparison(float(similarity[i]), Reading(int(tokens[i]), 0), Reading(int(tokens[n + i]), 0))
            for i in range(n)
        ]
