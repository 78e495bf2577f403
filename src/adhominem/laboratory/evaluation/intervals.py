"""How far a figure may be trusted: intervals by drawing authors, not pairs.

Two pairs of one author are not independent, so what is drawn with replacement are authors. A pair
counts as often as its author was drawn; a pair of two authors as often as both were, multiplied.
Two methods are compared under the same draws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt

from adhominem.laboratory.evaluation.answers import Answers

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
    return np.asarray(weights @ _wrong(answers) / weights.sum(axis=1))


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


MEASURES: dict[str, WeightedMeasure] = {
    "error": weighted_error,
    "auc": weighted_auc,
    "cllr": weighted_cllr,
}


def draw_values(
    answers: Mapping[str, Answers], *, seed: int = 0
) -> dict[str, dict[str, tuple[float, Floats]]]:
    """For every method and measure, the value and what each draw gave. The methods must answer the
    same pairs in the same order, and share the draws."""
    first = next(iter(answers.values()))
    whole = np.ones((1, len(first)))
    parts: dict[str, dict[str, list[Floats]]] = {
        name: {key: [] for key in MEASURES} for name in answers
    }
    with np.errstate(invalid="ignore", divide="ignore"):  # a draw may hold one kind of pairs alone
        for weights in draw_weights(first.authors, seed):
            for name, said in answers.items():
                for key, measure in MEASURES.items():
                    parts[name][key].append(measure(said, weights))
        return {
            name: {
                key: (float(measure(said, whole)[0]), np.concatenate(parts[name][key]))
                for key, measure in MEASURES.items()
            }
            for name, said in answers.items()
        }


def interval_of(value: float, values: Floats) -> Interval:
    if np.isnan(value):
        return Interval(value, value, value)
    low, high = np.nanquantile(values, [0.025, 0.975])
    return Interval(value, float(low), float(high))


def intervals_of(answers: Answers, *, seed: int = 0) -> dict[str, dict[str, float]]:
    """Of each measure of one method, ready for JSON."""
    drawn = draw_values({"": answers}, seed=seed)[""]
    return {key: asdict(interval_of(*values)) for key, values in drawn.items()}


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
    drawn = draw_values({"one": one, "other": other}, seed=seed)
    return difference(one, other, drawn["one"]["error"], drawn["other"]["error"], seed=seed)


def difference(
    one: Answers,
    other: Answers,
    drawn: tuple[float, Floats],
    drawn_other: tuple[float, Floats],
    *,
    seed: int = 0,
) -> Difference:
    """The same with errors under shared draws, which two methods of many have already."""
    found = interval_of(drawn[0] - drawn_other[0], drawn[1] - drawn_other[1])
    gap = _wrong(one) - _wrong(other)
    return Difference(found.value, found.low, found.high, _exchange(one, gap, seed))


def _wrong(answers: Answers) -> Floats:
    """1 for a wrong answer, a half for an open one."""
    wrong = (answers.score > 0.5) != answers.same_author
    return np.where(answers.score == 0.5, 0.5, wrong).astype(np.float64)


def _exchange(answers: Answers, gap: Floats, seed: int) -> float:
    """A pair of two authors is exchanged with its left one."""
    _, author = np.unique(_numbers(answers.authors)[:, 0], return_inverse=True)
    per_author = np.bincount(author, weights=gap)
    rng = np.random.default_rng(seed)
    signs = rng.choice([-1.0, 1.0], (ROUNDS * 10, len(per_author)))
    found = np.abs(signs @ per_author)
    return float((1 + np.sum(found >= abs(gap.sum()) - 1e-9)) / (len(found) + 1))


def draw_weights(names: npt.NDArray[np.object_], seed: int) -> Iterator[Floats]:
    """Blocks of (rounds, pairs): how often each pair counts; `names` are the authors (pairs, 2)."""
    authors = _numbers(names)
    n = int(authors.max(initial=-1)) + 1
    rng = np.random.default_rng(seed)
    one, other = authors.T
    for _ in range(ROUNDS // _BLOCK):
        times = rng.multinomial(n, np.full(n, 1 / n), size=_BLOCK).astype(np.float64)
        yield np.where(one == other, times[:, one], times[:, one] * times[:, other])


def _numbers(names: npt.NDArray[np.object_]) -> npt.NDArray[np.int64]:
    """A number for each author in the order in which they appear, so that the draws do not depend
    on names; a pair whose authors are not known stands for itself."""
    names = names.copy()
    for place in np.flatnonzero((names == "").any(axis=1)):
        names[place] = f"\0pair {place}"
    _, first, numbers = np.unique(names.astype(str).ravel(), return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[numbers].reshape(-1, 2)
