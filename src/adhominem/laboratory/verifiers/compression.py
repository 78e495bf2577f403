"""PPM compression: cross-entropy of each text under a model of the other.

Teahan & Harper (2003) attribute authorship by cross-entropy under prediction by partial matching
(PPM), Halvani, Winter & Graner (2017) verify with it. Here text y gives a static model of order 5:
each byte of text x is predicted from the longest context of at most five bytes that occurs in y. If
the byte never followed that context, the model pays an escape and tries the next shorter context
without the symbols already ruled out (full exclusion). Among the symbols not ruled out, c is the
count of the byte, n the count of all symbols and d the number of distinct ones. By method D (Howard
1993),

    P(byte) = (2 c - 1) / (2 n)        P(escape) = d / (2 n)

and a byte that y does not contain has probability 1 / (256 - d) after the escape from order 0. The
features of a pair are mean and absolute difference of the two cross-entropies, H(x|y) and H(y|x) in
bits per byte; logistic regression maps them to the similarity.

Ours: symbols are UTF-8 bytes, so that an n-gram of six is one exact integer; the model does not
adapt to the text that it codes, so that all bytes are looked up at once; runs of white space count
as one space; neither slope may be positive and identical sides have cross-entropy 0, so that they
are the most similar. No arithmetic code is written: the sum of logarithms is the length that an
ideal coder would reach, without the headers and padding of compressed files.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from adhominem.arrays import Booleans, Floats, Integers
from adhominem.errors import InputError
from adhominem.laboratory import verifiers as base
from adhominem.laboratory.verifiers.feature_difference import regress
from adhominem.records import Pair

_ALPHABET = 256
_KEPT = 256  # models in memory: they are far larger than the texts
_HIGHEST_ORDER = 6  # seven bytes fit an int64 without its sign bit


@dataclass(frozen=True, slots=True)
class _Order:
    """The n-grams of k + 1 bytes of a text, as integers: k bytes of context and a symbol."""

    keys: Integers  # in text order
    grams: Integers  # distinct and sorted, so that a context is a range
    counts: Integers  # of each gram
    n: Integers  # occurrences of each gram's context
    d: Integers  # distinct symbols after that context
    ruled_out: Integers  # occurrences of these symbols after the context one byte shorter


def _model(text: str, order: int) -> list[_Order]:
    """The n-grams of a text for k = 0 to `order`, both to code it and to predict another text."""
    read = " ".join(text.split()).encode("utf-8", "surrogatepass")
    symbols = keys = np.frombuffer(read, np.uint8).astype(np.int64)
    orders: list[_Order] = []
    for k in range(order + 1):
        if k:
            keys = keys[1:] + (symbols[:-k] << 8 * k)  # first byte highest
        grams, counts = np.unique(keys, return_counts=True)
        first = np.flatnonzero(np.diff(grams >> 8, prepend=-1))
        d = np.diff(first, append=len(grams))
        n = ruled_out = np.add.reduceat(counts, first)
        if k:
            shorter = orders[-1]
            indices = np.searchsorted(shorter.grams, grams & ((1 << 8 * k) - 1))
            ruled_out = np.add.reduceat(shorter.counts[indices], first)
        of_context = (np.repeat(values, d) for values in (n, d, ruled_out))
        orders.append(_Order(keys, grams, counts, *of_context))
    return orders


def _cross_entropy(text: Sequence[_Order], model: Sequence[_Order]) -> float:
    """Bits per byte of a text under the model of another; 0 if either is empty."""
    n_bytes = len(text[0].keys)
    if not n_bytes or not len(model[0].grams):
        return 0.0
    bits = 0.0
    uncoded = np.ones(n_bytes, bool)
    out_n, out_d = np.zeros((2, n_bytes), np.int64)  # n and d ruled out by longer contexts
    for k in range(len(text) - 1, -1, -1):
        order = model[k]
        if not len(order.grams) or not len(text[k].keys):
            continue
        at = np.flatnonzero(uncoded[k:]) + k
        key = text[k].keys[at - k]
        index = np.minimum(np.searchsorted(order.grams, key), len(order.grams) - 1)
        found = order.grams[index] == key
        # A missing key is sorted next to a gram of its context, if the context occurs.
        index -= ~found & (order.grams[index] >> 8 != key >> 8) & (index > 0)
        known = order.grams[index] >> 8 == key >> 8
        at, index, found = at[known], index[known], found[known]
        n, d = order.n[index] - out_n[at], order.d[index] - out_d[at]
        escaped = ~found & (d > 0)  # if all symbols are ruled out, the escape is certain and free
        bits += _log2(2 * n[found]) - _log2(2 * order.counts[index[found]] - 1)
        bits += _log2(2 * n[escaped]) - _log2(d[escaped])
        out_n[at], out_d[at] = order.ruled_out[index], order.d[index]
        uncoded[at[found]] = False
    bits += uncoded.sum() * np.log2(_ALPHABET - model[0].d[0]) if uncoded.any() else 0.0
    return float(bits / n_bytes)


def _log2(values: Integers) -> float:
    return float(np.log2(values).sum())


@dataclass(kw_only=True, eq=False)
class Compression(base.TextPairVerifier):
    """Cross-entropy of each text under a model of the other.

    order   length of the longest context in bytes
    """

    kind = "ppm"
    order: int = 5
    slopes_: Floats = field(init=False)
    intercept_: Floats = field(init=False)

    def _fit(self, train: Sequence[Pair]) -> None:
        if not 0 <= self.order <= _HIGHEST_ORDER:
            raise InputError(f"order is {self.order}: it must be 0 to {_HIGHEST_ORDER}")
        texts = base.Texts(train)
        features, identical = self._measure_sides(texts)
        used = texts.comparable & ~identical
        same = base.labels_of(train, used)
        scale = np.maximum(features[used].std(axis=0), 1e-9)
        weights, intercept = regress(features[used] / scale, same, C=np.inf)
        self.slopes_, self.intercept_ = -weights / scale, np.array([intercept])

    def _measure(self, texts: base.Texts, left: Integers, right: Integers) -> Floats:
        @lru_cache(_KEPT)
        def model(text: int) -> list[_Order]:
            return _model(texts.texts[text], self.order)

        features = np.zeros((len(left), 2))
        for row, (x, y) in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
            forth = _cross_entropy(model(x), model(y))
            back = _cross_entropy(model(y), model(x))
            features[row] = (forth + back) / 2, abs(forth - back)
        return features

    def _judge(self, features: Floats, identical: Booleans) -> Floats:
        features = np.where(identical[:, None], 0.0, features)
        return np.asarray(features @ self.slopes_ + self.intercept_)
