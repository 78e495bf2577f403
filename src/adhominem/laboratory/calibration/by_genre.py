"""Calibrates a verifier on labelled pairs: for each genre, and for unknown genres. Fits the word
frequencies by which genres are recognised.

How far apart two strangers are differs between genres: two film reviews are more alike than two
hotel reviews. For texts of an unknown genre every known genre is therefore left out in turn and
judged by a line that was fitted on the others. The final line is flattened by the factor of the
genre where this worked worst, and bounded by what that genre supports. The slope does not follow
the covariates, as slopes do not carry over.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from adhominem.arrays import Floats
from adhominem.errors import InputError
from adhominem.instrument.evidence.calibration import TRENDS, Calibration, Covariates
from adhominem.instrument.evidence.genres import Genres
from adhominem.instrument.text.encode import Encoded
from adhominem.instrument.verifier import Verifier
from adhominem.laboratory.calibration.fit import (
    LabelledPairs,
    fit_calibration,
    fit_trends,
    reliable_limits,
)
from adhominem.records import Pair

AnyVerifier = TypeVar("AnyVerifier", bound=Verifier)
_ENOUGH = 300  # pairs of each class for the calibration of a genre
_FEWEST_GENRES = 3
_LEAST_FACTOR = 0.05  # so that the line can be inverted
_FAR = 0.995  # share of the development texts within the limit of their genre
_MOST_TAKEN = 0.05  # share of the texts of another genre that may be nearest to a detectable one
_LN_10 = float(np.log(10))


def calibrate(verifier: AnyVerifier, dev: Sequence[Pair]) -> AnyVerifier:
    """Sets the calibrations of a verifier from development pairs, and returns it.

    A genre with enough pairs gets a calibration of its own. The calibration for unknown genres is
    fitted by leaving genres out, where there are enough that are not detectable; otherwise on all
    pairs. Methods with a distance are calibrated by length, number of texts and norm as well.
    """
    check_labels(dev, "development")
    everything = LabelledPairs.of(verifier.compare(dev), dev)
    stated = np.array([pair.genre for pair in dev], dtype=object)
    genres = {g: everything.select(stated == g) for g in dict.fromkeys(stated) if g is not None}
    genres = {
        genre: pairs
        for genre, pairs in genres.items()
        if min(pairs.same.sum(), (~pairs.same).sum()) >= _ENOUGH
    }
    detectable = verifier.detectable_genres()
    others = {genre: pairs for genre, pairs in genres.items() if genre not in detectable}
    by_covariates = verifier.has_distance
    verifier.calibration_ = (
        calibrate_unknown_genre(others)
        if by_covariates and len(others) >= _FEWEST_GENRES
        else _calibration(everything, by_covariates)
    )
    verifier.calibrations_ = {g: _calibration(own, by_covariates) for g, own in genres.items()}
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


def calibrate_unknown_genre(genres: Mapping[str, LabelledPairs]) -> Calibration:
    """A cautious calibration from development pairs of at least three genres."""
    from lir.algorithms.bayeserror import elub

    pairs = [genre.select(np.isfinite(genre.similarity)) for genre in genres.values()]
    left_out = []
    for number, genre in enumerate(pairs):
        line = _parallel_lines([other for i, other in enumerate(pairs) if i != number])
        left_out.append(line.line(genre.similarity, genre.covariates))
    factors = [_factor(values, genre) for values, genre in zip(left_out, pairs, strict=True)]
    factor = max(_LEAST_FACTOR, min(1.0, *factors))
    judged = [(factor * values, genre) for values, genre in zip(left_out, pairs, strict=True)]
    bounds = [elub(values.copy(), genre.same.astype(int)) for values, genre in judged]
    sure_same, sure_different = reliable_limits(
        (values, genre.same, genre.covariates.stretches) for values, genre in judged
    )
    line = _parallel_lines(pairs)
    trends: dict[str, Any] = {
        name: replace(trend, intercept=factor * trend.intercept)
        for name in TRENDS
        if (trend := getattr(line, name)) is not None
    }
    return Calibration(
        factor * line.slope,
        factor * line.intercept,
        lowest=min(max(float(low) for low, _ in bounds), 0.0),
        highest=max(min(float(high) for _, high in bounds), 0.0),
        sure_same=sure_same,
        sure_different=sure_different,
        **trends,
    )


def _parallel_lines(genres: Sequence[LabelledPairs]) -> Calibration:
    """A line whose intercept follows the covariates; genres and classes weigh the same."""
    x, same, weight = (
        np.concatenate([getattr(genre, name) for genre in genres])
        for name in ("similarity", "same", "weight")
    )
    columns = zip(*(g.covariates.select(..., g.same.shape) for g in genres), strict=True)
    covariates = Covariates(*(np.concatenate(parts) for parts in columns))
    return fit_trends(x, same, covariates, parallel=TRENDS, weight=weight * len(x) / len(genres))


def _factor(values: Floats, genre: LabelledPairs) -> float:
    """The factor with which the values of a left-out genre are best calibrated."""
    from sklearn.linear_model import LogisticRegression

    regression = LogisticRegression(C=1e6, fit_intercept=False).fit(
        _LN_10 * values[:, None], genre.same, sample_weight=genre.weight * len(genre.same)
    )
    return float(regression.coef_[0, 0])


def fit_genres(
    names: Sequence[str],
    train: Sequence[Encoded],
    dev: Sequence[Encoded],
    n_words: int,
    unseen: Sequence[Encoded] = (),
) -> Genres:
    """Genres from the training and development texts of each. Hardly any text of another genre, or
    of `unseen` ones, from which the network has not learnt, is nearest to a detectable genre."""
    words = [texts.type_words[texts.tokens] for texts in train]
    counts = np.stack([np.bincount(own, minlength=n_words) for own in words])
    bits = -np.log2((counts + 0.5) / (counts + 0.5).sum(axis=1, keepdims=True))
    bits = bits.astype(np.float16).astype(np.float32)
    names = tuple(names)
    unlimited = Genres(names, bits, (np.inf,) * len(names), names)
    surprise = [unlimited.bits_per_token(texts) for texts in (*dev, *unseen)]
    limits = [float(np.quantile(surprise[i][:, i], _FAR)) for i in range(len(names))]
    nearest = [rows.argmin(axis=1) for rows in surprise if len(rows)]
    detectable = [
        name
        for i, name in enumerate(names)
        if all(np.mean(taken == i) <= _MOST_TAKEN for j, taken in enumerate(nearest) if j != i)
    ]
    return Genres(names, bits, tuple(limits), tuple(detectable))
