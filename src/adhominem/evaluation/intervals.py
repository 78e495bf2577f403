"""How far a figure may be trusted: intervals by drawing authors, not pairs.

Two pairs of one author are not independent, so what is drawn with replacement are authors. A pair
counts as often as its author was drawn; a pair of two authors as often as both were, multiplied.
Two methods are compared under the same draws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from adhominem.evaluation.answers import Answers
from adhominem.evaluation.measures import error_rate

Floats = npt.NDArray[np.float64]
ROUNDS = 1000
_BLOCK = 50  # rounds at a time
WeightedMeasure = Callable[[Answers, Floats], Floats]  # (rounds, pairs) weights to (rounds,) values


@dataclass(frozen=True, slots=True)
class Interval:
    """The middle 95 % of the values that the draws gave."""

    value: float
    low: float
    high: float


def weighted_error(answers: Answers, weights: Floats) -> Floats:
    wrong = np.where(
        answers.score == 0.5, 0.5, (answers.score > 0.5) != answers.same_author
    ).astype(np.float64)
    return np.asarray(weights @ wrong / weights.sum(axis=1))


def weighted_auc(answers: Answers, weights: Floats) -> Floats:
    order = np.argsort(answers.score, kind="stable")
    same = answers.same_author[order]
    score, weights = answers.score[order], weights[:, order]
    below = np.cumsum(weights * ~same, axis=1)
    first = np.searchsorted(score, score, side="left")
    last = np.searchsorted(score, score, side="right") - 1
    padded = np.concatenate([np.zeros((len(weights), 1)), below], axis=1)
    beaten = (padded[:, first] + padded[:, last + 1]) / 2  # ties count half
    total = (weights * same).sum(axis=1) * (weights * ~same).sum(axis=1)
    return np.asarray((weights * same * beaten).sum(axis=1) / total)


def weighted_cllr(answers: Answers, weights: Floats) -> Floats:
    natural = answers.llr * np.log(10)
    cost = np.where(
        answers.same_author, np.logaddexp(0, -natural), np.logaddexp(0, natural)
    ) / np.log(2)
    same, different = weights * answers.same_author, weights * ~answers.same_author
    return np.asarray(
        (same @ cost / same.sum(axis=1) + different @ cost / different.sum(axis=1)) / 2
    )


def interval(answers: Answers, measure: WeightedMeasure, *, seed: int = 0) -> Interval:
    with np.errstate(invalid="ignore", divide="ignore"):  # a draw may hold one kind of pairs alone
        value = measure(answers, np.ones((1, len(answers))))[0]
        if np.isnan(value):
            return Interval(float("nan"), float("nan"), float("nan"))
        values = np.concatenate([measure(answers, w) for w in _weights(answers, seed)])
    low, high = np.nanquantile(values, [0.025, 0.975])
    return Interval(float(value), float(low), float(high))


@dataclass(frozen=True, slots=True)
class Difference:
    """Error of one method minus that of another on the same pairs.

    p       chance of so large a difference if the methods were equally good (two-sided): how often
            a random exchange of both methods' answers, author by author, gives as much
    """

    value: float
    low: float
    high: float
    p: float


def compare(one: Answers, other: Answers, *, seed: int = 0) -> Difference:
    """Both must hold the same pairs in the same order."""
    wrong = [np.where(a.score == 0.5, 0.5, (a.score > 0.5) != a.same_author) for a in (one, other)]
    gap = (wrong[0] - wrong[1]).astype(np.float64)
    values = np.concatenate([w @ gap / w.sum(axis=1) for w in _weights(one, seed)])
    low, high = np.quantile(values, [0.025, 0.975])
    return Difference(float(gap.mean()), float(low), float(high), _exchange(one, gap, seed))


def _exchange(answers: Answers, gap: Floats, seed: int) -> float:
    """A pair of two authors is exchanged with its left one."""
    _, author = np.unique(_numbers(answers)[:, 0], return_inverse=True)
    per_author = np.bincount(author, weights=gap)
    rng = np.random.default_rng(seed)
    signs = rng.choice([-1.0, 1.0], (ROUNDS * 10, len(per_author)))
    found = np.abs(signs @ per_author)
    return float((1 + np.sum(found >= abs(gap.sum()) - 1e-9)) / (len(found) + 1))


def _weights(answers: Answers, seed: int) -> Iterator[Floats]:
    """Blocks of (rounds, pairs)."""
    authors = _numbers(answers)
    n = int(authors.max(initial=-1)) + 1
    rng = np.random.default_rng(seed)
    one, other = authors.T
    for _ in range(ROUNDS // _BLOCK):
        times = rng.multinomial(n, np.full(n, 1 / n), size=_BLOCK).astype(np.float64)
        yield np.where(one == other, times[:, one], times[:, one] * times[:, other])


def _numbers(answers: Answers) -> npt.NDArray[np.int64]:
    """A number for each author in the order in which they appear, so that the draws do not depend
    on names; a pair whose authors are not known stands for itself."""
    names = answers.authors.copy()
    for place in np.flatnonzero((names == "").any(axis=1)):
        names[place] = f"\0pair {place}"
    _, first, numbers = np.unique(names.astype(str).ravel(), return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[numbers].reshape(-1, 2)


def error_interval(answers: Answers, *, seed: int = 0) -> Interval:
    found = interval(answers, weighted_error, seed=seed)
    assert abs(found.value - error_rate(answers.score, answers.same_author)) < 1e-9
    return found
