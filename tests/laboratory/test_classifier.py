"""The classifier of scikit-learn."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError, SkipTestWarning
from sklearn.model_selection import cross_val_score
from sklearn.utils import estimator_checks as checks

import adhominem
from adhominem import AdhominemError, AuthorshipClassifier
from adhominem.records import Pair

# Checks that need no numbers as input; check_estimator itself leaves out texts.
APPLICABLE = [
    "check_do_not_raise_errors_in_init_or_set_params",
    "check_estimator_cloneable",
    "check_estimator_repr",
    "check_estimator_tags_renamed",
    "check_get_params_invariance",
    "check_mixin_order",
    "check_no_attributes_set_in_init",
    "check_parameters_default_constructible",
    "check_set_params",
    "check_valid_tag_types",
]


@pytest.fixture(scope="module")
def rows(dev_pairs: list[Pair]) -> tuple[np.ndarray, np.ndarray]:
    texts = [[pair.left[0].text, pair.right[0].text] for pair in dev_pairs]
    return np.array(texts, dtype=object), np.array([pair.same_author for pair in dev_pairs])


def test_check_estimator() -> None:
    with pytest.warns(SkipTestWarning):
        checks.check_estimator(AuthorshipClassifier())


@pytest.mark.parametrize("name", APPLICABLE)
def test_checks_that_apply(name: str) -> None:
    getattr(checks, name)("AuthorshipClassifier", AuthorshipClassifier())


def test_it_learns_how_far_to_trust_the_evidence(rows: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = rows
    classifier = AuthorshipClassifier().fit(X, y)
    proba = classifier.predict_proba(X)
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    assert (classifier.predict(X) == (proba[:, 1] > 0.5)).all()
    evidence = adhominem.load().decide([Pair.of_texts(*row) for row in X], distinct=True).llr
    order = np.argsort(evidence)
    steps = np.diff(proba[order, 1])
    assert (steps >= -1e-9).all() or (steps <= 1e-9).all()
    named = AuthorshipClassifier().fit(pd.DataFrame(X), np.where(y, "same", "two"))
    assert set(named.predict(X)) <= {"same", "two"}


def test_it_can_be_cross_validated(rows: tuple[np.ndarray, np.ndarray]) -> None:
    assert cross_val_score(AuthorshipClassifier(genre="hotels"), *rows, cv=2).shape == (2,)


def test_wrong_input_is_one_line(rows: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = rows
    for given, labels in [
        *((X[:, :1], y), (X, y[:3]), (X, y * 0), ([["a", None]] * len(y), y), (["a"] * len(y), y)),
        ([], []),
    ]:
        with pytest.raises(AdhominemError) as caught:
            AuthorshipClassifier().fit(given, labels)
        assert "\n" not in str(caught.value)
    with pytest.raises(NotFittedError):
        AuthorshipClassifier().predict(X)
