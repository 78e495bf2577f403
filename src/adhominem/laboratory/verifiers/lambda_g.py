"""LambdaG: likelihood ratio of the grammar of one side and grammars of other authors.

Nini, Halvani, Graner, Gherardi & Ishihara (2024), "Authorship verification based on the likelihood
ratio of grammar models". Function words and punctuation are kept, other words are replaced by their
word class (`MaskedTokens`). A grammar is a Kneser-Ney model of sentences. One model is estimated
from the known side, and a reference model from as many sentences of each of r = 30 other authors.
Their log10 likelihood ratios for the questioned side, lambda_1 to lambda_r, are studentised:

    t = mean(lambda) / deviation(lambda)

The similarity is the mean of t with either side as the known one. The method is made for sides of
600 tokens and more; reported AUC on novels is .55 for 150 tokens, .69 for 600 and .78 for 1,200.

Ours: the paper takes the mean of lambda itself, in one direction, with reference sentences of mixed
authors. The kept words are the 500 that occur in most training texts. Reference authors come from
the training pairs in an order that the seed fixes, authors with enough sentences first; sentences
of the next author fill up for one who has too few. Authors of the pair, identified by name or by
one of its texts, are left out. t is limited to +-20, the value of identical sides. With fewer than
two reference authors the similarity is NaN.

Kneser-Ney models are interpolated. With c(h w) the number of times that w follows the context h,
and h' the context without its first symbol,

    P(w | h) = max(c(h w) - D, 0) / c(h .) + D n(h .) / c(h .) P(w | h')

where c(h .) is the sum of c(h w) over w and n(h .) the number of distinct w after h. For contexts
shorter than the longest one, c(h w) is the number of distinct symbols before h w. An unseen context
has P(w | h) = P(w | h'), and the recursion ends with a uniform distribution over V + 2 symbols: V
masked tokens, the end of a sentence and an unknown symbol. Each sentence is preceded by order - 1
start symbols.

All models are counted at once, in contexts that occur in the questioned sentences only; no model is
stored as a table. Cost is nearly independent of the order, as two texts share few long contexts.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

import numpy as np

from adhominem.arrays import Booleans, Floats, Integers
from adhominem.errors import InputError
from adhominem.instrument.text.tokenised import Tokenised, offsets, take_ranges
from adhominem.instrument.views.ngrams import MaskedTokens
from adhominem.laboratory.corpus.hashes import Hashes, hash_texts
from adhominem.laboratory.evaluation.answers import documents_of
from adhominem.laboratory.verifiers import ComparedMethod, Texts, counts
from adhominem.records import Pair

_MAX_T, _MIN_DEVIATION = 20.0, 1e-9
_START = 0  # masked tokens are numbered from 1, then comes the end of a sentence


@dataclass(frozen=True)
class Sentences:
    """Masked sentences, each with its end symbol."""

    symbols: Integers
    edges: Integers  # sentence s has the symbols `edges[s]:edges[s + 1]`

    @classmethod
    def read(cls, tokens: Tokenised, masked: MaskedTokens) -> Self:
        """The sentences of all documents."""
        numbers = masked.numbers(tokens).astype(np.int64)
        symbols = np.insert(numbers, tokens.sentences[1:], masked.n_numbers + 1)
        return cls(symbols, tokens.sentences + np.arange(len(tokens.sentences)))

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        lengths = np.concatenate([np.diff(part.edges) for part in parts])
        return cls(np.concatenate([part.symbols for part in parts]), offsets(lengths))

    def __len__(self) -> int:
        return len(self.edges) - 1

    def take(self, chosen: Integers) -> Self:
        places, edges = take_ranges(self.edges, chosen)
        return type(self)(self.symbols[places], edges)

    @cached_property
    def _firsts(self) -> Integers:
        """Index of the first symbol in the sentence of each symbol."""
        return np.repeat(self.edges[:-1], np.diff(self.edges))

    def before(self, distance: int, places: Integers) -> Integers:
        """The symbols at this distance before the given indices, in their sentences."""
        earlier = places - distance
        inside = earlier >= self._firsts[places]
        return np.where(inside, self.symbols[np.maximum(earlier, 0)], _START)


def log_likelihoods(
    questioned: Sentences,
    known: Sequence[Sentences],
    *,
    order: int,
    discount: float,
    n_symbols: int,
) -> Floats:
    """log10 probability of the questioned sentences under a model of each of the known texts.

    order       length of the longest n-grams
    discount    D, between 0 and 1
    n_symbols   V + 2; all symbols are smaller
    """
    joined = Sentences.join(known)
    model = np.repeat(np.arange(len(known)), [len(one.symbols) for one in known])
    place = np.arange(len(joined.symbols))  # known symbols after a questioned context
    column = np.arange(len(questioned.symbols))  # questioned symbols after a known context
    context, asked = np.zeros_like(place), np.zeros_like(column)  # indices of these contexts
    n_contexts = 1
    probability = np.full((len(known), len(column)), 1 / n_symbols)
    for length in range(order):
        if length:
            longer = asked * n_symbols + questioned.before(length, column)
            contexts, asked = np.unique(longer, return_inverse=True)
            n_contexts = len(contexts)
            context = context * n_symbols + joined.before(length, place)
            context, found = _look_up(context, contexts)
            place, context = place[found], context[found]
            shared = np.bincount(context, minlength=n_contexts)[asked] > 0
            column, asked = column[shared], asked[shared]
        if not len(place):
            break
        grams = (model[place] * n_contexts + context) * n_symbols + joined.symbols[place]
        if length < order - 1:  # a gram counts once for each symbol before it
            grams = np.unique(grams * n_symbols + joined.before(length + 1, place)) // n_symbols
        grams, times = np.unique(grams, return_counts=True)
        owner = grams // n_symbols  # a model and a context
        total = np.bincount(owner, times, len(known) * n_contexts)
        kinds = np.bincount(owner, minlength=len(total))
        backoff = np.where(total > 0, discount * kinds / np.maximum(total, 1), 1.0)
        backoff = backoff.reshape(len(known), n_contexts)
        wanted = asked * n_symbols + questioned.symbols[column]
        wanted, gram = np.unique(wanted, return_inverse=True)
        index, found = _look_up(grams % (n_contexts * n_symbols), wanted)
        row, index, owner = owner[found] // n_contexts, index[found], owner[found]
        share = np.zeros((len(known), len(wanted)))
        share[row, index] = (times[found] - discount) / total[owner]
        probability[:, column] = share[:, gram] + backoff[:, asked] * probability[:, column]
    return np.asarray(np.log10(probability).sum(axis=1))


def _look_up(keys: Integers, known: Integers) -> tuple[Integers, Booleans]:
    """Index of each key in the sorted array `known`, and whether it occurs there."""
    index = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    return index, known[index] == keys


@dataclass(kw_only=True, eq=False)
class LambdaG(ComparedMethod):
    """Likelihood ratio of grammar models.

    order        length of the longest n-grams
    discount     D, taken from every count
    references   number of reference models
    pool         maximum number of training authors kept for reference models
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
    symbols_: Integers = field(init=False)  # `Sentences` of the pool
    edges_: Integers = field(init=False)
    donors_: Integers = field(init=False)  # author a wrote sentences donors_[a]:donors_[a + 1]
    hashes_: Hashes = field(init=False)  # of names and texts of these authors
    owners_: Integers = field(init=False)  # index of the author of each hash

    def _fit(self, train: Sequence[Pair]) -> None:
        if self.order < 1 or not 0 < self.discount < 1:
            raise InputError(
                f"order is {self.order} and discount is {self.discount}: order must be at least 1, "
                "discount between 0 and 1"
            )
        read = Texts(train)
        ranked = counts.most_frequent_words(read.tokens, len(read.tokens.types))
        used = counts.count_words(read.tokens, counts.index_words(ranked))
        n_texts = np.bincount(used.indices, minlength=len(ranked))
        self.kept_ = [ranked[i] for i in np.argsort(-n_texts, kind="stable")[: self.words]]
        nonempty = np.flatnonzero(read.tokens.n_tokens)
        order = np.random.default_rng(self.seed).permutation(nonempty)
        by_author = read.by_author(train, order)
        if len(by_author) < 2:
            raise InputError("training pairs have texts of one author: two and more are needed")
        pool = list(by_author.items())[: self.pool]
        tokens = read.tokens.select(np.array([i for _, own in pool for i in own]))
        sentences = Sentences.read(tokens, self._masked())
        self.symbols_, self.edges_ = sentences.symbols, sentences.edges
        self.donors_ = tokens.documents[offsets([len(own) for _, own in pool])]
        names = [[read.texts[i] for i in own] + [str(a)] * isinstance(a, str) for a, own in pool]
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
                similarity[i] = _MAX_T
            elif len(donors) > 1:
                ranges = (take_ranges(texts.tokens.documents, side)[0] for side in (one, other))
                left, right = map(sentences.take, ranges)
                both = self._student(left, right, donors) + self._student(right, left, donors)
                similarity[i] = both / 2
        return similarity

    def _donors(self, pair: Pair) -> Integers:
        """Indices of the pool's authors other than those of the pair."""
        names = [x for d in documents_of([pair]) for x in (d.text, d.author) if x is not None]
        barred = self.owners_[np.isin(self.hashes_, hash_texts(names, key=self.seed))]
        return np.setdiff1d(np.arange(len(self.donors_) - 1), barred)

    def _student(self, known: Sentences, questioned: Sentences, donors: Integers) -> float:
        """t of the log likelihood ratios of the known side to the reference authors."""
        enough = np.minimum(np.diff(self.donors_)[donors], len(known))
        in_order = donors[np.argsort(-enough, kind="stable")]
        sentences, starts = take_ranges(self.donors_, in_order)
        run = np.arange(min(len(known), len(sentences)))
        pool = Sentences(self.symbols_, self.edges_)
        references = [
            pool.take(sentences[(start + run) % len(sentences)])
            for start in starts[:-1][: self.references].tolist()
        ]
        models, n_symbols = [known, *references], self._masked().n_numbers + 2
        own, *others = log_likelihoods(
            questioned, models, order=self.order, discount=self.discount, n_symbols=n_symbols
        )
        ratios = own - np.array(others)
        t = ratios.mean() / max(ratios.std(ddof=1), _MIN_DEVIATION)
        return float(np.clip(t, -_MAX_T, _MAX_T))
