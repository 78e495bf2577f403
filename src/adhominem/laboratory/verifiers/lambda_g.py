"""LambdaG: whether the grammar of one side fits the other better than grammars of other authors do.

Nini, Halvani, Graner, Gherardi & Ishihara (2024), "Authorship verification based on the likelihood
ratio of grammar models". Function words and punctuation are kept, other words are replaced by their
class (`MaskedTokens`). A grammar is a Kneser-Ney model of sentences (`kneser_ney.py`). The known
side gives one model, and each of r = 30 other authors a reference model of as many sentences. Their
log10 likelihood ratios for the questioned side, lambda_1 to lambda_r, are studentised:

    t = mean(lambda) / deviation(lambda)

The similarity is the mean of t with either side as the known one. The method is made for sides of
600 tokens and more; reported AUC on novels is .55 for 150 tokens, .69 for 600 and .78 for 1,200.

Ours: the paper takes the mean of lambda itself, in one direction, with reference sentences of mixed
authors. The kept words are the 500 that most training texts use. Reference authors are those of the
training pairs, in an order that the seed fixes, but first those who have enough sentences; where an
author has too few, the next one's follow. Authors with a part in the pair, by name or by one of its
texts, are left out. t is limited to +-20, which identical sides have. With fewer than two reference
authors nothing is compared.

Cost of a pair grows linearly with r times the tokens of both sides, and hardly with the order.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from adhominem.arrays import Floats, Integers
from adhominem.errors import InputError
from adhominem.instrument.text.tokenised import offsets, take_ranges
from adhominem.instrument.views.ngrams import MaskedTokens
from adhominem.laboratory.corpus.hashes import Hashes, hash_texts
from adhominem.laboratory.verifiers import ComparedMethod, Texts, counts, read_sides
from adhominem.laboratory.verifiers.kneser_ney import Sentences, log_likelihoods
from adhominem.records import Pair

_LARGEST, _LEAST = 20.0, 1e-9  # t and deviation


@dataclass(kw_only=True, eq=False)
class LambdaG(ComparedMethod):
    """Likelihood ratio of grammar models.

    order        length of the longest n-grams
    discount     D, taken from every count
    references   number of reference models
    pool         the largest number of training authors that are kept for them
    words        number of words that are not masked
    """

    kind = "lambda-g"
    order: int = 10
    discount: float = 0.75
    references: int = 30
    pool: int = 200
    words: int = 500
    seed: int = 1
    kept_: list[str] = field(init=False)
    symbols_: Integers = field(init=False)  # all sentences of the pool, as in `Sentences` ...
    edges_: Integers = field(init=False)
    donors_: Integers = field(init=False)  # ... of which author a has donors_[a]:donors_[a + 1]
    hashes_: Hashes = field(init=False)  # of the names and texts of these authors ...
    owners_: Integers = field(init=False)  # ... and the number of the author

    def _fit(self, train: Sequence[Pair], dev: Sequence[Pair]) -> None:  # noqa: ARG002
        if self.order < 1 or not 0 < self.discount < 1:
            raise InputError(
                f"order is {self.order} and discount is {self.discount}: order must be at least 1, "
                "discount between 0 and 1"
            )
        read = read_sides(train)
        ranked = counts.most_frequent_words(read.tokens, len(read.tokens.types))
        used = counts.count_words(read.tokens, counts.index_words(ranked))
        n_texts = np.bincount(used.indices, minlength=len(ranked))
        self.kept_ = [ranked[i] for i in np.argsort(-n_texts, kind="stable")[: self.words]]
        author_of = {d.text: d.author for pair in train for d in (*pair.left, *pair.right)}
        texts_of: dict[str | int, list[int]] = {}
        filled = np.flatnonzero(read.tokens.n_tokens)
        for i in np.random.default_rng(self.seed).permutation(filled).tolist():
            texts_of.setdefault(author_of[read.texts[i]] or i, []).append(i)
        if len(texts_of) < 2:
            raise InputError("training pairs have texts of one author: two and more are needed")
        pool = list(texts_of.items())[: self.pool]
        tokens = read.tokens.select(np.array([i for _, own in pool for i in own]))
        sentences = Sentences.read(tokens, self._masked())
        self.symbols_, self.edges_ = sentences.symbols, sentences.edges
        self.donors_ = tokens.documents[offsets([len(own) for _, own in pool])]
        names = [[read.texts[i] for i in own] for _, own in pool]
        for (author, _), own in zip(pool, names, strict=True):
            own += [author] if isinstance(author, str) else []
        self.hashes_ = hash_texts((name for own in names for name in own), key=self.seed)
        self.owners_ = np.repeat(np.arange(len(names)), [len(own) for own in names])

    def _masked(self) -> MaskedTokens:
        return MaskedTokens(tuple(self.kept_), ())

    def _similarities(self, texts: Texts, pairs: Sequence[Pair]) -> Floats:
        sentences = Sentences.read(texts.tokens, self._masked())
        edges, n = texts.sides.indptr, len(pairs)
        similarity = np.full(n, np.nan)
        for i in np.flatnonzero(texts.comparable).tolist():
            one, other = (np.sort(texts.sides.indices[edges[j] : edges[j + 1]]) for j in (i, i + n))
            donors = self._donors(pairs[i])
            if np.array_equal(one, other):
                similarity[i] = _LARGEST
            elif len(donors) > 1:
                left, right = (
                    sentences.take(take_ranges(texts.tokens.documents, side)[0])
                    for side in (one, other)
                )
                both = self._student(left, right, donors) + self._student(right, left, donors)
                similarity[i] = both / 2
        return similarity

    def _donors(self, pair: Pair) -> Integers:
        """The authors of the pool who have no part in the pair."""
        documents = (*pair.left, *pair.right)
        names = [name for d in documents for name in (d.text, d.author) if name is not None]
        barred = self.owners_[np.isin(self.hashes_, hash_texts(names, key=self.seed))]
        return np.setdiff1d(np.arange(len(self.donors_) - 1), barred)

    def _student(self, known: Sentences, questioned: Sentences, donors: Integers) -> float:
        """t of the log-likelihood ratios between the known side and the reference authors."""
        enough = np.minimum(np.diff(self.donors_)[donors], len(known))
        in_order = donors[np.argsort(-enough, kind="stable")]
        sentences, starts = take_ranges(self.donors_, in_order)
        run = np.arange(min(len(known), len(sentences)))
        pool = Sentences(self.symbols_, self.edges_)
        references = [
            pool.take(sentences[(start + run) % len(sentences)])
            for start in starts[:-1][: self.references].tolist()
        ]
        own, *others = log_likelihoods(
            questioned,
            [known, *references],
            order=self.order,
            discount=self.discount,
            n_symbols=self._masked().n_numbers + 2,
        )
        ratios = own - np.array(others)
        t = ratios.mean() / max(ratios.std(ddof=1), _LEAST)
        return float(np.clip(t, -_LARGEST, _LARGEST))
