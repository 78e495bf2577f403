"""The decision rule over columns against the rule for one pair, written out."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adhominem.instrument.evidence.calibration import Calibration, Covariates, Trend
from adhominem.instrument.evidence.decision import decide
from adhominem.instrument.evidence.limits import REST, Limits
from adhominem.instrument.evidence.sides import Sides
from adhominem.records import Reading, Reason, Verdict

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
    for beyond in (3, -4):
        with pytest.raises(IndexError):
            decisions[beyond]
    assert decisions[-3] == decisions[0]


TEXTS = Sides.of([Reading(100, 0)] * 2)


def test_copies_are_noted_and_not_reliable() -> None:
    note = Reason("quoted-text", "quoted text was left out")
    decisions = decide([2.0, 2.0], (TEXTS, TEXTS), CALIBRATIONS)
    assert all(decision.reliable for decision in decisions)
    plain, copied = decisions.with_copies([False, True])
    assert (plain.reliable, copied.reliable) == (True, False)
    assert [note.code for note in copied.notes] == ["copied-text"] and not plain.notes
    assert copied.notes[0].message == "copied text: most of one side stands in the other"
    assert copied.verdict is Verdict.SAME
    noted = decide([2.0, 2.0], (TEXTS, TEXTS), CALIBRATIONS, notes=[(note,), (note,)])
    assert [n.code for n in noted.with_copies([True, False])[0].notes] == [
        "quoted-text",
        "copied-text",
    ]


def test_copies_of_which_nothing_is_left_are_the_reason() -> None:
    empty, text = Sides.of([Reading(0, 0)]), Sides.of([Reading(100, 0)])
    copied = [(Reason("copied-text", "texts that stand on both sides were left out"),)]
    for sides in ((empty, empty), (empty, text), (text, empty)):
        [decision] = decide([math.nan], sides, CALIBRATIONS, notes=copied)
        assert [reason.code for reason in decision.reasons] == ["copied-text"]
        [decision] = decide([math.nan], sides, CALIBRATIONS)
        assert {reason.code for reason in decision.reasons} == {"too-short"}
        named = [reason.message.split()[0] for reason in decision.reasons]
        assert named == [
            n for n, side in zip(("left", "right"), sides, strict=True) if side is empty
        ]
    [decision] = decide([math.nan], (text, text), CALIBRATIONS, notes=copied)
    assert [reason.code for reason in decision.reasons] == ["nothing-to-compare"]


def test_terms_are_scaled_to_the_ratio_before_its_bounds() -> None:
    limits = Limits(term_names=("network", "characters"))
    terms = np.array([[0.5, -0.2], [3.0, 1.0]])
    decisions = decide([0.4, 4.5], (TEXTS, TEXTS), CALIBRATIONS, limits, terms=terms)
    calibration = CALIBRATIONS[None]
    covariates = Covariates(100, 1, 1)
    slope = float(calibration.line(1.0, covariates) - calibration.line(0.0, covariates))
    for decision, own, similarity in zip(decisions, terms, (0.4, 4.5), strict=True):
        assert [term.name for term in decision.terms] == ["network", "characters", REST]
        values = [term.llr for term in decision.terms]
        assert values[:2] == pytest.approx([slope * each for each in own])
        assert sum(values) == pytest.approx(float(calibration.line(similarity, covariates)))
    short = Sides.of([Reading(3, 0)] * 2)
    assert not decide([0.4, 4.5], (short, TEXTS), CALIBRATIONS, limits, terms=terms)[0].terms


def test_distances_of_features_are_told_where_the_similarity_is_something_else() -> None:
    distance = np.array([0.25, math.nan])
    decisions = decide([1.0, math.nan], (TEXTS, TEXTS), CALIBRATIONS, distance=distance)
    assert [decision.distance for decision in decisions] == [0.25, None]
    assert decisions[0].tau_s is None  # these are no limits of that distance


def test_the_distances_of_reliable_answers_are_those_of_the_calibration() -> None:
    limits = Limits(has_distance=True)
    [near] = decide([-0.1], (Sides.of([Reading(100, 0)]),) * 2, CALIBRATIONS, limits)
    assert near.tau_s is not None and near.tau_d is not None and near.tau_s < near.tau_d
    for tau, is_reliable in ((near.tau_s, True), (near.tau_d, True)):
        beyond = 1e-9 if tau == near.tau_d else -1e-9
        x = [-(tau + beyond), -(tau - beyond)]
        decisions = decide(x, (TEXTS, TEXTS), CALIBRATIONS, limits)
        assert decisions.reliable.tolist() == [is_reliable, not is_reliable]
    hotels = Sides.of([Reading(100, 0, genre="hotels")])
    [decision] = decide([-0.1], (hotels, hotels), CALIBRATIONS, limits)
    assert decision.tau_s is None and decision.tau_d == pytest.approx(2.0)  # -1 = 3 - 2 * 2


def test_evidence_at_the_least_that_counts_decides() -> None:
    calibrations = {None: Calibration(1.0, 0.0, -2.0, 2.0)}
    x = [0.05, 0.049, -0.05, -0.049]
    sides = Sides.of([Reading(100, 0)] * 4)
    decisions = decide(x, (sides, sides), calibrations, Limits(min_llr=0.05))
    assert decisions.decided.tolist() == [True, False, True, False]
    assert decisions.judged.all() and decisions.llr[1] == 0
    assert decisions[0].bounds == (-2.0, 2.0)
