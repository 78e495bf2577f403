"""What every method has from its base class: calibration by genre, and when it cannot say."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from toy_verifiers import ToyVerifier

from adhominem.errors import InputError
from adhominem.instrument.evidence.calibration import Calibration, Covariates
from adhominem.instrument.verifier import Comparisons
from adhominem.laboratory.calibration.by_genre import calibrate
from adhominem.records import Pair, Reading, TrackRecord, Verdict


class Told(ToyVerifier):
    """Reads similarity, genres and whatever else from the texts themselves: `0.3 hotels blogs`."""

    kind = "told"
    has_distance = True

    def compare(self, pairs: Sequence[Pair]) -> Comparisons:
        rows = [pair.left[0].text.split() for pair in pairs]
        return Comparisons(
            np.array([float(similarity) for similarity, _, _ in rows]),
            tuple(Reading(100, 0, 0.5, left, left == "moon") for _, left, _ in rows),
            tuple(Reading(120, 0, 0.5, right, False) for _, _, right in rows),
        )


def pairs_of(genre: str, n: int, shift: float, seed: int = 1) -> list[Pair]:
    rng = np.random.default_rng(seed)
    pairs = []
    for i in range(n):
        same = i % 2 == 0
        similarity = rng.normal(shift + (1 if same else -1), 1)
        sides = Pair.of_texts(f"{similarity} {genre} {genre}", "-")
        pairs.append(Pair(sides.left, sides.right, same, id=str(i), genre=genre))
    return pairs


@pytest.fixture(scope="module")
def told() -> Told:
    dev = pairs_of("hotels", 2000, 0.0) + pairs_of("blogs", 2000, 5.0) + pairs_of("tweets", 80, 9.0)
    return calibrate(Told(), dev)


def test_a_genre_with_enough_pairs_has_a_calibration_of_its_own(told: Told) -> None:
    assert set(told.calibrations_) == {"hotels", "blogs"}
    assert told.calibrations_["hotels"].neutral == pytest.approx(0, abs=0.2)
    assert told.calibrations_["blogs"].neutral == pytest.approx(5, abs=0.2)


@pytest.mark.parametrize(
    ("text", "genre"),
    [("3.5 hotels hotels", "hotels"), ("3.5 blogs blogs", "blogs"), ("3.5 hotels blogs", None)],
)
def test_a_pair_is_judged_by_its_genre_or_by_all(told: Told, text: str, genre: str | None) -> None:
    assert told.calibration_ is not None
    calibration = told.calibrations_[genre] if genre else told.calibration_
    decision = told.verify(text, "-")
    assert decision.llr == pytest.approx(float(calibration.llr(3.5)))
    line = float(calibration.line(3.5))
    assert decision.reliable == calibration.is_sure(line)
    assert decision.tau_s == pytest.approx(_negative(calibration, calibration.sure_same))
    assert decision.tau_d == pytest.approx(_negative(calibration, calibration.sure_different))


def _negative(calibration: Calibration, line: float | None) -> float | None:
    similarity = calibration.similarity_at(line, Covariates(100))
    return None if similarity is None else -similarity


def test_a_genre_that_is_given_counts_for_more_than_what_the_texts_look_like(told: Told) -> None:
    given = told.verify("2.5 hotels moon", "-", genre="blogs")
    assert given.llr == pytest.approx(float(told.calibrations_["blogs"].llr(2.5)))
    assert (given.left.genre, given.right.genre, given.left.out_of_domain) == (
        "blogs",
        "blogs",
        False,
    )


def test_a_genre_that_the_model_does_not_know(told: Told) -> None:
    with pytest.raises(InputError, match="'poems' is not known to the model: it knows blogs, hot"):
        told.verify("2.5 hotels hotels", "-", genre="poems")
    with pytest.raises(
        InputError, match=r"'hotel' is not known .*: it knows hotels, among 2 genres$"
    ):
        told.verify("2.5 hotels hotels", "-", genre="hotel")


def test_calibrating_anew_forgets_the_old_genres() -> None:
    verifier = calibrate(Told(), pairs_of("hotels", 2000, 0.0))
    calibrate(verifier, pairs_of("letters", 100, 0.0))
    assert verifier.calibrations_ == {}


def test_evidence_for_neither_side_decides_nothing(told: Told) -> None:
    neutral = told.calibrations_["hotels"].neutral
    decision = told.verify(f"{neutral + 0.01} hotels hotels", "-")
    assert decision.verdict is Verdict.UNDECIDED
    assert [reason.code for reason in decision.reasons] == ["weak-evidence"]
    assert (decision.score, decision.llr) == (0.5, 0.0)
    assert not decision.reliable


def test_a_text_like_none_of_the_training_texts_is_not_judged(told: Told) -> None:
    decision = told.verify("3 moon hotels", "-")
    assert decision.verdict is Verdict.UNDECIDED
    assert decision.score == 0.5
    assert "unlike any kind of text" in str(decision.reasons[0])


def test_the_errors_on_texts_like_these_are_quoted(told: Told) -> None:
    rows = (
        TrackRecord("hotels", 50, 150, 900, 0.11, 0.4, 0.01, 0.09, 0.13),
        TrackRecord("blogs", 150, None, 900, 0.2, 0.1, 0.02, 0.17, 0.23),
    )
    told.track_record_ = rows
    assert told.verify("3 hotels hotels", "-").track_record == rows[0]
    assert told.verify("3 blogs blogs", "-").track_record is None
    assert told.verify("3 hotels blogs", "-").track_record is None
