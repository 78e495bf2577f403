"""A verifier as a classifier of scikit-learn."""

from pathlib import Path
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.utils.validation import check_is_fitted

from adhominem.arrays import Floats
from adhominem.checks import check_sides
from adhominem.errors import InputError
from adhominem.instrument.model_folder import load
from adhominem.records import Pair


class AuthorshipClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Classifies pairs of texts: row [left, right] of `X` is a pair, `y` is True for one author.

    The network stays as it is; `fit` learns from labelled pairs how far to trust its evidence, by
    logistic regression on the log-likelihood ratio with both classes weighted alike.

    model   folder or name of a model; default: the shipped model
    genre   a genre of the model, if the kind of all texts is known

    >>> from adhominem import AuthorshipClassifier
    >>> X = [["We loved it!!", "Never again."], ["So-so.", "Would not go back."]] * 2
    >>> AuthorshipClassifier().fit(X, [True, False] * 2).predict_proba(X).shape
    (4, 2)
    """

    def __init__(self, model: str | Path | None = None, *, genre: str | None = None) -> None:
        self.model = model
        self.genre = genre

    def fit(self, X: Any, y: Any) -> Self:
        """Learns from pairs and whether each is by one author."""
        labels = np.asarray(y)
        if len(np.unique(labels)) != 2:
            raise InputError(f"y has {len(np.unique(labels))} classes: two are needed")
        self.verifier_ = load(self.model)
        evidence = self._evidence(X)
        if len(evidence) != len(labels):
            raise InputError(f"X has {len(evidence):,} pairs and y {len(labels):,} labels")
        self.calibration_ = LogisticRegression(class_weight="balanced").fit(evidence, labels)
        self.classes_, self.n_features_in_ = self.calibration_.classes_, 2
        return self

    def predict_proba(self, X: Any) -> Floats:
        """Probability of two authors and of one, (pairs, 2), at equal prior odds."""
        check_is_fitted(self)
        return np.asarray(self.calibration_.predict_proba(self._evidence(X)))

    def predict(self, X: Any) -> Any:
        """The more probable class of each pair."""
        likelier = self.predict_proba(X).argmax(axis=1)  # checks that there are classes
        return self.classes_[likelier]

    def _evidence(self, X: Any) -> Floats:
        rows = check_sides([tuple(row) for row in np.asarray(X, object)], "X")
        if any(len(row) != 2 for row in rows) or not rows:
            raise InputError("X must have a row [left, right] for each pair")
        pairs = [Pair.of_texts(left, right, self.genre) for left, right in rows]
        return self.verifier_.decide(pairs, distinct=True).llr[:, None]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string, tags.input_tags.two_d_array = True, False
        tags.classifier_tags.multi_class = False
        return tags
