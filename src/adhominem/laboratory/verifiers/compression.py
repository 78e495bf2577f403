"""PPM compression: how many bits one text costs under a model of the other.

Teahan & Harper (2003) judge authorship by cross-entropy under prediction by partial matching
(PPM), Halvani, Winter & Graner (2017) verify by it. Here text y gives a static model of order 5:
each byte of text x is predicted from the longest context of at most five bytes that occurs in y,
and where it never followed that context, an escape is paid and the next shorter context asked
without the symbols already ruled out (full exclusion). With c the count of the byte, n of all
symbols and d of the distinct ones among those not ruled out, method D (Howard 1993) says

    P(byte) = (2 c - 1) / (2 n)        P(escape) = d / (2 n)

and a byte that y does not contain has 1 / (256 - d) beyond order 0. A pair is described by mean
and absolute difference of the two cross-entropies, H(x|y) and H(y|x) in bits per byte, of which
logistic regression makes the similarity.

Ours: symbols are the bytes of UTF-8, so that six of them are one whole number and nothing is
hashed; the model does not adapt to the text that it codes, so that all bytes are looked up at
once; runs of white space are one space; neither slope may be positive, and a side costs no bits
given itself, so that nothing is more alike. Nothing is coded arithmetically: the sum of
logarithms is the length that a coder would reach, without the headers and whole bytes that count
in the files of a compressor called from outside.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from adhominem.arrays import Booleans, Floats, Integers
from adhominem.errors import InputError
from adhominem.laboratory import verifiers as base
from adhominem.laboratory.verifiers.feature_difference import regress
from adhominem.records import Pair

_ALPHABET = 256
_HIGHEST_ORDER = 6  # seven bytes are the most that an int64 holds without its sign


@dataclass(frozen=True, slots=True)
class _Order:
    """The grams of k + 1 bytes, each a context of k bytes and the symbol after it, as numbers.

    keys            in the order of the text
    grams, counts   distinct and sorted, so that a context is a range of them
    n, d            occurrences and distinct symbols of each gram's context
    ruled_out       occurrences of these symbols after the context that is one byte shorter
    """

    keys: Integers
    grams: Integers
    counts: Integers
    n: Integers
    d: Integers
    ruled_out: Integers


def _model(text: str, order: int) -> list[_Order]:
    """A text to be coded, which also predicts another: its grams for k = 0 to `order`."""
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
    open_ = np.ones(n_bytes, bool)  # not yet coded
    out_n = np.zeros(n_bytes, np.int64)  # occurrences ruled out by longer contexts ...
    out_d = np.zeros(n_bytes, np.int64)  # ... and distinct symbols
    for k in range(len(text) - 1, -1, -1):
        order = model[k]
        if not len(order.grams) or not len(text[k].keys):
            continue
        at = np.flatnonzero(open_[k:]) + k
        key = text[k].keys[at - k]
        index = np.minimum(np.searchsorted(order.grams, key), len(order.grams) - 1)
        found = order.grams[index] == key
        # A missing key lies beside a gram of its context, if the context occurs.
        index -= ~found & (order.grams[index] >> 8 != key >> 8) & (index > 0)
        known = order.grams[index] >> 8 == key >> 8
        at, index, found = at[known], index[known], found[known]
        n, d = order.n[index] - out_n[at], order.d[index] - out_d[at]
        escaped = ~found & (d > 0)  # if all symbols are ruled out, the escape is certain and free
        bits += _log2(2 * n[found]) - _log2(2 * order.counts[index[found]] - 1)
        bits += _log2(2 * n[escaped]) - _log2(d[escaped])
        out_n[at], out_d[at] = order.ruled_out[index], order.d[index]
        open_[at[found]] = False
    bits += open_.sum() * np.log2(_ALPHABET - model[0].d[0]) if open_.any() else 0.0
    return float(bits / n_bytes)


def _log2(values: Integers) -> float:
    return float(np.log2(values).sum())


@dataclass(kw_only=True, eq=False)
class Compression(base.TextPairVerifier):
    """Cross-entropy of each text under a model of the other.

    order   the longest context, in bytes
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
        couples = np.stack([left, right], axis=1).tolist()
        last_use = {text: row for row, couple in enumerate(couples) for text in couple}
        models: dict[int, list[_Order]] = {}  # kept while needed: far larger than the texts
        features = np.zeros((len(couples), 2))
        for row, (x, y) in enumerate(couples):
            for text in {x, y} - models.keys():
                models[text] = _model(texts.texts[text], self.order)
            forth = _cross_entropy(models[x], models[y])
            back = _cross_entropy(models[y], models[x])
            features[row] = (forth + back) / 2, abs(forth - back)
            for text in {x, y}:
                if last_use[text] == row:
                    del models[text]
        return features

    def _judge(self, features: Floats, identical: Booleans) -> Floats:
        features = np.where(identical[:, None], 0.0, features)
        return np.asarray(features @ self.slopes_ + self.intercept_)
