"""The imposters method (Koppel & Winter 2014).

Features are space-free character 4-grams: four characters without a space among them, or a whole
word of fewer. Their relative frequencies times idf are compared by

    minmax(x, y) = sum_i min(x_i, y_i) / sum_i max(x_i, y_i)

For a pair (X, Y): of a pool of texts by others the m most similar to Y are sought and n of them
drawn. In each of 100 rounds only a random half of the features counts; a round is won when no
impostor is nearer to X than Y is. The same with the roles exchanged; what decides is the number w
of rounds won in both, of N = 200 rounds.

Ours: the pool are training texts, one for each author where authors are known. The random halves
come from the seed alone and serve all pairs; the draw comes from the seed and the text that the
impostors resemble. So an answer depends on nothing but the two texts and the seed. A round in
which nothing is shared is lost. As w takes 201 values only, the min-max similarity over all
features breaks ties, as one round more, won in part. The similarity is

    log((w + 1) / (N + 1 - w + 1))

which grows with the share of rounds won and so leaves the paper's decision as it is; but most
pairs win nearly all rounds or nearly none, and a straight line from the share itself to the
evidence would pass them by. A text is no impostor of itself (by its hash) nor of its author (by the
author's hash, where the pair names one). N-grams and idf come from the training texts alone. No
particular fault of other implementations was examined.

What makes it fast: sum max = sum x + sum y - sum min, the first two of which are needed once for
each text and round; minima are sparse; the pool, stored by feature, is asked only for the features
that a text has; and rounds are columns of a matrix of zeros and ones, so that the sums of minima
of all rounds are one sparse product.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from adhominem.errors import InputError, NotFittedError
from adhominem.instrument.text.tokenised import take_ranges
from adhominem.instrument.verifier import Comparisons, ModelState
from adhominem.laboratory.corpus.hashes import Hashes, hash_texts, mix
from adhominem.laboratory.verifiers.character_ngrams import inverse_document_frequency
from adhominem.laboratory.verifiers.minmax import (
    Reals,
    count_space_free,
    min_by_max,
    space_free_ngrams,
    weigh,
)
from adhominem.laboratory.verifiers.stylometric import Integers, Texts, read_sides
from adhominem.laboratory.verifiers.trainable import TrainableVerifier
from adhominem.records import Pair

_BLOCK = 64  # pairs whose rounds are played at once


@dataclass(frozen=True, slots=True)
class Pool:
    """Texts that may serve as impostors.

    features    sparse (texts, n-grams), by row and by column
    hashes      of the texts and of their authors, 0 where unknown
    rounds      sum of the features that count in each round (texts, rounds)
    """

    features: Any
    by_ngram: Any
    hashes: Hashes
    authors: Hashes
    sums: Reals
    rounds: Reals

    @classmethod
    def of(cls, features: Any, hashes: Hashes, authors: Hashes, halves: Reals) -> Pool:
        by_ngram, sums = features.tocsc(), features.sum(axis=1)
        return cls(features, by_ngram, hashes, authors, sums, features @ halves)


class Imposters(TrainableVerifier):
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
        self.idf_: Reals | None = None
        self.pool_: Pool | None = None
        self.halves_: Reals | None = None  # (n-grams, rounds), 1 where the n-gram counts

    def _fit(self, train: Sequence[Pair], dev: Sequence[Pair]) -> None:  # noqa: ARG002
        read = read_sides(train)
        ngrams = [space_free_ngrams(text, self.n) for text in read.texts]
        counted: dict[str, int] = {}
        for text in ngrams:
            for ngram in text:
                counted[ngram] = counted.get(ngram, 0) + 1
        ranked = sorted(counted, key=lambda ngram: (-counted[ngram], ngram))[: self.most]
        self.ngrams_ = {ngram: place for place, ngram in enumerate(ranked)}
        counts = count_space_free(ngrams, self.ngrams_)
        self.idf_ = inverse_document_frequency(counts).astype(np.float32)
        rng = np.random.default_rng(self.seed)
        half = np.arange(len(ranked)) % 2 == 0
        halves = [rng.permutation(half) for _ in range(self.rounds)]
        self.halves_ = np.stack(halves, axis=1).astype(np.float32)
        chosen, authors = self._choose(train, read, rng)
        hashes = _hash([read.texts[i] for i in chosen], self.seed)
        features = weigh(counts[chosen], self.idf_)
        self.pool_ = Pool.of(features, hashes, authors, self.halves_)

    def _choose(
        self, train: Sequence[Pair], read: Texts, rng: np.random.Generator
    ) -> tuple[Integers, Hashes]:
        """Texts for the pool, one for each author that is known, and the authors."""
        documents = (document for pair in train for document in (*pair.left, *pair.right))
        author_of = {document.text: document.author for document in documents}
        chosen: dict[str | int, int] = {}
        long_enough = np.flatnonzero(read.tokens.n_tokens >= self.min_tokens)
        for i in rng.permutation(long_enough).tolist():
            chosen.setdefault(author_of[read.texts[i]] or i, i)
            if len(chosen) == self.pool:
                break
        if not chosen:
            raise InputError(
                f"no training text has {self.min_tokens} tokens: some are needed as impostors"
            )
        known = [isinstance(author, str) for author in chosen]
        authors = _hash([str(author) for author in chosen], self.seed) * np.array(known, np.uint64)
        return np.array(list(chosen.values())), authors

    def _similarity(self, pairs: Sequence[Pair]) -> npt.NDArray[np.float64]:
        return self.compare(pairs).similarity

    def compare(self, pairs: Sequence[Pair]) -> Comparisons:
        if self.ngrams_ is None or self.idf_ is None:
            raise NotFittedError(f"this {self.kind} verifier is not fitted: call fit() or load one")
        if not pairs:
            return Comparisons.of_counts([], [], [])
        n = len(pairs)
        read = read_sides(pairs)
        counts = count_space_free(
            [space_free_ngrams(text, self.n) for text in read.texts], self.ngrams_
        )
        sides = read.join(weigh(counts, self.idf_)).astype(np.float32)
        sides.sort_indices()
        similarity = np.empty(n)
        for start in range(0, n, _BLOCK):
            end = min(start + _BLOCK, n)
            left, right = sides[start:end], sides[n + start : n + end]
            drawn = self._draw(pairs[start:end], left, right)
            similarity[start:end] = self._play(left, right, *drawn)
        return Comparisons.of_counts(similarity, read.side_tokens[:n], read.side_tokens[n:])

    def _draw(self, pairs: Sequence[Pair], left: Any, right: Any) -> tuple[Integers, Integers]:
        """Places in the pool of the impostors like left and like right, each (pairs, impostors);
        -1 where there are none, the same ones again where they are too few."""
        assert self.pool_ is not None
        drawn = np.full((2, len(pairs), self.impostors), -1)
        ranked: dict[tuple[str, ...], Integers] = {}
        for i, pair in enumerate(pairs):
            documents = (*pair.left, *pair.right)
            texts, authors = [d.text for d in documents], [d.author for d in documents]
            barred = np.isin(self.pool_.hashes, _hash(texts, self.seed))
            barred |= np.isin(self.pool_.authors, _hash(filter(None, authors), self.seed))
            for like, (side, features) in enumerate(((pair.left, left), (pair.right, right))):
                own = tuple(document.text for document in side)
                if own not in ranked:
                    ranked[own] = np.argsort(-self._nearness(features[[i]]), kind="stable")
                nearest = ranked[own][~barred[ranked[own]]][: self.candidates]
                if len(nearest):
                    key = _hash(dict.fromkeys(own), self.seed).sum(keepdims=True)
                    order = np.argsort(mix(self.pool_.hashes[nearest], key), kind="stable")
                    drawn[like, i] = np.resize(nearest[order[: self.impostors]], self.impostors)
        return drawn[0], drawn[1]

    def _nearness(self, side: Any) -> Reals:
        """Min-max similarity of one side with every text of the pool."""
        assert self.pool_ is not None
        by_ngram = self.pool_.by_ngram
        places, edges = take_ranges(by_ngram.indptr, side.indices.astype(np.int64))
        minima = np.minimum(by_ngram.data[places], np.repeat(side.data, np.diff(edges)))
        shared = np.bincount(by_ngram.indices[places], minima, minlength=len(self.pool_.hashes))
        return min_by_max(shared.astype(np.float64), side.data.sum() + self.pool_.sums)

    def _play(self, left: Any, right: Any, like_left: Integers, like_right: Integers) -> Reals:
        """The log-odds of a won round for each pair, with the min-max similarity to break ties."""
        assert self.halves_ is not None
        rounds_left, rounds_right = left @ self.halves_, right @ self.halves_  # (pairs, rounds)
        shared = left.minimum(right)
        near = min_by_max(shared @ self.halves_, rounds_left + rounds_right)
        won = self._won(near, left, rounds_left, like_right).astype(np.float64)
        won += self._won(near, right, rounds_right, like_left)
        sums = left.sum(axis=1) + right.sum(axis=1)
        won += min_by_max(shared.sum(axis=1), sums)
        similarity = np.log((won + 1) / (2 * self.rounds + 1 - won + 1))
        empty = (left.sum(axis=1) == 0) | (right.sum(axis=1) == 0)
        lonely = (like_left[:, 0] < 0) | (like_right[:, 0] < 0)
        similarity[empty | lonely] = np.nan
        return similarity

    def _won(self, near: Reals, sides: Any, rounds: Reals, impostors: Integers) -> Integers:
        """In how many rounds a side is no nearer to any impostor than `near`."""
        assert self.pool_ is not None and self.halves_ is not None
        flat = impostors.ravel()
        repeated = np.repeat(np.arange(len(impostors)), self.impostors)
        minima = sides[repeated].minimum(self.pool_.features[flat]) @ self.halves_
        sums = rounds[repeated] + self.pool_.rounds[flat]
        nearest = min_by_max(minima, sums).reshape(*impostors.shape, -1).max(axis=1)
        won: Integers = ((near >= nearest) & (near > 0)).sum(axis=1)
        return won

    def state(self) -> ModelState:
        if self.ngrams_ is None or self.idf_ is None or self.pool_ is None or self.halves_ is None:
            raise NotFittedError(f"this {self.kind} verifier is not fitted: nothing to save")
        names = ("n", "most", "pool", "candidates", "impostors", "rounds", "seed")
        arrays = {
            "idf": self.idf_,
            "halves": np.packbits(self.halves_.astype(bool), axis=1),
            "pool_values": self.pool_.features.data,
            "pool_ngrams": self.pool_.features.indices.astype(np.int32),
            "pool_edges": self.pool_.features.indptr.astype(np.int64),
            "pool_hashes": self.pool_.hashes,
            "pool_authors": self.pool_.authors,
        }
        settings = {name: getattr(self, name) for name in names}
        return ModelState(settings, {"ngrams": list(self.ngrams_)}, arrays)

    def restore(self, state: ModelState) -> None:
        from scipy import sparse

        for name, value in state.settings.items():
            setattr(self, name, value)
        self.ngrams_ = {ngram: place for place, ngram in enumerate(state.tables["ngrams"])}
        arrays = state.arrays
        self.idf_ = arrays["idf"]
        bits = np.unpackbits(arrays["halves"], axis=1, count=self.rounds)
        self.halves_ = bits.astype(np.float32)
        features = sparse.csr_array(
            (arrays["pool_values"], arrays["pool_ngrams"], arrays["pool_edges"]),
            shape=(len(arrays["pool_hashes"]), len(self.ngrams_)),
        )
        hashes, authors = arrays["pool_hashes"], arrays["pool_authors"]
        self.pool_ = Pool.of(features, hashes, authors, self.halves_)


def _hash(texts: Iterable[str], seed: int) -> Hashes:
    """Never 0, which stands for an unknown author."""
    return hash_texts(texts, key=seed) | np.uint64(1)
