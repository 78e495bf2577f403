"""Calibrates a verifier for each genre and for unknown genres, and fits the detection of genres.

Similarities of different authors depend on the genre: two film reviews are more alike than two
hotel reviews. For unknown genres, each known genre is left out in turn and judged by a line fitted
on the others. The final line, fitted on all, is flattened by the factor of the genre for which this
worked worst, and bounded by what that genre supports. Its slope has no trends, as they do not
generalise to other genres.
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
from adhominem.laboratory.calibration import fit
from adhominem.laboratory.calibration.fit import LabelledPairs
from adhominem.records import Pair

AnyVerifier = TypeVar("AnyVerifier", bound=Verifier)
_ENOUGH = 300  # pairs of each class for the calibration of a genre
_FEWEST_GENRES = 3
_LEAST_FACTOR = 0.05  # keeps the line invertible
_FAR = 0.995  # share of development texts within the limit of their genre
_MOST_TAKEN = 0.05  # share of texts of another genre that may be nearest to a detectable genre
_LN_10 = float(np.log(10))


def calibrate(verifier: AnyVerifier, dev: Sequence[Pair]) -> AnyVerifier:
    """Set the calibrations of a verifier from development pairs, and return the verifier.

    Each genre with enough pairs gets a calibration. The calibration for unknown genres is fitted by
    leaving genres out, if there are enough genres that are not detectable; otherwise on all pairs.
    For methods with a distance, calibrations depend on covariates.
    """
    check_labels(dev, "development")
    everything = LabelledPairs.of(verifier.compare(dev), dev)
    stated = np.array([pair.genre for pair in dev], dtype=object)
    every = {g: everything.select(stated == g) for g in dict.fromkeys(stated) if g is not None}
    genres = {g: p for g, p in every.items() if min(p.same.sum(), (~p.same).sum()) >= _ENOUGH}
    detectable = verifier.detectable_genres()
    others = {genre: pairs for genre, pairs in genres.items() if genre not in detectable}

    def calibration(pairs: LabelledPairs) -> Calibration:
        covariates = pairs.covariates if verifier.has_distance else Covariates()
        return fit.fit_calibration(pairs.similarity, pairs.same, covariates)

    if verifier.has_distance and len(others) >= _FEWEST_GENRES:
        verifier.calibration_ = calibrate_unknown_genre(others)
    else:
        verifier.calibration_ = calibration(everything)
    verifier.calibrations_ = {genre: calibration(pairs) for genre, pairs in genres.items()}
    return verifier


def check_labels(pairs: Sequence[Pair], name: str) -> None:
    """Raise InputError unless there are pairs and all have a label."""
    unlabelled = sum(pair.same_author is None for pair in pairs)
    if unlabelled or not pairs:
        raise InputError(
            f"{unlabelled} of {len(pairs)} {name} pairs have no same_author: all need one"
            if pairs
            else f"no {name} pairs: at least one of each kind is needed"
        )


def calibrate_unknown_genre(genres: Mapping[str, LabelledPairs]) -> Calibration:
    """Return a cautious calibration, given development pairs of at least three genres."""
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
    sure_same, sure_different = fit.reliable_limits(
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
    """Fit a line with trends of the intercept only; genres and classes have equal weights."""
    x, same, weight = (
        np.concatenate([getattr(genre, name) for genre in genres])
        for name in ("similarity", "same", "weight")
    )
    columns = zip(*(g.covariates.select(..., g.same.shape) for g in genres), strict=True)
    covariates = Covariates(*(np.concatenate(parts) for parts in columns))
    weight = weight * len(x) / len(genres)
    return fit.fit_trends(x, same, covariates, parallel=TRENDS, weight=weight)


def _factor(values: Floats, genre: LabelledPairs) -> float:
    """Return the factor that calibrates the values of a left-out genre best."""
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
    """Fit genres on the training and development texts of each. A genre is detectable if hardly any
    texts of other genres, or of `unseen` genres without training texts, are nearest to it."""
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
