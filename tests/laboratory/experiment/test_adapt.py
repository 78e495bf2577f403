"""A small network to another domain: measured on others, never for the worse on development."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from small_networks import fit_network

import adhominem
from adhominem.cli.app import main
from adhominem.errors import NotFittedError
from adhominem.instrument.neural import NeuralVerifier
from adhominem.laboratory.corpus.pairs import PairSampler, make_pairs
from adhominem.laboratory.corpus.store import Corpus
from adhominem.laboratory.experiment.adapt import SHARES, AdaptSettings, adapt
from adhominem.laboratory.training import TrainingConfig
from adhominem.records import Document, Pair

SIZES = {"D_c": 4, "D_r": 4, "D_w": 8, "D_s": 6, "D_d": 6, "D_a": 6, "D_f": 5, "train_words": True}
FEW = AdaptSettings(epochs=3, learning_rate=0.01)


@pytest.fixture(scope="module")
def verifier(corpora: ModuleType) -> NeuralVerifier:
    def pairs(reviews: list[Document]) -> list[Pair]:
        _, authors = np.unique([str(r.author) for r in reviews], return_inverse=True)
        return make_pairs(PairSampler(authors, None, seed=1).draw(0).side_pairs(), reviews)

    reviews = corpora.make_reviews(60, seed=1)
    training = TrainingConfig(epochs=2, batch_pairs=16, learning_rate=0.02)
    parts = pairs(reviews[:160]), pairs(reviews[160:])
    return fit_network(*parts, sizes=SIZES, training=training)


def test_the_old_verifier_is_left_alone_and_the_new_one_reported(
    verifier: NeuralVerifier, domain: Corpus
) -> None:
    before = {name: array.copy() for name, array in verifier.arrays_.items()}
    adapted, report = adapt(verifier, domain, FEW)
    assert all(np.array_equal(before[name], verifier.arrays_[name]) for name in before)
    assert adapted is not verifier
    assert report["authors"] == {"train": 36, "dev": 12, "test": 12}
    assert report["share_of_the_way"] in SHARES
    errors = report["dev_error"]
    assert errors[str(report["share_of_the_way"])] == min(errors.values()) <= errors["0.0"]
    for row in ("before", "recalibrated", "after"):
        assert 0 <= report[row]["error"] <= 1
    json.dumps(report, allow_nan=False)


def test_the_same_seed_gives_the_same_model(verifier: NeuralVerifier, domain: Corpus) -> None:
    one, other = (adapt(verifier, domain, FEW) for _ in range(2))
    assert one[1] == other[1]
    for name, weights in one[0].arrays_.items():
        np.testing.assert_array_equal(weights, other[0].arrays_[name])


def test_from_the_command_line(
    verifier: NeuralVerifier,
    domain: Corpus,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    verifier.save(tmp_path / "old", name="old")
    arguments = [
        "model",
        "adapt",
        tmp_path / "old",
        domain.folder,
        "-o",
        tmp_path / "new",
        "--epochs",
        "2",
    ]
    monkeypatch.setattr("sys.argv", ["adhominem", *map(str, arguments)])
    try:
        main()
    except SystemExit as stop:
        assert not stop.code
    out = capsys.readouterr().out
    assert "calibrated anew" in out and "adapted" in out
    loaded = adhominem.load(tmp_path / "new")
    assert loaded.identity is not None and loaded.identity.name == "new"
    assert "adapted to the corpus" in (tmp_path / "new" / "README.md").read_text()
    assert json.loads((tmp_path / "new" / "adaptation.json").read_text())["after"]["pairs"] > 0


def test_what_is_not_fitted_cannot_be_adapted(domain: Corpus) -> None:
    with pytest.raises(NotFittedError, match="not fitted"):
        adapt(NeuralVerifier(), domain)
