"""Kneser-Ney models, against plain dictionaries and published properties."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adhominem.instrument.text.tokenise import tokenise
from adhominem.instrument.text.tokenised import offsets
from adhominem.instrument.views.ngrams import MaskedTokens
from adhominem.laboratory.verifiers.kneser_ney import Sentences, log_likelihoods

V = 4  # masked tokens 1 to 4; 5 ends a sentence, 0 starts one
END = V + 1
Text = list[list[int]]
TEXTS = st.lists(st.lists(st.integers(1, V), max_size=6), min_size=1, max_size=5)
ORDERS = st.integers(1, 5)
DISCOUNTS = st.sampled_from([0.1, 0.5, 0.75, 0.9])


def sentences(text: Text) -> Sentences:
    closed = [[*sentence, END] for sentence in text]
    symbols = np.array([symbol for sentence in closed for symbol in sentence], dtype=np.int64)
    return Sentences(symbols, offsets([len(sentence) for sentence in closed]))


def fast(questioned: Text, known: list[Text], order: int, discount: float = 0.75) -> list[float]:
    found = log_likelihoods(
        sentences(questioned),
        [sentences(text) for text in known],
        order=order,
        discount=discount,
        n_symbols=V + 2,
    )
    return [float(value) for value in found]


class SlowModel:
    """All n-grams of all lengths in dictionaries, and the recursion as it is written down."""

    def __init__(self, text: Text, order: int, discount: float = 0.75) -> None:
        self.order, self.discount = order, discount
        self.counts: dict[int, Counter[tuple[int, ...]]] = {}
        whole = [
            tuple(padded[i - order + 1 : i + 1])
            for sentence in text
            for padded in [[0] * (order - 1) + [*sentence, END]]
            for i in range(order - 1, len(padded))
        ]
        self.counts[order] = Counter(whole)
        for n in range(order - 1, 0, -1):
            longer = {gram[-n - 1 :] for gram in whole}
            self.counts[n] = Counter(gram[1:] for gram in longer)

    def probability(self, symbol: int, context: tuple[int, ...]) -> float:
        shorter = self.probability(symbol, context[1:]) if context else 1 / (V + 2)
        grams = self.counts[len(context) + 1]
        following = {gram[-1]: n for gram, n in grams.items() if gram[:-1] == context}
        total = sum(following.values())
        if not total:
            return shorter
        own = max(following.get(symbol, 0) - self.discount, 0)
        return (own + self.discount * len(following) * shorter) / total

    def log_likelihood(self, text: Text) -> float:
        result = 0.0
        for sentence in text:
            padded = [0] * (self.order - 1) + [*sentence, END]
            for i in range(self.order - 1, len(padded)):
                context = tuple(padded[i - self.order + 1 : i])
                result += math.log10(self.probability(padded[i], context))
        return result


@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=4), ORDERS, DISCOUNTS)
def test_equals_plain_dictionaries(
    questioned: Text, known: list[Text], order: int, discount: float
) -> None:
    expected = [SlowModel(text, order, discount).log_likelihood(questioned) for text in known]
    assert fast(questioned, known, order, discount) == pytest.approx(expected, abs=1e-9)


@given(TEXTS, st.lists(st.integers(1, V), max_size=4), ORDERS, DISCOUNTS)
def test_probabilities_sum_to_one(
    known: Text, before: list[int], order: int, discount: float
) -> None:
    """Chen & Goodman (1999): an interpolated model is a distribution after every context. The
    unknown symbol, which no text has, gets what is left."""
    model = SlowModel(known, order, discount)
    context = tuple(([0] * order + before)[len(before) + 1 :])
    total = sum(model.probability(symbol, context) for symbol in (*range(1, END + 1), V + 2))
    assert total == pytest.approx(1)


@given(TEXTS, TEXTS, ORDERS)
def test_likelihoods_do_not_depend_on_the_other_models_or_the_order_of_sentences(
    questioned: Text, known: Text, order: int
) -> None:
    alone = fast(questioned, [known], order)[0]
    among = fast(questioned[::-1], [questioned, known[::-1], [[1, 1]]], order)[1]
    assert among == pytest.approx(alone, abs=1e-9)


@given(TEXTS, TEXTS, ORDERS)
def test_likelihoods_of_sentences_add_up(one: Text, other: Text, order: int) -> None:
    known = [[1, 2, 3, 1, 2], [2, 4]]
    apart = fast(one, [known], order)[0] + fast(other, [known], order)[0]
    assert fast(one + other, [known], order)[0] == pytest.approx(apart, abs=1e-9)


def test_a_value_by_hand() -> None:
    """Two sentences "1 2" and "1 3", order 2: after 1 the symbols 2 and 3 follow once each. Of the
    five kinds of bigrams two end with the end symbol and one with each of 1, 2 and 3."""
    lowest = 0.75 * 4 / 5 / (V + 2)
    expected = [
        (2 - 0.75) / 2 + 0.75 * 1 / 2 * ((1 - 0.75) / 5 + lowest),  # 1 after the start
        (1 - 0.75) / 2 + 0.75 * 2 / 2 * ((1 - 0.75) / 5 + lowest),  # 2 after 1
        (1 - 0.75) / 1 + 0.75 * 1 / 1 * ((2 - 0.75) / 5 + lowest),  # the end after 2
    ]
    found = fast([[1, 2]], [[[1, 2], [1, 3]]], 2)[0]
    assert found == pytest.approx(math.log10(math.prod(expected)))


def test_sentences_of_texts_are_masked_and_closed() -> None:
    masked = MaskedTokens(("the", "."), ())
    read = Sentences.read(tokenise(["The dog. The cat.", "", "the the"]), masked)
    the, stop, noun = (masked.numbers(tokenise([word])).tolist()[0] for word in ("the", ".", "dog"))
    end = masked.n_numbers + 1
    assert read.symbols.tolist() == [the, noun, stop, end, the, noun, stop, end, the, the, end]
    assert read.edges.tolist() == [0, 4, 8, 11]
    assert read.before(2).tolist() == [0, 0, the, noun, 0, 0, the, noun, 0, 0, the]
    assert read.take(np.array([2])).symbols.tolist() == [the, the, end]
