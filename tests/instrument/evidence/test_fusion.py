"""The sum of the views, against a slow loop."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from adhominem.instrument.evidence.calibration import Covariates
from adhominem.instrument.evidence.fusion import BEYOND, Fusion, mix

RESULTS = Path(__file__).parents[3] / "results"

FUSION = Fusion(
    names=("one", "two"),
    weight=((1.0, 0.5, -0.2, 0.3, 0.2, 0.6), (2.0, -3.0, 0.1, 0.0, 0.5, -0.4)),
    middle=((0.3, 0.1, 0.0, 0.8, 0.4, -0.3), (-1.0, 0.0, 0.2, -0.1, 0.0, 0.5)),
    rest=(0.1, -0.2, 0.05, 0.4, -0.6, 0.7),
    typical=(2.0, 0.0, 0.5, 1.9),
    least=(1.3, 0.0, 0.1, 1.5),
    most=(3.0, 1.0, 0.9, 2.5),
)
FADING = replace(FUSION, fading=(0.01, 4.0, 1.5, 2.5))


def covariates(
    length: object, texts: object, likeness: object = 0.5, norm: object = 80, apart: object = 0.0
) -> Covariates:
    return Covariates(length, texts, norm, likeness, apart)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("length", "texts", "likeness", "norm"),
    [
        (100, 1, 0.5, 80),
        (25, 1, 0.7, 30),
        (5, 3, -0.9, 2),
        (900, 8, np.nan, 100),
        (90, 12, 0.2, 300),
        (1e6, 500, 1.0, 1e4),
    ],
)
def test_terms_are_those_of_the_formula(
    length: float, texts: float, likeness: float, norm: float
) -> None:
    similarity = np.array([0.7, -0.4])
    by_length = np.clip(np.log10(length), 1.3, 3.0) - 2.0
    by_texts = np.log10(min(texts, 20))  # twice as many as in the data
    known = 0.5 if np.isnan(likeness) else likeness
    short = max(np.log10(100 / max(length, 10**1.3)), 0.0)
    by_norm = min(max(np.log10(norm), 1.5), 2.5) - 1.9
    amounts = (1.0, by_length, by_texts, min(max(known, 0.1), 0.9) - 0.5, by_norm, short)
    own = covariates(length, texts, likeness, norm)
    expected = []
    for value, weight, middle in zip(similarity, FUSION.weight, FUSION.middle, strict=True):
        slope = sum(a * b for a, b in zip(weight, amounts, strict=True))
        neutral = sum(a * b for a, b in zip(middle, amounts, strict=True))
        expected.append(max(slope, 0.0) * (value - neutral))
    assert FUSION.terms(similarity, own) == pytest.approx([*expected, 0.0])
    rest = sum(a * b for a, b in zip(FUSION.rest, amounts, strict=True))
    assert FUSION.remainder(own) == pytest.approx(rest)


def test_a_weight_is_never_negative() -> None:
    assert FUSION.weights(covariates(900, 1))[1] == 0.0
    rows = FUSION.terms(np.ones((3, 2)), covariates(np.array([20, 200, 2000]), np.ones(3)))
    assert rows.shape == (3, 3)
    assert rows[2, 1] == 0.0


def test_parts_sum_to_the_whole() -> None:
    similarity = np.array([[0.7, -0.4], [0.1, 0.2]])
    one = FUSION.part(slice(1), with_rest=True)
    other = FUSION.part(slice(1, None), with_rest=False)
    assert (one.names, other.names) == (("one",), ("two",))
    own = covariates(50, 2, 0.7)
    parts = one.total(similarity[:, :1], own) + other.total(similarity[:, 1:], own)
    assert parts == pytest.approx(FUSION.total(similarity, own))
    alone = FUSION.terms(similarity, own)
    assert FUSION.total(similarity, own) == pytest.approx(
        alone[:, 0] + alone[:, 1] + FUSION.remainder(own)
    )
    assert alone[:, 2].tolist() == [0, 0]  # nobody says how far apart pairs usually are
    assert other.remainder(own) == 0


@pytest.mark.parametrize(
    ("apart", "share"),
    [(0.0, 1.0), (0.45, 1.0), (0.5, 2.5 - 0.5 / 0.3), (0.6, 0.5), (0.75, 0.0), (9.0, 0.0)],
)
def test_less_counts_the_further_the_profiles_are_apart(apart: float, share: float) -> None:
    """At 50 tokens profiles of one kind are 0.3 bits apart: the root of 0.01 + 4 / 50."""
    similarity, own = np.array([[0.7, -0.4], [0.1, 0.2]]), covariates(50, 2, apart=apart)
    assert FADING.term_names == ("one", "two", "different kinds")
    terms = FADING.terms(similarity, own)
    assert terms[:, :2] == pytest.approx(FUSION.terms(similarity, own)[:, :2])
    whole = FUSION.total(similarity, own)
    assert FADING.counting(own) == pytest.approx(share, abs=1e-9)
    assert terms[:, 2] == pytest.approx((share - 1) * whole)
    assert FADING.total(similarity, own) == pytest.approx(share * whole)
    assert FADING.weights(own) == pytest.approx(share * FUSION.weights(own))
    parts = FADING.part(slice(1), with_rest=True), FADING.part(slice(1, None), with_rest=False)
    sums = [part.total(similarity[:, [i]], own) for i, part in enumerate(parts)]
    assert sum(sums) == pytest.approx(share * whole)


def test_amounts_below_one_count_as_one() -> None:
    unbounded = replace(FUSION, least=(-9.0,) * 4)
    found = unbounded.amounts(covariates(0, 0.5, norm=0.1)).tolist()
    assert found == [1.0, -2.0, 0.0, 0.0, -1.9, 2.0]


@pytest.mark.parametrize("apart", [0.0, 0.6])
def test_a_mixture_counts_each_fusion_by_its_share(apart: float) -> None:
    """Two kinds whose sums differ in weights and remainder, and a sum for the rest, which fades."""
    kind = replace(FUSION, weight=FUSION.weight[::-1], rest=FUSION.rest[::-1])
    other = replace(FADING, middle=FADING.middle[::-1])
    shares = np.array([[0.5, 0.2], [0.0, 0.0], [0.9, 0.1]])
    similarity = np.array([[0.7, -0.4], [0.1, 0.2], [0.9, 0.8]])
    own = covariates(50, 2, apart=apart)
    mixture = mix([FUSION, kind], shares, other)
    assert mixture.names == FUSION.names
    for row, (first, second) in enumerate(shares):
        parts = [(first, FUSION), (second, kind), (1 - first - second, other)]
        values = similarity[row]
        expected = sum(share * fusion.total(values, own) for share, fusion in parts)
        assert mixture.total(similarity, own)[row] == pytest.approx(expected)
        alone = mix([FUSION, kind], shares[row], other)
        assert alone.total(values, own) == pytest.approx(expected)
        terms = sum(share * fusion.terms(values, own) for share, fusion in parts)
        assert alone.terms(values, own) == pytest.approx(terms)
        weights = sum(share * fusion.weights(own) for share, fusion in parts)
        assert alone.weights(own) == pytest.approx(weights)
        halves = alone.part(slice(1), with_rest=True), alone.part(slice(1, None), with_rest=False)
        sums = [half.total(values[[i]], own) for i, half in enumerate(halves)]
        assert sum(sums) == pytest.approx(expected)
    nobody = mix([FUSION, kind], np.zeros((3, 2)), other)
    assert nobody.total(similarity, own) == pytest.approx(other.total(similarity, own))


def test_the_trend_with_texts_goes_on_as_far_as_development_authors_say() -> None:
    measured = json.loads((RESULTS / "many-texts.json").read_text())
    assert measured["chosen"] == BEYOND
    means = measured["mean cllr"]
    assert min(means.values()) == means[str(BEYOND)] < means["1.0"]
