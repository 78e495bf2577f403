"""Kendall's tau between readers, by counting pairs one by one."""

from itertools import combinations
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adhominem.laboratory.evaluation.analysis import (
    compare_attention,
    measure_stability,
    pad,
    summarise,
)
from adhominem.laboratory.evaluation.text_samples import TextSample


def slow_tau(one: list[float], other: list[float]) -> float:
    """tau-b: pairs in the same order less pairs in the other one, over those that are not tied."""
    agree = free_one = free_other = 0
    for (a, b), (c, d) in combinations(zip(one, other, strict=True), 2):
        agree += int(np.sign(a - c) * np.sign(b - d))
        free_one += a != c
        free_other += b != d
    return float(agree / np.sqrt(free_one * free_other))


def test_tau_by_counting_pairs(looking: ModuleType) -> None:
    texts = looking.some_texts(8, seed=1, n_sentences=9)
    one = looking.Looking(noise=1).attention(texts)
    other = looking.Looking(noise=2, of_line=lambda i, _: 1 + i % 3).attention(texts)
    found = compare_attention(one, other)
    told = 0
    for number in range(len(texts)):
        first, last = one.documents[number], one.documents[number + 1]
        tau, p = found["words"][number]
        if last - first < 10:
            assert np.isnan(tau)
            continue
        told += 1
        weights = one.weights[first:last].tolist(), other.weights[first:last].tolist()
        assert tau == pytest.approx(slow_tau(*weights))
        assert 0 <= p <= 1
    assert told > 3


def test_tau_of_sentences_by_counting_pairs(looking: ModuleType) -> None:
    text = "One is here. Two is there. Three is far. Four is near. Five is gone. Six is last."
    orders = [[3, 1, 2, 6, 5, 4], [2, 1, 3, 4, 6, 5]]
    one, other = (
        looking.Looking(of_line=lambda i, _, order=order: float(order[i])).attention([text])
        for order in orders
    )
    [[tau, p]] = compare_attention(one, other)["sentences"]
    assert tau == pytest.approx(slow_tau(*orders))
    assert p > 0.05  # six sentences do not prove much


@given(st.integers(10, 60), st.integers(0, 1000))
def test_empty_places_by_counting_them(n: int, seed: int) -> None:
    from scipy.stats import kendalltau

    rng = np.random.default_rng(seed)
    one, other = rng.permutation(n) + 1.0, rng.permutation(n) + 1.0
    grid = [np.concatenate([weights, np.zeros(800 - n)]) for weights in (one, other)]
    plain = np.array([kendalltau(one, other)])
    [[padded, _]] = pad(plain, np.array([n]))
    assert padded == pytest.approx(kendalltau(*grid).statistic)


def test_equal_readers_agree_and_noise_does_not(looking: ModuleType) -> None:
    texts = tuple(looking.some_texts(300, seed=3, n_sentences=9))
    drawn = TextSample(texts, ("",) * len(texts), {"name": "made"})
    reader = looking.Looking(noise=1)
    others = [reader, looking.Looking(noise=5)]
    same, far, blank = measure_stability(reader, others, drawn, seed=7)
    assert same["words"]["mean"] == pytest.approx(1)
    assert same["words"]["deviation"] == pytest.approx(0, abs=1e-9)
    assert same["words"]["histogram"][-1] == same["words"]["texts"]
    assert same["words"]["below_05"] == 1
    for part in (far, blank):
        assert part["words"]["mean"] < 0.5
        assert sum(part["words"]["histogram"]) == part["words"]["texts"]


def test_nothing_to_compare() -> None:
    assert summarise(np.full((3, 2), np.nan)) == {"texts": 0}
