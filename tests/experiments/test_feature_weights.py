"""Weights of features against made-up authors, of whom half of the features know nothing."""

from __future__ import annotations

import numpy as np
from feature_weights import Unusual, _fit


def test_features_that_come_back_weigh_more() -> None:
    rng = np.random.default_rng(1)
    n, width = 180, 20
    author = rng.normal(size=(n, 1, width))
    noise = rng.normal(size=(n, 2, width))
    unusual = np.concatenate([author + noise, 1.4 * rng.normal(size=(n, 2, width))], axis=2)
    learnt = Unusual(unusual.astype(np.float16), np.arange(n))
    weights = _fit([learnt], slice(0, 2 * width), np.random.default_rng(2)).numpy()
    assert np.median(weights[:width]) > 2 * np.median(weights[width:])
    np.testing.assert_allclose(np.log(weights).mean(), 0, atol=1e-5)


def test_a_step_has_every_author_once() -> None:
    unusual = np.ones((6, 2, 4), np.float16) * np.arange(6).reshape(6, 1, 1)
    learnt = Unusual(unusual.astype(np.float16), np.array([0, 0, 0, 1, 1, 2]))
    drawn = learnt.draw(slice(0, 4), np.random.default_rng(0))[:, 0, 0].tolist()
    assert sorted(learnt.authors[int(pair)] for pair in drawn) == [0, 1, 2]
