"""The line for unknown kinds: against the same done slowly, and what it must never do."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lir.algorithms.bayeserror import elub

from adhominem.instrument.evidence.calibration import Covariates
from adhominem.laboratory.calibration.by_genre import calibrate_unknown_genre
from adhominem.laboratory.calibration.fit import LabelledPairs
from adhominem.laboratory.evaluation.measures import cllr


def kind(shift: float, n: int = 1200, *, apart: float = 1.0, seed: int = 1) -> LabelledPairs:
    """Longer texts are more alike, whoever wrote them."""
    rng = np.random.default_rng(seed)
    same = np.arange(n) % 2 == 0
    length = 10 ** rng.uniform(2, 3, n)
    similarity = rng.normal(shift + np.where(same, apart, -apart), 1) + np.log10(length)
    return LabelledPairs(similarity, same, Covariates(length, np.ones(n), np.ones(n)))


def test_kinds_that_agree_are_believed() -> None:
    kinds = {name: kind(0, seed=seed) for seed, name in enumerate("abc")}
    line = calibrate_unknown_genre(kinds)
    # log10 LR of two normals a distance of 2 apart: slope 2 / ln 10
    assert line.slope == pytest.approx(2 / np.log(10), rel=0.1)
    assert line.by_length is not None and line.by_length.slope == 0
    assert line.by_length.intercept == pytest.approx(-line.slope, rel=0.15)
    new = kind(0, seed=9)
    llr = line.llr(new.similarity, new.covariates)
    assert cllr(llr, new.same) < 0.6


def test_kinds_that_disagree_make_it_cautious() -> None:
    agreeing = calibrate_unknown_genre({n: kind(0, seed=s) for s, n in enumerate("abc")})
    apart = {"a": kind(-1.5, seed=1), "b": kind(0, seed=2), "c": kind(1.5, seed=3)}
    cautious = calibrate_unknown_genre(apart)
    assert cautious.slope < 0.7 * agreeing.slope
    assert cautious.highest < agreeing.highest
    assert cautious.lowest > agreeing.lowest
    for shift in (-1.5, 1.5):
        new = kind(shift, seed=9)
        assert cllr(cautious.llr(new.similarity, new.covariates), new.same) < cllr(
            agreeing.llr(new.similarity, new.covariates), new.same
        )


def test_kinds_of_which_one_has_plain_styles_only() -> None:
    """Two plain texts are alike whoever wrote them. Where the norm says how plain they are, a kind
    of plain texts is judged as well as the others."""

    def marked(plain: float, seed: int) -> LabelledPairs:
        rng = np.random.default_rng(seed)
        same = np.arange(3000) % 2 == 0
        norm = 10 ** rng.uniform(0.4 - plain, 1.0 - plain, len(same))
        similarity = rng.normal(np.where(same, 1.0, -1.0), 1) - 3 * np.log10(norm)
        return LabelledPairs(
            similarity, same, Covariates(np.full(3000, 200.0), np.ones(3000), norm)
        )

    known = {name: marked(0.1 * seed, seed) for seed, name in enumerate("abc")}
    new = marked(0.4, seed=9)
    by_norm = calibrate_unknown_genre(known)
    assert by_norm.by_norm is not None and by_norm.by_norm.slope == 0
    assert by_norm.by_norm.intercept == pytest.approx(3 * by_norm.slope, rel=0.1)
    blind = calibrate_unknown_genre(
        {
            n: LabelledPairs(k.similarity, k.same, k.covariates._replace(norm=np.ones(3000)))
            for n, k in known.items()
        }
    )
    assert cllr(by_norm.llr(new.similarity, new.covariates), new.same) < 0.6
    assert cllr(blind.llr(new.similarity, new.covariates), new.same) > 0.7


def test_bounds_are_those_of_the_kind_that_supports_least() -> None:
    """One kind in which a few pairs are labelled wrongly supports no strong ratio either way."""
    doubtful = kind(0, seed=3)
    wrong = np.random.default_rng(3).random(1200) < 0.05
    doubtful = LabelledPairs(doubtful.similarity, doubtful.same ^ wrong, doubtful.covariates)
    clear = {name: kind(0, seed=seed) for seed, name in enumerate("ab")}
    line = calibrate_unknown_genre({**clear, "c": doubtful})
    bounds = [
        elub(line.line(each.similarity, each.covariates), each.same.astype(int))
        for each in (*clear.values(), doubtful)
    ]
    lowest, highest = bounds[-1]
    assert line.lowest == pytest.approx(lowest, abs=0.15)
    assert line.highest == pytest.approx(highest, abs=0.15)
    assert all(low < lowest - 0.3 and high > highest + 0.3 for low, high in bounds[:-1])


def test_every_kind_weighs_the_same() -> None:
    few = {"a": kind(0, seed=1), "b": kind(1, seed=2), "c": kind(2, seed=3)}
    many = {**few, "c": kind(2, 6 * 1200, seed=3)}
    one, other = calibrate_unknown_genre(few), calibrate_unknown_genre(many)
    assert one.neutral == pytest.approx(other.neutral, abs=0.15)


@given(st.lists(st.floats(-2, 2), min_size=3, max_size=4), st.integers(0, 5))
@settings(max_examples=15)
def test_bounds_enclose_saying_nothing(shifts: list[float], seed: int) -> None:
    kinds = {str(i): kind(s, 400, seed=seed + i) for i, s in enumerate(shifts)}
    line = calibrate_unknown_genre(kinds)
    assert line.lowest <= 0 <= line.highest
    assert line.sure_same is None or line.sure_same > (line.sure_different or -np.inf)
