"""The imposters method (Koppel & Winter 2014).

Features are space-free character 4-grams: four characters of a word, or a whole shorter word.
Their relative frequencies times idf are compared by

    minmax(x, y) = sum_i min(x_i, y_i) / sum_i max(x_i, y_i)

For a pair (X, Y), n impostors are drawn from the m texts of a pool by other authors that are most
similar to Y. In each of 100 rounds only a random half of the features counts; a round is won if no
impostor is nearer to X than Y is. The same is done with the roles exchanged; the decision rests on
the number w of rounds won in both, of N = 200 rounds.

Ours: the pool consists of training texts, one for each known author. The random halves depend on
the seed only and serve all pairs; the draw depends on the seed and the text that the impostors
resemble. So an answer depends on nothing but the two texts and the seed. A round in which nothing
is shared is lost. As w takes 201 values only, the min-max similarity over all features breaks ties,
as one more round, won in part. The similarity is

    log((w + 1) / (N + 1 - w + 1))

which grows with the share of rounds won and so leaves the paper's decision unchanged; but most
pairs win nearly all rounds or nearly none, so a straight line from the share itself to the evidence
would fit badly. A text is no impostor of itself or of its author (by hashes of both). N-grams and
idf come from the training texts only.

It is fast because sum max = sum x + sum y - sum min, and the first two are needed once for each
text and round; minima are sparse; the pool is stored by feature, and only the features of a text
are looked up; rounds are columns of a matrix of zeros and ones, so the sums of minima of all rounds
are one sparse product.
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
    texts and of their authors, 0 if unknown. `halves` says which features count in a round."""

    def __init__(self, features: Any, hashes: Hashes, authors: Hashes, halves: Reals) -> None:
        self.features, self.by_ngram = features, features.tocsc()
        self.hashes, self.authors = hashes, authors
        self.sums, self.rounds = features.sum(axis=1), features @ halves  # (texts, rounds)


@dataclass(kw_only=True, eq=False)
class Imposters(ComparedMethod):
    """Nearness to each other, compared with nearness to texts of other authors.

    n, most         length and number of the character n-grams
    pool            number of training texts that are kept
    candidates      number of the nearest texts, of which impostors are drawn (m in the paper)
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
        documents = (document for pair in train for document in (*pair.left, *pair.right))
        author_of = {document.text: document.author for document in documents}
        chosen: dict[str | int, int] = {}  # one text of each known author, by index
        long_enough = np.flatnonzero(read.tokens.n_tokens >= self.min_tokens)
        for i in rng.permutation(long_enough).tolist():
            chosen.setdefault(author_of[read.texts[i]] or i, i)
            if len(chosen) == self.pool:
                break
        if not chosen:
            raise InputError(
                f"no training text has {self.min_tokens} tokens: some are needed as impostors"
            )
        known = np.array([isinstance(author, str) for author in chosen], np.uint64)
        authors = _hash(map(str, chosen), self.seed) * known
        hashes = _hash([read.texts[i] for i in chosen.values()], self.seed)
        features = counts.weigh(counted[list(chosen.values())], self.idf_)
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
        """Indices in the pool of the impostors like left and like right, each (pairs, impostors);
        -1 if there are none, some repeated if they are too few."""
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
        by_ngram = self.pool_.by_ngram
        indices, edges = take_ranges(by_ngram.indptr, side.indices.astype(np.int64))
        minima = np.minimum(by_ngram.data[indices], np.repeat(side.data, np.diff(edges)))
        shared = np.bincount(by_ngram.indices[indices], minima, minlength=len(self.pool_.hashes))
        return min_by_max(shared.astype(np.float64), side.data.sum() + self.pool_.sums)

    def _play(self, left: Any, right: Any, like_left: Integers, like_right: Integers) -> Reals:
        """The log-odds of a won round for each pair, with the min-max similarity to break ties."""
        rounds_left, rounds_right = left @ self.halves_, right @ self.halves_  # (pairs, rounds)
        left_sum, right_sum, shared = left.sum(axis=1), right.sum(axis=1), left.minimum(right)
        near = min_by_max(shared @ self.halves_, rounds_left + rounds_right)
        won = self._won(near, left, rounds_left, like_right).astype(np.float64)
        won += self._won(near, right, rounds_right, like_left)
        won += min_by_max(shared.sum(axis=1), left_sum + right_sum)
        similarity = np.log((won + 1) / (2 * self.rounds + 1 - won + 1))
        lonely = (like_left[:, 0] < 0) | (like_right[:, 0] < 0)
        return np.where((left_sum == 0) | (right_sum == 0) | lonely, np.nan, similarity)

    def _won(self, near: Reals, sides: Any, rounds: Reals, impostors: Integers) -> Integers:
        """The number of rounds in which a side is no nearer to any impostor than `near`."""
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
    """Sum of minima over sum of maxima, which is `sums` less minima; 0 for two empty texts."""
    maxima = sums - minima
    return np.asarray(minima / np.where(maxima > 0, maxima, 1))


def _hash(texts: Iterable[str], seed: int) -> Hashes:
    """Hashes of texts, never 0, which stands for an unknown author."""
    return hash_texts(texts, key=seed) | np.uint64(1)
