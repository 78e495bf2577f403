"""Interpolated Kneser-Ney models of masked sentences, and how likely other sentences are in them.

With c(h w) the number of times that w follows the context h, and h' the context without its first
symbol,

    P(w | h) = max(c(h w) - D, 0) / c(h .) + D n(h .) / c(h .) P(w | h')

where c(h .) is the sum of c(h w) over w and n(h .) the number of different w after h. For contexts
shorter than the longest one, c(h w) is the number of different symbols before h w. An unseen
context has P(w | h) = P(w | h'), and beyond the empty context every symbol has 1 / (V + 2): V
masked tokens, the end of a sentence and an unknown symbol. Each sentence follows order - 1 start
symbols.

Many models are counted at once, and for the questioned sentences only: a context counts if it
occurs in them, so every further symbol of context leaves fewer places to count, and no model is
kept as a table. Cost grows linearly with the symbols of all models and with the questioned symbols
times the number of models (and with logarithms of both, for sorting), but hardly with the order:
few contexts of five symbols occur in two texts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from adhominem.arrays import Booleans, Floats, Integers
from adhominem.instrument.text.tokenised import Tokenised, offsets, take_ranges
from adhominem.instrument.views.ngrams import MaskedTokens

_START = 0  # masked tokens are numbered from 1, the end of a sentence comes after them


@dataclass(frozen=True)
class Sentences:
    """Masked sentences, each with its end symbol.

    symbols   numbers of all symbols
    edges     sentence s has the symbols `edges[s]:edges[s + 1]`
    """

    symbols: Integers
    edges: Integers

    @classmethod
    def read(cls, tokens: Tokenised, masked: MaskedTokens) -> Self:
        """The sentences of all documents."""
        numbers = masked.numbers(tokens).astype(np.int64)
        symbols = np.insert(numbers, tokens.sentences[1:], masked.n_numbers + 1)
        return cls(symbols, tokens.sentences + np.arange(len(tokens.sentences)))

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        """The sentences of all parts in order."""
        lengths = np.concatenate([np.diff(part.edges) for part in parts])
        return cls(np.concatenate([part.symbols for part in parts]), offsets(lengths))

    def __len__(self) -> int:
        return len(self.edges) - 1

    def take(self, chosen: Integers) -> Self:
        """The chosen sentences, in that order."""
        places, edges = take_ranges(self.edges, chosen)
        return type(self)(self.symbols[places], edges)

    @cached_property
    def _firsts(self) -> Integers:
        """The place of the first symbol of each symbol's sentence."""
        return np.repeat(self.edges[:-1], np.diff(self.edges))

    def before(self, distance: int, places: Integers) -> Integers:
        """The symbols that stand so many symbols before these places in their sentences."""
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
    """log10 of the probability of the questioned sentences in the model of each of the known ones.

    order       length of the longest n-grams
    discount    D, between 0 and 1
    n_symbols   V + 2; all symbols are smaller
    """
    joined = Sentences.join(known)
    model = np.repeat(np.arange(len(known)), [len(one.symbols) for one in known])
    place = np.arange(len(joined.symbols))  # known symbols after a questioned context
    column = np.arange(len(questioned.symbols))  # questioned symbols after a known context
    context, asked = np.zeros_like(place), np.zeros_like(column)  # numbers of these contexts
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
    """The place of each key among the known ones, which are sorted, and whether it is there."""
    index = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    return index, known[index] == keys
