"""The sum of the views, against a slow loop."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from adhominem.instrument.evidence.fusion import BEYOND, Fusion

RESULTS = Path(__file__).parents[3] / "results"

FUSION = Fusion(
    names=("one", "two"),
    weight=((1.0, 0.5, -0.2), (2.0, -3.0, 0.1)),
    middle=((0.3, 0.1, 0.0), (-1.0, 0.0, 0.2)),
    rest=(0.1, -0.2, 0.05),
    typical=(2.0, 0.0),
    least=(1.3, 0.0),
    most=(3.0, 1.0),
)


@pytest.mark.parametrize(
    ("length", "texts"), [(100, 1), (25, 1), (5, 3), (900, 8), (90, 12), (1e6, 500)]
)
def test_terms_are_those_of_the_formula(length: float, texts: float) -> None:
    similarity = np.array([0.7, -0.4])
    by_length = np.clip(np.log10(length), 1.3, 3.0) - 2.0
    by_texts = np.log10(min(texts, 15))  # half as many again as in the data
    expected = []
    for value, weight, middle in zip(similarity, FUSION.weight, FUSION.middle, strict=True):
        slope = weight[0] + weight[1] * by_length + weight[2] * by_texts
        neutral = middle[0] + middle[1] * by_length + middle[2] * by_texts
        expected.append(max(slope, 0.0) * (value - neutral))
    assert FUSION.terms(similarity, length, texts) == pytest.approx(expected)
    rest = 0.1 - 0.2 * by_length + 0.05 * by_texts
    assert FUSION.remainder(length, texts) == pytest.approx(rest)


def test_a_weight_is_never_negative() -> None:
    assert FUSION.weights(900, 1)[1] == 0.0
    rows = FUSION.terms(np.ones((3, 2)), np.array([20, 200, 2000]), np.ones(3))
    assert rows.shape == (3, 2)
    assert rows[2, 1] == 0.0


def test_parts_sum_to_the_whole() -> None:
    similarity = np.array([[0.7, -0.4], [0.1, 0.2]])
    one = FUSION.part(slice(1), with_rest=True)
    other = FUSION.part(slice(1, None), with_rest=False)
    assert (one.names, other.names) == (("one",), ("two",))
    parts = one.total(similarity[:, :1], 50, 2) + other.total(similarity[:, 1:], 50, 2)
    assert parts == pytest.approx(FUSION.total(similarity, 50, 2))
    alone = FUSION.terms(similarity, 50, 2)
    assert FUSION.total(similarity, 50, 2) == pytest.approx(
        alone[:, 0] + alone[:, 1] + FUSION.remainder(50, 2)
    )
    assert other.remainder(50, 2) == 0


def test_amounts_below_one_count_as_one() -> None:
    unbounded = replace(FUSION, least=(-9.0, -9.0))
    assert unbounded.decades(0, 0.5).tolist() == [1.0, -2.0, 0.0]


def test_the_trend_with_texts_goes_on_half_as_far_as_development_authors_say() -> None:
    measured = json.loads((RESULTS / "many-texts.json").read_text())
    assert measured["chosen"] == BEYOND
    means = measured["mean cllr"]
    assert min(means.values()) == means[str(BEYOND)] < means["1.0"]
