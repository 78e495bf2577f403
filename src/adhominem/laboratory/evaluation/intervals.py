"""Confidence intervals by resampling authors.

Pairs that share an author are not independent, so the bootstrap draws authors, not pairs. The
weight of a pair is the number of times that its author was drawn, or the product of both numbers
for two authors. Methods are compared under the same draws.
"""

from collections.abc import Iterator, Mapping

import numpy as np

from adhominem.arrays import Floats, Integers, Objects
from adhominem.laboratory.evaluation.answers import Answers
from adhominem.laboratory.evaluation.measures import MEASURES, wrong_answers

ROUNDS = 1000
_BLOCK = 50  # rounds at a time


def interval(drawn: Floats) -> dict[str, float]:
    """The first value, and the central 95 % of the others as its interval."""
    value, low, high = (float(drawn[0]),) * 3
    if not np.isnan(value):
        low, high = np.nanquantile(drawn[1:], [0.025, 0.975]).tolist()
    return {"value": value, "low": low, "high": high}


def resample(answers: Mapping[str, Answers], *, seed: int = 0) -> dict[str, dict[str, Floats]]:
    """Measures with intervals, by method and name: the value, then its value in each round. The
    methods must answer the same pairs in the same order."""
    first = next(iter(answers.values()))
    measures = [measure for measure in MEASURES if measure.weighted]
    with np.errstate(invalid="ignore", divide="ignore"):  # a draw may have pairs of one kind only
        blocks = [
            [[measure.drawn(own, weights) for measure in measures] for own in answers.values()]
            for weights in draw_weights(first.authors, seed)
        ]
    drawn = np.concatenate(blocks, axis=2)  # (methods, measures, rounds)
    names = [measure.name for measure in measures]
    by_name = [dict(zip(names, rows, strict=True)) for rows in drawn]
    return dict(zip(answers, by_name, strict=True))


def drawn_means(sums: Floats, counts: Floats, authors: Objects) -> Floats:
    """Column-wise ratio of weighted sums and counts in each round; NaN where no drawn pair counts.
    Both arrays have a row for each pair of authors."""
    with np.errstate(invalid="ignore"):
        return np.concatenate([times @ sums / (times @ counts) for times in draw_weights(authors)])


def exchange_p(one: Answers, other: Answers, *, seed: int = 0) -> float:
    """Two-sided p-value of a permutation test for the difference in error of two methods on equal
    pairs. All answers to pairs with the same left author are exchanged together."""
    gap = wrong_answers(one.score, one.same_author) - wrong_answers(other.score, other.same_author)
    _, author = np.unique(_number_authors(one.authors)[:, 0], return_inverse=True)
    per_author = np.bincount(author, weights=gap)
    signs = np.random.default_rng(seed).choice([-1.0, 1.0], (ROUNDS * 10, len(per_author)))
    exchanged = np.abs(signs @ per_author)
    return float((1 + np.sum(exchanged >= abs(gap.sum()) - 1e-9)) / (len(exchanged) + 1))


def draw_weights(authors: Objects, seed: int = 0) -> Iterator[Floats]:
    """Blocks of bootstrap weights (rounds, pairs); the first block is one round of weights 1."""
    yield np.ones((1, len(authors)))
    numbers = _number_authors(authors)
    n = int(numbers.max(initial=-1)) + 1
    rng = np.random.default_rng(seed)
    one, other = numbers.T
    for _ in range(ROUNDS // _BLOCK):
        times = rng.multinomial(n, np.full(n, 1 / n), size=_BLOCK).astype(np.float64)
        yield np.where(one == other, times[:, one], times[:, one] * times[:, other])


def _number_authors(authors: Objects) -> Integers:
    """Integer codes of authors; both of a pair with an unknown author get a code of their own."""
    numbers: dict[str | int, int] = {}
    names = (i if "" in pair else name for i, pair in enumerate(authors.tolist()) for name in pair)
    numbered = [numbers.setdefault(name, len(numbers)) for name in names]
    return np.array(numbered, dtype=np.int64).reshape(-1, 2)
