"""The sum of the views, against a slow loop."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from adhominem.instrument.evidence.calibration import Covariates
from adhominem.instrument.evidence.fusion import BEYOND, Fusion

RESULTS = Path(__file__).parents[3] / "results"

FUSION = Fusion(
    names=("one", "two"),
    weight=((1.0, 0.5, -0.2, 0.3, 0.6), (2.0, -3.0, 0.1, 0.0, -0.4)),
    middle=((0.3, 0.1, 0.0, 0.8, -0.3), (-1.0, 0.0, 0.2, -0.1, 0.5)),
    rest=(0.1, -0.2, 0.05, 0.4, 0.7),
    typical=(2.0, 0.0, 0.5),
    least=(1.3, 0.0, 0.1),
    most=(3.0, 1.0, 0.9),
)


def covariates(length: object, texts: object, likeness: object = 0.5) -> Covariates:
    return Covariates(length, texts, self_similarity=likeness)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("length", "texts", "likeness"),
    [
        (100, 1, 0.5),
        (25, 1, 0.7),
        (5, 3, -0.9),
        (900, 8, np.nan),
        (90, 12, 0.2),
        (1e6, 500, 1.0),
    ],
)
def test_terms_are_those_of_the_formula(length: float, texts: float, likeness: float) -> None:
    similarity = np.array([0.7, -0.4])
    by_length = np.clip(np.log10(length), 1.3, 3.0) - 2.0
    by_texts = np.log10(min(texts, 15))  # half as many again as in the data
    known = 0.5 if np.isnan(likeness) else likeness
    short = max(np.log10(100 / max(length, 10**1.3)), 0.0)
    amounts = (1.0, by_length, by_texts, min(max(known, 0.1), 0.9) - 0.5, short)
    own = covariates(length, texts, likeness)
    expected = []
    for value, weight, middle in zip(similarity, FUSION.weight, FUSION.middle, strict=True):
        slope = sum(a * b for a, b in zip(weight, amounts, strict=True))
        neutral = sum(a * b for a, b in zip(middle, amounts, strict=True))
        expected.append(max(slope, 0.0) * (value - neutral))
    assert FUSION.terms(similarity, own) == pytest.approx(expected)
    rest = sum(a * b for a, b in zip(FUSION.rest, amounts, strict=True))
    assert FUSION.remainder(own) == pytest.approx(rest)


def test_a_weight_is_never_negative() -> None:
    assert FUSION.weights(covariates(900, 1))[1] == 0.0
    rows = FUSION.terms(np.ones((3, 2)), covariates(np.array([20, 200, 2000]), np.ones(3)))
    assert rows.shape == (3, 2)
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
    assert other.remainder(own) == 0


def test_amounts_below_one_count_as_one() -> None:
    unbounded = replace(FUSION, least=(-9.0, -9.0, -9.0))
    assert unbounded.amounts(covariates(0, 0.5)).tolist() == [1.0, -2.0, 0.0, 0.0, 2.0]


def test_older_models_know_nothing_of_likeness_and_shortness() -> None:
    cut = {
        name: tuple(row[:3] for row in getattr(FUSION, name)) for name in ("weight", "middle")
    } | {name: getattr(FUSION, name)[:2] for name in ("typical", "least", "most")}
    older = replace(FUSION, rest=FUSION.rest[:3], **cut)
    similarity = np.array([0.7, -0.4])
    for likeness in (0.2, 0.5, np.nan):
        found = older.total(similarity, covariates(300, 2, likeness))
        assert found == pytest.approx(FUSION.total(similarity, covariates(300, 2, 0.5)))


def test_the_trend_with_texts_goes_on_half_as_far_as_development_authors_say() -> None:
    measured = json.loads((RESULTS / "many-texts.json").read_text())
    assert measured["chosen"] == BEYOND
    means = measured["mean cllr"]
    assert min(means.values()) == means[str(BEYOND)] < means["1.0"]
