"""The imposters method (Koppel & Winter 2014).

Features are space-free character 4-grams: four characters of a word, or a whole shorter word.
Their relative frequencies times idf are compared by

    minmax(x, y) = sum_i min(x_i, y_i) / sum_i max(x_i, y_i)

For a pair (X, Y), take the m texts by other authors in a pool that are most similar to Y, and draw
n impostors from them. Each of 100 rounds uses a random half of the features; a round is won if no
impostor is nearer to X than Y is. The same is done with X and Y exchanged; the decision depends on
the number w of rounds won, of N = 200.

Ours: the pool consists of training texts, one for each known author. The random halves depend on
the seed only and are the same for all pairs; the impostors depend on the seed and the text that
they resemble. So an answer depends on nothing but the two texts and the seed. A round is lost if X
and Y share none of its features. As w takes 201 values only, the min-max similarity over all
features breaks ties: it is added to w as a fraction of one more round. The similarity is

    log((w + 1) / (N + 1 - w + 1))

which is monotone in the share of rounds won and so leaves the paper's decision unchanged, but suits
linear calibration: most pairs win nearly all rounds or nearly none. A text is no impostor for
itself or its author; hashes identify both. N-grams and idf come from the training texts only.

Speed: sum max = sum x + sum y - sum min, so only minima depend on the pair. They are sparse, and
one product with a 0/1 matrix (features, rounds) sums them for all rounds.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
from scipy import sparse

from adhominem.arrays import Floats, Integers, Reals
from adhominem.errors import InputError
from adhominem.instrument.text.tokenised import take_ranges
from adhominem.instrument.verifier import ModelState
from adhominem.laboratory.corpus.hashes import Hashes, hash_texts, mix
from adhominem.laboratory.verifiers import ComparedMethod, Texts, counts
from adhominem.records import Pair

_BLOCK = 64  # pairs whose rounds are played at once


class Pool:
    """Texts that may serve as impostors: their features, sparse (texts, n-grams), and hashes of the
    texts and of their authors, 0 if unknown. `halves` marks the features of each round."""

    def __init__(self, features: Any, hashes: Hashes, authors: Hashes, halves: Reals) -> None:
        self.features, self.by_ngram = features, features.tocsc()
        self.hashes, self.authors = hashes, authors
        self.sums, self.rounds = features.sum(axis=1), features @ halves  # (texts, rounds)


@dataclass(kw_only=True, eq=False)
class Imposters(ComparedMethod):
    """Similarity of two texts, compared with their similarity to texts of other authors.

    n, most         length and number of the character n-grams
    pool            maximum number of training texts in the pool
    candidates      number of nearest texts from which impostors are drawn (m in the paper)
    impostors       number of texts drawn (n in the paper)
    rounds          number of rounds, each with another half of the features
    """

    kind = "imposters"
    n: int = 4
    most: int = 100_000
    pool: int = 1000
    candidates: int = 250
    impostors: int = 25
    rounds: int = 100
    seed: int = 1
    ngrams_: dict[str, int] = field(init=False)
    idf_: Reals = field(init=False)
    halves_: Reals = field(init=False)  # (n-grams, rounds), 1 where the n-gram counts
    pool_: Pool = field(init=False)

    def _fit(self, train: Sequence[Pair]) -> None:
        read = Texts(train)
        ngrams = chain.from_iterable(counts.space_free_ngrams(text, self.n) for text in read.texts)
        ranked = counts.rank(Counter(ngrams), self.most)
        self.ngrams_ = counts.index_words(ranked)
        counted = self._count(read)
        self.idf_ = counts.inverse_document_frequency(counted).astype(np.float32)
        rng = np.random.default_rng(self.seed)
        half = np.arange(len(ranked)) % 2 == 0
        halves = [rng.permutation(half) for _ in range(self.rounds)]
        self.halves_ = np.stack(halves, axis=1).astype(np.float32)
        long_enough = np.flatnonzero(read.tokens.n_tokens >= self.min_tokens)
        by_author = read.by_author(train, rng.permutation(long_enough))
        if not by_author:
            raise InputError(f"no training text has {self.min_tokens} tokens: impostors are needed")
        names = list(by_author)[: self.pool]
        chosen = [by_author[name][0] for name in names]
        known = np.array([isinstance(name, str) for name in names], np.uint64)
        authors = _hash(map(str, names), self.seed) * known
        hashes = _hash([read.texts[i] for i in chosen], self.seed)
        features = counts.weigh(counted[chosen], self.idf_)
        self.pool_ = Pool(features, hashes, authors, self.halves_)

    def _count(self, texts: Texts) -> Any:
        """Sparse counts (texts, n-grams)."""
        read = partial(counts.space_free_ngrams, n=self.n)
        return counts.count_known(texts.texts, self.ngrams_, read).astype(np.float32)

    def _similarities(self, texts: Texts, pairs: Sequence[Pair]) -> Floats:
        features = counts.weigh(self._count(texts), self.idf_)
        sides = [side.astype(np.float32) for side in texts.join(features)]
        for side in sides:
            side.sort_indices()
        similarity = np.empty(len(pairs))
        for start in range(0, len(pairs), _BLOCK):
            block = slice(start, start + _BLOCK)
            left, right = (side[block] for side in sides)
            similarity[block] = self._play(left, right, *self._draw(pairs[block], left, right))
        return similarity

    def _draw(self, pairs: Sequence[Pair], left: Any, right: Any) -> tuple[Integers, Integers]:
        """Indices into the pool of the impostors for left and for right, each (pairs, impostors);
        -1 if there are none, repeated if there are too few."""
        drawn = np.full((2, len(pairs), self.impostors), -1)
        ranked: dict[tuple[str, ...], Integers] = {}
        for i, pair in enumerate(pairs):
            documents = (*pair.left, *pair.right)
            authors = {d.author for d in documents if d.author}
            barred = np.isin(self.pool_.hashes, _hash([d.text for d in documents], self.seed))
            barred |= np.isin(self.pool_.authors, _hash(authors, self.seed))
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
        """Min-max similarity of one side to every text of the pool."""
        by_ngram = self.pool_.by_ngram
        indices, edges = take_ranges(by_ngram.indptr, side.indices.astype(np.int64))
        minima = np.minimum(by_ngram.data[indices], np.repeat(side.data, np.diff(edges)))
        shared = np.bincount(by_ngram.indices[indices], minima, minlength=len(self.pool_.hashes))
        return min_by_max(shared.astype(np.float64), side.data.sum() + self.pool_.sums)

    def _play(self, left: Any, right: Any, like_left: Integers, like_right: Integers) -> Reals:
        """The similarity of each pair: log-odds of winning a round, ties broken by min-max."""
        rounds_left, rounds_right = left @ self.halves_, right @ self.halves_  # (pairs, rounds)
        left_sum, right_sum, shared = left.sum(axis=1), right.sum(axis=1), left.minimum(right)
        near = min_by_max(shared @ self.halves_, rounds_left + rounds_right)
        won = self._won(near, left, rounds_left, like_right).astype(np.float64)
        won += self._won(near, right, rounds_right, like_left)
        won += min_by_max(shared.sum(axis=1), left_sum + right_sum)
        similarity = np.log((won + 1) / (2 * self.rounds + 1 - won + 1))
        no_impostors = (like_left[:, 0] < 0) | (like_right[:, 0] < 0)
        return np.where((left_sum == 0) | (right_sum == 0) | no_impostors, np.nan, similarity)

    def _won(self, near: Reals, sides: Any, rounds: Reals, impostors: Integers) -> Integers:
        """Number of rounds in which no impostor is more similar to a side than `near`."""
        flat = impostors.ravel()
        repeated = np.repeat(np.arange(len(impostors)), self.impostors)
        minima = sides[repeated].minimum(self.pool_.features[flat]) @ self.halves_
        sums = rounds[repeated] + self.pool_.rounds[flat]
        nearest = min_by_max(minima, sums).reshape(*impostors.shape, -1).max(axis=1)
        return np.asarray(((near >= nearest) & (near > 0)).sum(axis=1))

    def state(self) -> ModelState:
        whole, pool = super().state(), self.pool_
        arrays = {
            "idf": self.idf_,
            "halves": np.packbits(self.halves_.astype(bool), axis=1),
            "pool_values": pool.features.data,
            "pool_ngrams": pool.features.indices.astype(np.int32),
            "pool_edges": pool.features.indptr.astype(np.int64),
            "pool_hashes": pool.hashes,
            "pool_authors": pool.authors,
        }
        return ModelState(whole.settings, {"ngrams": list(self.ngrams_)}, arrays)

    def restore(self, state: ModelState) -> None:
        arrays = state.arrays
        super().restore(ModelState(state.settings, {}, {"idf": arrays["idf"]}))
        self.ngrams_ = counts.index_words(state.tables["ngrams"])
        bits = np.unpackbits(arrays["halves"], axis=1, count=self.rounds)
        self.halves_ = bits.astype(np.float32)
        hashes, authors = arrays["pool_hashes"], arrays["pool_authors"]
        cells = (arrays["pool_values"], arrays["pool_ngrams"], arrays["pool_edges"])
        features = sparse.csr_array(cells, shape=(len(hashes), len(self.ngrams_)))
        self.pool_ = Pool(features, hashes, authors, self.halves_)


def min_by_max(minima: Reals, sums: Reals) -> Reals:
    """Min-max similarity from sums of minima and of all features; 0 for two empty texts."""
    maxima = sums - minima
    return np.asarray(minima / np.where(maxima > 0, maxima, 1))


def _hash(texts: Iterable[str], seed: int) -> Hashes:
    """Hashes of texts, never 0, the hash of an unknown author."""
    return hash_texts(texts, key=seed) | np.uint64(1)
