"""PPM against a plain-dict model that walks from context to context."""

from collections import Counter, defaultdict
from math import log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adhominem.errors import InputError
from adhominem.laboratory.verifiers import Texts
from adhominem.laboratory.verifiers.compression import Compression, _cross_entropy, _model
from adhominem.laboratory.verifiers.feature_difference import regress
from adhominem.records import Pair

Contexts = dict[bytes, Counter[int]]
TEXTS = st.text("ab c.é", max_size=60) | st.text(max_size=30)


def read(text: str) -> bytes:
    return " ".join(text.split()).encode("utf-8", "surrogatepass")


def contexts_of(data: bytes, order: int) -> Contexts:
    contexts: Contexts = defaultdict(Counter)
    for i, symbol in enumerate(data):
        for k in range(min(i, order) + 1):
            contexts[data[i - k : i]][symbol] += 1
    return dict(contexts)


def slow_bits(before: bytes, symbol: int, contexts: Contexts, order: int) -> float:
    bits = 0.0
    ruled_out: set[int] = set()
    for k in range(min(len(before), order), -1, -1):
        known = contexts.get(before[len(before) - k :])
        if known is None:
            continue
        left = {s: c for s, c in known.items() if s not in ruled_out}
        n, d = sum(left.values()), len(left)
        if symbol in left:
            return bits - log2((2 * left[symbol] - 1) / (2 * n))
        if d:
            bits -= log2(d / (2 * n))
        ruled_out |= set(known)
    return bits + log2(256 - len(ruled_out))


def slow_cross_entropy(x: str, y: str, order: int = 5) -> float:
    data, contexts = read(x), contexts_of(read(y), order)
    if not data or not contexts:
        return 0.0
    return sum(slow_bits(data[:i], s, contexts, order) for i, s in enumerate(data)) / len(data)


def fast_cross_entropy(x: str, y: str, order: int = 5) -> float:
    return _cross_entropy(_model(x, order), _model(y, order))


@settings(max_examples=150)
@given(x=TEXTS, y=TEXTS, order=st.integers(0, 6))
def test_cross_entropy_equals_the_plain_model(x: str, y: str, order: int) -> None:
    assert fast_cross_entropy(x, y, order) == pytest.approx(slow_cross_entropy(x, y, order))


def test_cross_entropy_of_real_texts(samples: tuple[str, str]) -> None:
    x, y = samples
    assert fast_cross_entropy(x, y) == pytest.approx(slow_cross_entropy(x, y))
    assert fast_cross_entropy(y, x) == pytest.approx(slow_cross_entropy(y, x))
    assert fast_cross_entropy(x, x) < fast_cross_entropy(x, y)


@pytest.mark.parametrize("before", ["", "z", "the ro", "the sta", "a hotel th"])
def test_what_may_follow_has_probabilities_that_sum_to_one(before: str) -> None:
    """The plain model is a code: so is the fast one, which equals it."""
    contexts = contexts_of(b"the room and the staff of the hotel and the tea", 5)
    every = [2 ** -slow_bits(before.encode(), symbol, contexts, 5) for symbol in range(256)]
    assert sum(every) == pytest.approx(1)


def test_features_are_mean_and_difference_of_both_directions() -> None:
    x, y = "the room was small. the room was good!", "we never stay in a small room; never"
    pairs = [Pair.of_texts(x, y), Pair.of_texts([x, y, y], x)]
    measured, _ = Compression()._measure_sides(Texts(pairs))
    forth, back = slow_cross_entropy(x, y), slow_cross_entropy(y, x)
    np.testing.assert_allclose(measured[0], [(forth + back) / 2, abs(forth - back)])
    share = 10 / 28  # tokens of x among those of x, y, y
    own = slow_cross_entropy(x, x)
    expected = [share * own + (1 - share) * (forth + back) / 2, (1 - share) * abs(forth - back)]
    assert Texts(pairs).side_tokens[:2].tolist() == [10, 28]
    np.testing.assert_allclose(measured[1], expected)


def test_logistic_regression_equals_that_of_scikit_learn_where_both_slopes_fall() -> None:
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(0)
    same = rng.random(400) < 0.5
    features = rng.normal(size=(400, 2)) * [0.3, 0.1] + np.where(same, 2.0, 2.2)[:, None]
    weights, intercept = regress(features, same, C=np.inf)
    slopes = -weights
    witness = LogisticRegression(C=1e9, tol=1e-8, max_iter=1000).fit(features, same)
    np.testing.assert_allclose(slopes, witness.coef_[0], rtol=2e-3)
    assert intercept == pytest.approx(witness.intercept_[0], rel=2e-3)
    risen, _ = regress(features * [1, -1], same, C=np.inf)
    assert risen[0] > 0
    assert risen[1] == 0


def test_the_same_texts_on_both_sides_cost_nothing(
    train_pairs: list[Pair], dev_pairs: list[Pair]
) -> None:
    verifier = Compression(order=3).fit(train_pairs, dev_pairs)
    one, other = dev_pairs[0].left[0].text, dev_pairs[1].right[0].text
    turned = verifier.compare([Pair.of_texts([one, other], [other, one])]).similarity
    assert turned[0] == verifier.intercept_
    assert (verifier.compare(dev_pairs).similarity < verifier.intercept_).all()


def test_an_order_that_does_not_fit_a_number_is_refused(
    train_pairs: list[Pair], dev_pairs: list[Pair]
) -> None:
    with pytest.raises(InputError, match="order is 7"):
        Compression(order=7).fit(train_pairs, dev_pairs)
