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
    by_texts = np.log10(min(texts, 15))  # half as many again as in the data
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


def test_models_before_norms_have_the_shortness_of_a_side() -> None:
    cut = {
        name: tuple((*row[:4], row[5]) for row in getattr(FUSION, name))
        for name in ("weight", "middle")
    } | {name: getattr(FUSION, name)[:3] for name in ("typical", "least", "most")}
    older = replace(FUSION, rest=(*FUSION.rest[:4], FUSION.rest[5]), **cut)
    assert older.term_names == ("one", "two")
    similarity = np.array([0.7, -0.4])
    for norm in (2, 1e3):
        found = older.total(similarity, covariates(30, 2, norm=norm))
        typical = covariates(30, 2, norm=10**1.9)
        assert found == pytest.approx(FUSION.total(similarity, typical))


def test_older_models_know_nothing_of_likeness_and_shortness() -> None:
    cut = {
        name: tuple(row[:3] for row in getattr(FUSION, name)) for name in ("weight", "middle")
    } | {name: getattr(FUSION, name)[:2] for name in ("typical", "least", "most")}
    older = replace(FUSION, rest=FUSION.rest[:3], **cut)
    similarity = np.array([0.7, -0.4])
    for likeness in (0.2, 0.5, np.nan):
        found = older.total(similarity, covariates(300, 2, likeness))
        expected = FUSION.total(similarity, covariates(300, 2, norm=10**1.9))
        assert found == pytest.approx(expected)


def test_the_trend_with_texts_goes_on_half_as_far_as_development_authors_say() -> None:
    measured = json.loads((RESULTS / "many-texts.json").read_text())
    assert measured["chosen"] == BEYOND
    means = measured["mean cllr"]
    assert min(means.values()) == means[str(BEYOND)] < means["1.0"]
