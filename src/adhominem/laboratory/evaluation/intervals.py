"""Confidence intervals by resampling authors.

Two pairs of one author are not independent, so authors are drawn with replacement, not pairs. A
pair counts as often as its author was drawn; a pair of two authors counts as often as both were,
multiplied. Methods are compared under the same draws.
"""

from collections.abc import Iterator, Mapping

import numpy as np

from adhominem.arrays import Floats, Integers, Objects
from adhominem.laboratory.evaluation.answers import Answers
from adhominem.laboratory.evaluation.measures import MEASURES, wrong_answers

ROUNDS = 1000
_BLOCK = 50  # rounds at a time


def interval(drawn: Floats) -> dict[str, float]:
    """A value and the middle 95 % of its values in later rounds, ready for JSON."""
    value, low, high = (float(drawn[0]),) * 3
    if not np.isnan(value):
        low, high = np.nanquantile(drawn[1:], [0.025, 0.975]).tolist()
    return {"value": value, "low": low, "high": high}


def resample(answers: Mapping[str, Answers], *, seed: int = 0) -> dict[str, dict[str, Floats]]:
    """Measures that have an interval, by method and name: the value, then that of each round.
    The methods must answer the same pairs in the same order; they share the draws."""
    first = next(iter(answers.values()))
    measures = [measure for measure in MEASURES if measure.weighted]
    with np.errstate(invalid="ignore", divide="ignore"):  # a draw may have pairs of one kind only
        blocks = [
            [[measure.drawn(own, weights) for measure in measures] for own in answers.values()]
            for weights in draw_weights(first.authors, seed)
        ]
    drawn = np.concatenate(blocks, axis=2)  # (methods, measures, rounds)
    names = [measure.name for measure in measures]
    return {
        name: dict(zip(names, rows, strict=True)) for name, rows in zip(answers, drawn, strict=True)
    }


def drawn_means(sums: Floats, counts: Floats, authors: Objects) -> Floats:
    """Sums over counts in each round, a column for each column of both; NaN where a round has drawn
    nothing that counts. Both have a row for each pair of authors."""
    with np.errstate(invalid="ignore"):
        return np.concatenate([times @ sums / (times @ counts) for times in draw_weights(authors)])


def exchange_p(one: Answers, other: Answers, *, seed: int = 0) -> float:
    """Two-sided p-value of the difference in error of two methods on the same pairs: how often a
    random exchange of their answers, author by author, gives a difference as large. A pair of two
    authors is exchanged with its left one."""
    gap = wrong_answers(one.score, one.same_author) - wrong_answers(other.score, other.same_author)
    _, author = np.unique(_number_authors(one.authors)[:, 0], return_inverse=True)
    per_author = np.bincount(author, weights=gap)
    signs = np.random.default_rng(seed).choice([-1.0, 1.0], (ROUNDS * 10, len(per_author)))
    exchanged = np.abs(signs @ per_author)
    return float((1 + np.sum(exchanged >= abs(gap.sum()) - 1e-9)) / (len(exchanged) + 1))


def draw_weights(authors: Objects, seed: int = 0) -> Iterator[Floats]:
    """Blocks of (rounds, pairs): how often each pair of authors counts; once in the first block."""
    yield np.ones((1, len(authors)))
    numbers = _number_authors(authors)
    n = int(numbers.max(initial=-1)) + 1
    rng = np.random.default_rng(seed)
    one, other = numbers.T
    for _ in range(ROUNDS // _BLOCK):
        times = rng.multinomial(n, np.full(n, 1 / n), size=_BLOCK).astype(np.float64)
        yield np.where(one == other, times[:, one], times[:, one] * times[:, other])


def _number_authors(authors: Objects) -> Integers:
    """Authors numbered in order of appearance; an unknown author makes a pair of its own."""
    numbers: dict[str | int, int] = {}
    names = (i if "" in pair else name for i, pair in enumerate(authors.tolist()) for name in pair)
    numbered = [numbers.setdefault(name, len(numbers)) for name in names]
    return np.array(numbered, dtype=np.int64).reshape(-1, 2)
