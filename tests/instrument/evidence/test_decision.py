"""The decision rule over columns against the rule for one pair, written out."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adhominem.instrument.evidence.calibration import Calibration, Covariates, Trend
from adhominem.instrument.evidence.decision import decide
from adhominem.instrument.evidence.limits import Limits
from adhominem.instrument.evidence.sides import Sides
from adhominem.records import Reading, Verdict

BY_LENGTH = Trend(slope=-0.4, intercept=0.9, least=1.2, typical=2.0, most=3.1)
CALIBRATIONS = {
    None: Calibration(1.5, 2.0, -2.6, 2.4, 1.8, -1.3, BY_LENGTH),
    "hotels": Calibration(2.0, 3.0, -2.0, 2.0, None, -1.0),
    "blogs": Calibration(1.0, 1.0, -1.0, 1.5),
}
readings = st.builds(
    Reading,
    tokens=st.integers(0, 60),
    unknown=st.integers(0, 30),
    english=st.none() | st.floats(0, 1),
    genre=st.sampled_from([None, "hotels", "blogs", "mail"]),
    out_of_domain=st.booleans(),
    stretches=st.integers(1, 4),
    norm=st.floats(1, 9),
)
similarities = st.floats(-4, 1) | st.just(math.nan)


def doubt(reading: Reading, limits: Limits) -> str | None:
    if reading.tokens < limits.min_tokens:
        return "too-short"
    lowest, highest = limits.min_english, limits.max_english
    if reading.english is not None and not lowest <= reading.english <= highest:
        return "not-english"
    if reading.unknown / reading.tokens > limits.max_unknown:
        return "unknown-words"
    return "out-of-domain" if reading.out_of_domain else None


def mean(one: float, other: float) -> float:
    return 2 / (1 / max(one, 1) + 1 / max(other, 1))


@settings(deadline=None)
@given(
    pairs=st.lists(st.tuples(similarities, readings, readings), min_size=1, max_size=8),
    thresholds=st.booleans(),
    has_distance=st.booleans(),
)
def test_columns_say_what_the_rule_for_one_pair_says(
    pairs: list[tuple[float, Reading, Reading]], thresholds: bool, has_distance: bool
) -> None:
    taus = {"tau_s": 1.0, "tau_d": 3.0} if thresholds else {}
    limits = Limits(has_distance=has_distance, **taus)
    x, left, right = zip(*pairs, strict=True)
    decisions = decide(np.array(x), (Sides.of(left), Sides.of(right)), CALIBRATIONS, limits)
    assert len(decisions) == len(pairs)
    for decision, (similarity, one, other) in zip(decisions, pairs, strict=True):
        genre = one.genre if one.genre == other.genre else None
        calibration = CALIBRATIONS.get(genre, CALIBRATIONS[None])
        covariates = Covariates(
            mean(one.tokens, other.tokens),
            mean(one.stretches, other.stretches),
            mean(one.norm, other.norm),
        )
        line = float(calibration.line(similarity, covariates))
        codes = [d for d in (doubt(one, limits), doubt(other, limits)) if d]
        llr = min(max(line, calibration.lowest), calibration.highest)
        if not codes and math.isnan(similarity):
            codes = ["nothing-to-compare"]
        if not codes and abs(llr) < limits.min_llr:
            codes = ["weak-evidence"]
        assert [reason.code for reason in decision.reasons] == codes
        assert (decision.left, decision.right) == (one, other)
        if has_distance and codes in ([], ["weak-evidence"]):
            assert decision.distance == -similarity
        else:
            assert decision.distance is None
        if codes:
            assert (decision.verdict, decision.llr, decision.score) == (Verdict.UNDECIDED, 0, 0.5)
            assert not decision.reliable
            continue
        assert decision.llr == pytest.approx(llr, abs=1e-12)
        assert decision.score == pytest.approx(1 / (1 + 10**-llr), abs=1e-12)
        assert decision.verdict is (Verdict.SAME if llr > 0 else Verdict.DIFFERENT)
        if thresholds and has_distance:
            reliable = -similarity <= 1 or -similarity >= 3
        else:
            same, different = calibration.sure_same, calibration.sure_different
            reliable = (same is not None and line >= same) or (
                different is not None and line <= different
            )
        assert decision.reliable == reliable


def test_one_side_against_many() -> None:
    one, others = Reading(100, 0, genre="hotels"), [Reading(40, 0), Reading(90, 3, genre="hotels")]
    rows = decide([-1.0, -2.0], (Sides.of([one]), Sides.of(others)), CALIBRATIONS)
    for i, other in enumerate(others):
        [alone] = decide([-1.0 - i], (Sides.of([one]), Sides.of([other])), CALIBRATIONS)
        assert rows[i] == alone


def test_sides_are_their_readings() -> None:
    rows = [Reading(5, 1), Reading(9, 2, 0.4, "hotels", True, 3, 2.5), Reading(7, 0, 0.1, "blogs")]
    sides = Sides.of(rows)
    assert [sides[i] for i in range(len(sides))] == rows
    assert [sides.select(slice(1, 3))[i] for i in range(2)] == rows[1:]


def test_decisions_are_a_sequence() -> None:
    sides = Sides.of([Reading(50, 0)] * 3)
    decisions = decide([0.0, -1.0, -2.0], (sides, sides), CALIBRATIONS)
    assert decisions[-1] == decisions[2] and list(decisions[1:]) == [decisions[1], decisions[2]]
    with pytest.raises(IndexError):
        decisions[3]
