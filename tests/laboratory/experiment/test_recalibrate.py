"""A verifier whose calibration is wrong for a corpus is put right, and nothing else is touched."""

from __future__ import annotations

import copy
from dataclasses import replace
from pathlib import Path

import pytest

from adhominem.laboratory.corpus.store import Corpus
from adhominem.laboratory.experiment.adapt import recalibrate
from adhominem.laboratory.report import adaptation_card
from adhominem.laboratory.verifiers.cosine import CosineDelta
from adhominem.records import Pair


def test_a_wrong_calibration_is_put_right(
    domain: Corpus, train_pairs: list[Pair], dev_pairs: list[Pair], tmp_path: Path
) -> None:
    fitted = CosineDelta().fit(train_pairs, dev_pairs)
    assert fitted.calibration_ is not None
    wrong = copy.deepcopy(fitted)
    wrong.calibration_ = replace(fitted.calibration_, intercept=3.0, highest=9.0, lowest=-9.0)
    wrong.calibrations_ = {}
    right, report = recalibrate(wrong, domain)
    assert report["recalibrated"]["cllr"] < report["before"]["cllr"]
    assert report["authors"] == {"dev": 48, "test": 12}
    assert report["before"]["auc"] == pytest.approx(report["recalibrated"]["auc"], abs=0.05)
    assert wrong.calibration_.intercept == 3.0
    card = adaptation_card("new", "delta", "reviews", report)
    assert "calibrated anew" in card and "48 authors" in card
    right.save(tmp_path / "new", name="new", card=card)


def test_the_same_seed_gives_the_same_calibration(
    domain: Corpus, train_pairs: list[Pair], dev_pairs: list[Pair]
) -> None:
    fitted = CosineDelta().fit(train_pairs, dev_pairs)
    one, other = (recalibrate(fitted, domain) for _ in range(2))
    assert one[1] == other[1] and one[0].calibration_ == other[0].calibration_
