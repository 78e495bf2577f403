"""Calibrates a verifier on labelled pairs: for each genre, and for unknown genres."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from adhominem.errors import InputError
from adhominem.instrument.evidence.calibration import Calibration, Covariates
from adhominem.instrument.verifier import Verifier
from adhominem.laboratory.calibration.fit import fit_calibration
from adhominem.laboratory.calibration.labelled import LabelledPairs
from adhominem.laboratory.calibration.unknown_genre import FEWEST_GENRES, calibrate_unknown_genre
from adhominem.records import Pair

AnyVerifier = TypeVar("AnyVerifier", bound=Verifier)
_ENOUGH = 300  # pairs of each class for the calibration of a genre


def calibrate(verifier: AnyVerifier, dev: Sequence[Pair]) -> AnyVerifier:
    """Sets the calibrations of a verifier from development pairs, and returns it.

    A genre with enough pairs gets a calibration of its own. The calibration for unknown genres is
    fitted by leaving genres out, where there are enough that are not detectable; otherwise on all
    pairs. Methods with a distance are calibrated by length, number of texts and norm as well.
    """
    check_labels(dev, "development")
    everything = LabelledPairs.of(verifier.compare(dev), dev)
    rows: dict[str, list[int]] = {}
    for row, pair in enumerate(dev):
        if pair.genre is not None:
            rows.setdefault(pair.genre, []).append(row)
    genres = {genre: everything.select(np.array(chosen)) for genre, chosen in rows.items()}
    genres = {
        genre: pairs
        for genre, pairs in genres.items()
        if min(Counter(pairs.same.tolist())[answer] for answer in (True, False)) >= _ENOUGH
    }
    detectable = verifier.detectable_genres()
    others = {genre: pairs for genre, pairs in genres.items() if genre not in detectable}
    by_covariates = verifier.has_distance
    verifier.calibration_ = (
        calibrate_unknown_genre(others)
        if by_covariates and len(others) >= FEWEST_GENRES
        else _calibration(everything, by_covariates)
    )
    verifier.calibrations_ = {
        genre: _calibration(pairs, by_covariates) for genre, pairs in genres.items()
    }
    return verifier


def check_labels(pairs: Sequence[Pair], name: str) -> None:
    """Raises an InputError unless there are pairs and all have a label."""
    unlabelled = sum(pair.same_author is None for pair in pairs)
    if unlabelled or not pairs:
        raise InputError(
            f"{unlabelled} of {len(pairs)} {name} pairs have no same_author: all need one"
            if pairs
            else f"no {name} pairs: at least one of each kind is needed"
        )


def _calibration(pairs: LabelledPairs, by_covariates: bool) -> Calibration:
    covariates = pairs.covariates if by_covariates else Covariates()
    return fit_calibration(pairs.similarity, pairs.same, covariates)
