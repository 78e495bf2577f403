"""Measured pairs: what is stored is what is read back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from measure_pairs import UNSEEN, Measured, load_network, unseen_networks

from adhominem.instrument.evidence.calibration import Covariates
from adhominem.instrument.model_folder import model_path
from adhominem.laboratory.calibration.fit import LabelledPairs
from adhominem.laboratory.experiment import read_experiment


def made_up(seed: int, n: int = 5) -> LabelledPairs:
    rng = np.random.default_rng(seed)
    covariates = Covariates(*rng.uniform(1, 9, (5, n)))
    return LabelledPairs(rng.normal(size=(n, 4)), np.arange(n) % 2 == 0, covariates)


def test_stored_pairs_are_read_back(tmp_path: Path) -> None:
    given = Measured(made_up(1), made_up(2), np.ones((10, 3)))
    path = tmp_path / "new" / "mail.npz"
    given.save(path)
    found = Measured.load(path)
    assert np.array_equal(found.surprise, given.surprise)
    for one, other in ((found.unstated, given.unstated), (found.stated, given.stated)):
        assert np.array_equal(one.similarity, other.similarity)
        assert np.array_equal(one.same, other.same)
        for a, b in zip(one.covariates, other.covariates, strict=True):
            assert np.array_equal(a, b)


def test_every_kind_is_left_out_by_one_network_at_most() -> None:
    kinds = [
        kind
        for path in sorted(UNSEEN.glob("*.toml"))
        for kind in read_experiment(path).training.left_out
    ]
    assert len(kinds) == len(set(kinds)) == 35
    assert not {"hotels", "amazon"} & set(kinds)


def test_the_networks_that_left_kinds_out_are_there() -> None:
    """Each reads texts, and otherwise than the shipped network does."""
    folder = model_path("adhominem")
    shipped = load_network(folder)
    assert shipped.views_ is not None
    text = "We loved this place, and the staff could not have been nicer. Would go back!"
    plain = shipped.features([text])
    for network in unseen_networks(folder, UNSEEN, shipped.views_.kinds):
        found = load_network(folder, network.weights).features([text])
        assert found.shape == plain.shape
        assert np.isfinite(found).all() and np.abs(found - plain).max() > 0.01
