"""Verifiers that can be fitted: a method writes `_fit` and `_similarity`."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Self

from adhominem.errors import ExperimentError, InputError
from adhominem.instrument.registry import verifier_class
from adhominem.instrument.verifier import Verifier
from adhominem.laboratory.calibration.by_genre import calibrate, check_labels
from adhominem.records import Pair


class TrainableVerifier(Verifier):
    """A verifier that learns from labelled pairs."""

    def fit(self, train: Sequence[Pair], dev: Sequence[Pair]) -> Self:
        """Learns on `train` and calibrates on `dev`, which must have other authors."""
        check_labels(train, "training")
        check_labels(dev, "development")
        shared = _authors(train) & _authors(dev)
        if shared:
            raise InputError(
                f"{len(shared)} authors are in training and development pairs, "
                f"'{min(shared)}' for one: split by author"
            )
        self._fit(train, dev)
        return self.calibrate(dev)

    def calibrate(self, dev: Sequence[Pair]) -> Self:
        """Fits the calibrations on labelled pairs; what was learned stays."""
        return calibrate(self, dev)

    @abstractmethod
    def _fit(self, train: Sequence[Pair], dev: Sequence[Pair]) -> None:
        """Learns; `dev` may be used to stop in time."""


def new_method(kind: str, settings: Mapping[str, Any]) -> TrainableVerifier:
    """An unfitted method by its name, with these settings; a TypeError if they do not fit it."""
    method = verifier_class(kind)(**settings)
    if not isinstance(method, TrainableVerifier):
        raise ExperimentError(f"{kind} is not fitted on pairs: train it with `adhominem train`")
    return method


def _authors(pairs: Sequence[Pair]) -> set[str]:
    documents = (document for pair in pairs for document in (*pair.left, *pair.right))
    return {document.author for document in documents if document.author is not None}
