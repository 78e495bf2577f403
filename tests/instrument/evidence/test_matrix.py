"""Tables of evidence say what single decisions say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy_verifiers import ToyVerifier

from adhominem.instrument.evidence.calibration import Calibration, Trend
from adhominem.instrument.evidence.matrix import (
    EvidenceMatrix,
    Progress,
    distances,
    matrix_of_features,
    quiet,
)
from adhominem.instrument.verifier import Comparisons
from adhominem.records import Document, Pair, Reading, Verdict

BY_LENGTH = Trend(slope=0.4, intercept=0.9, least=1.5, typical=2.3, most=3.0)
BY_STRETCHES = Trend(slope=-0.1, intercept=-0.5, least=0.0, typical=0.0, most=0.6)
BY_NORM = Trend(slope=0.0, intercept=1.7, least=0.3, typical=0.6, most=0.8)


class Placed(ToyVerifier):
    """A text is the place of its features on a line and the number of its reading."""

    kind = "placed"
    has_distance = True
    calibration_ = Calibration(1.5, 2.0, -2.6, 2.4, 1.8, -1.3, BY_LENGTH, BY_STRETCHES, BY_NORM)
    calibrations_ = {"hotels": Calibration(2.0, 3.0, -2.0, 2.0, None, -1.0, BY_LENGTH)}  # noqa: RUF012

    def __init__(self, features: Any = (), readings: Sequence[Reading] = ()) -> None:
        self.features, self.readings = features, readings

    def compare(self, pairs: Sequence[Pair]) -> Comparisons:
        left = [int(pair.left[0].text) for pair in pairs]
        right = [int(pair.right[0].text) for pair in pairs]
        apart = [self.features[i] - self.features[j] for i, j in zip(left, right, strict=True)]
        return Comparisons(
            -np.array([np.linalg.norm(row) for row in apart]),
            tuple(self.readings[i] for i in left),
            tuple(self.readings[j] for j in right),
        )


def by_features(
    verifier: Placed, readings: Sequence[Reading], progress: Progress = quiet
) -> EvidenceMatrix:
    return matrix_of_features(
        verifier.features,
        readings,
        verifier.calibrations(),
        verifier.limits(),
        lambda one, other, _, __: (-distances(one, other), None),
        np.zeros((len(readings), len(readings)), dtype=bool),
        progress,
    )


def reading(rng: np.random.Generator) -> Reading:
    tokens = int(10 ** rng.uniform(1, 4))
    return Reading(
        tokens,
        unknown=int(tokens * rng.uniform(0, 0.6)),
        english=float(rng.uniform(0.1, 0.6)),
        genre=rng.choice([None, "hotels", "blogs"]),
        out_of_domain=bool(rng.random() < 0.1),
        stretches=int(rng.integers(1, 5)),
        norm=float(rng.uniform(1, 9)),
    )


@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(2, 12),
    thresholds=st.booleans(),
    genre=st.sampled_from([None, "hotels"]),
)
def test_both_ways_say_what_decide_says(
    seed: int, n: int, thresholds: bool, genre: str | None
) -> None:
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(n, 3))
    features[rng.random(n) < 0.1] = np.nan
    verifier = Placed(features, [reading(rng) for _ in range(n)])
    if thresholds:
        verifier.tau_s, verifier.tau_d = 1.0, 3.0
    told: list[tuple[int, int]] = []
    sides = [(Document(str(i)),) for i in range(n)]
    readings = [r if genre is None else replace(r, genre=genre) for r in verifier.readings]
    by_pairs = verifier.matrix(sides, lambda *counts: told.append(counts), genre=genre)
    by_rows = by_features(verifier, readings)
    assert told[-1] == (n * (n - 1) // 2,) * 2
    for matrix in (by_pairs, by_rows):
        assert matrix.readings == tuple(readings)
        assert np.isnan(np.diag(matrix.llr)).all()
        assert not np.diag(matrix.reliable).any()
        for i in range(n):
            for j in range(n):
                if i == j:
                    continue
                decision = verifier.decide([Pair(sides[i], sides[j], genre=genre)])[0]
                assert matrix.llr[i, j] == pytest.approx(decision.llr, abs=1e-12)
                assert matrix.reliable[i, j] == decision.reliable
                assert matrix.verdict(i, j) is decision.verdict
                if matrix.doubts[i]:
                    assert matrix.doubts[i][0].code in {reason.code for reason in decision.reasons}


def test_a_large_table_is_filled_tile_by_tile() -> None:
    n = 110
    rng = np.random.default_rng(1)
    features = rng.normal(size=(n, 3))
    verifier = Placed(features, [Reading(100, 0)] * n)
    by_pairs = verifier.matrix([(Document(str(i)),) for i in range(n)])
    by_rows = by_features(verifier, verifier.readings)
    np.testing.assert_allclose(by_pairs.llr, by_rows.llr, atol=1e-12)
    np.testing.assert_array_equal(by_pairs.llr, by_pairs.llr.T)
    np.testing.assert_array_equal(by_pairs.decided, by_rows.decided)
    assert {by_rows.verdict(0, j) for j in range(1, n)} >= {Verdict.SAME, Verdict.DIFFERENT}


def test_progress_is_told_from_the_beginning_to_the_end() -> None:
    n = 110
    verifier = Placed(np.zeros((n, 2)), [Reading(100, 0)] * n)
    told: list[tuple[int, int]] = []
    by_features(verifier, verifier.readings, lambda *counts: told.append(counts))
    done = [counts[0] for counts in told]
    assert {counts[1] for counts in told} == {n}
    assert (done[0], done[-1]) == (0, n)
    assert all(0 < after - before <= 50 for before, after in pairwise(done))


def test_nothing_is_said_of_a_side_and_itself() -> None:
    """At distance 0 anything else would be reliable."""
    verifier = Placed(np.zeros((3, 2)), [Reading(100, 0)] * 3)
    verifier.tau_s, verifier.tau_d = 1.0, 3.0
    matrix = by_features(verifier, verifier.readings)
    assert matrix.reliable.tolist() == (~np.eye(3, dtype=bool)).tolist()
    assert matrix.decided.tolist() == (~np.eye(3, dtype=bool)).tolist()


def test_progress_can_stop_the_work() -> None:
    def stop(done: int, total: int) -> None:
        assert done <= total
        raise InterruptedError

    verifier = Placed(np.zeros((3, 2)), [Reading(100, 0)] * 3)
    with pytest.raises(InterruptedError):
        verifier.matrix([(Document(str(i)),) for i in range(3)], stop)
    with pytest.raises(InterruptedError):
        by_features(verifier, verifier.readings, stop)
