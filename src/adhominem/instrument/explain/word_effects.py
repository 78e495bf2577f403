"""Contributions of the words of a pair to its log10 LR, measured by removing them.

All effects are in log10 LR without bounds, by the slope and intercept of the whole pair, so that
words count by content and not by number. The contribution of a word is the share of its line,
divided evenly among the words of the line, plus the deviation of its own effect from the mean
effect in the line; so contributions sum to the log10 LR of the pair. Words are numbered through
both sides, the left one first, without line markers. The terms of views (`view_terms.py`) are added
to the shares of the lines whose words carry them.

The shares of lines are Shapley values: the change of log10 LR when a line joins, averaged over
random orders in which the lines of both sides join. A pair with an empty side has a log10 LR of 0,
so the shares of every order sum to the log10 LR of the pair. A part of a pair is judged by the
calibration for its length. Each order is followed by its reverse (antithetic sampling).
"""

from collections.abc import Callable
from functools import cached_property

import numpy as np

from adhominem.arrays import Booleans, Floats, Integers
from adhominem.instrument.evidence.calibration import Covariates, covariates_of, harmonic_mean
from adhominem.instrument.evidence.decision import Calibrations, calibration_for
from adhominem.instrument.evidence.matrix import distances
from adhominem.instrument.explain.view_terms import Terms
from adhominem.instrument.network.removal import Removal, Remover
from adhominem.instrument.network.side import ReadSide
from adhominem.instrument.network.weights import Network
from adhominem.instrument.views.views import Views
from adhominem.pausing import pause

MOST_WORDS = 10_000  # a pair with more words is shown without contributions
CONTRIBUTIONS = "shares"
# log10 LR of variants, from the features and the numbers of tokens of both sides.
Value = Callable[[Floats, Floats, Integers, Integers], Floats]
_MAX_STEPS = 20_000  # steps, at each of which a line joins, of all orders
_MAX_ORDERS = 32
_MAX_ROWS = 2048  # steps that are read together


class WordEffects:
    """The effects of removing words of one pair, each side of which has at least one word."""

    def __init__(
        self,
        network: Network,
        left: ReadSide,
        right: ReadSide,
        calibrations: Calibrations,
        max_lines: int,
        views: Views | None = None,
    ) -> None:
        self._calibration = calibration_for(calibrations, left.reading, right.reading)
        self._covariates = covariates_of(left.reading, right.reading)
        line = self._calibration.line([0.0, 1.0], self._covariates)
        self._intercept, self._slope = float(line[0]), float(line[1] - line[0])
        self._sides = (left, right)
        self._terms = None
        if views is not None and views.fusions:
            readings = left.reading, right.reading
            self._covariates = views.covariates(left.vector, right.vector, *readings)
            fusion = views.fusion_for(left.vector, right.vector, *readings)
            self._terms = Terms(views.kinds, fusion, left, right, self._covariates)
        removers = (Remover(network, side.encoded, max_lines=max_lines) for side in self._sides)
        self._left, self._right = removers
        self._effects: dict[Removal, Floats] = {}

    @property
    def n_words(self) -> int:
        return self._left.n_words + self._right.n_words

    def llr(self, kept: Booleans, removal: Removal = "delete") -> Floats:
        """log10 LR of variants of the pair, given by rows of `kept` (variants, words)."""
        one, other = np.split(kept, [self._left.n_words], axis=1)
        left, right = self._left.features(one, removal), self._right.features(other, removal)
        return self._line(left, right, 0.0 if self._terms is None else self._terms.views(kept))

    @property
    def numbers(self) -> Integers:
        """The vocabulary number of each word; frequent words have small numbers."""
        return np.concatenate([self._left.numbers, self._right.numbers])

    def weigh(self, method: str) -> Floats:
        """The weights of all words by one of METHODS."""
        return METHODS[method](self)

    def attention(self) -> Floats:
        """Word attention times sentence attention times the text's share of the words."""
        weights = []
        for read, side in ((side.features, side.encoded) for side in self._sides):
            assert read.word_attention is not None and read.sentence_attention is not None
            n_words = np.diff(side.lines[side.documents] - side.documents)
            shares = np.repeat(n_words / n_words.sum(), np.diff(side.documents))
            lines = np.repeat(read.sentence_attention * shares, np.diff(side.lines))
            weights.append((read.word_attention * lines)[side.is_word].astype(np.float64))
        return np.concatenate(weights)

    def effect(self, removal: Removal = "delete") -> Floats:
        """log10 LR of the whole pair minus log10 LR without each word in turn."""
        if removal not in self._effects:
            sides = (self._left, self._right)
            left, right = (side.features(np.ones((1, side.n_words), bool)) for side in sides)
            one = self._line(self._left.features_without_each(removal), right)
            other = self._line(left, self._right.features_without_each(removal))
            without = np.concatenate([one, other])
            self._effects[removal] = self._line(left, right) - without + self._view_effect
        return self._effects[removal]

    @cached_property
    def _view_effect(self) -> Floats | float:
        """The part of the effects that is due to the views."""
        if self._terms is None:
            return 0.0
        each = ~np.eye(self.n_words, dtype=bool)
        terms = self._terms.views(np.concatenate([np.ones((1, self.n_words), bool), each]))
        effect: Floats = self._slope * (terms[0] - terms[1:])
        return effect

    def contributions(self) -> Floats:
        """The contribution of every word; contributions sum to the log10 LR of the pair."""
        n_words = np.concatenate([self._left.line_words, self._right.line_words])
        line = np.repeat(np.arange(len(n_words)), n_words)
        shares, effect = share_lines(self._left, self._right, self._value), self.effect()
        if self._terms is not None:
            views = self._slope * self._terms.contributions()
            shares = shares + np.bincount(line, weights=views, minlength=len(n_words))
        in_line = np.bincount(line, weights=effect, minlength=len(n_words))
        parts: Floats = effect + ((shares - in_line) / n_words)[line]
        return parts

    def _value(
        self, left: Floats, right: Floats, left_words: Integers, right_words: Integers
    ) -> Floats:
        """log10 LR of parts of the pair by the network, calibrated for their length."""
        covariates = self._covariates._replace(length=harmonic_mean(left_words, right_words))
        if self._terms is None:
            norm = harmonic_mean(np.linalg.norm(left, axis=1), np.linalg.norm(right, axis=1))
            covariates = covariates._replace(norm=norm)
        similarity = self._similarity(left, right, covariates)
        return np.nan_to_num(self._calibration.line(similarity, covariates), nan=0.0)

    def _line(self, left: Floats, right: Floats, terms: Floats | float = 0.0) -> Floats:
        """log10 LR from the features of both sides and the terms of views; 0 if a side is empty."""
        similarity = self._similarity(left, right, self._covariates) + terms
        return np.nan_to_num(self._intercept + self._slope * similarity, nan=0.0)

    def _similarity(self, left: Floats, right: Floats, covariates: Covariates) -> Floats:
        if self._terms is None:
            return -distances(left, right)
        return self._terms.network(left, right, covariates)


METHODS: dict[str, Callable[[WordEffects], Floats]] = {
    "attention": WordEffects.attention,
    "occlusion": WordEffects.effect,
    "shares": WordEffects.contributions,
}


def share_lines(left: Remover, right: Remover, value: Value, *, seed: int = 0) -> Floats:
    """The share of every line, the left side first; orders depend on the seed and the texts."""
    if left.digest > right.digest:
        swapped = share_lines(right, left, lambda a, b, n, m: value(b, a, m, n), seed=seed)
        return np.roll(swapped, left.n_lines)
    n_lines = left.n_lines + right.n_lines
    n_orders = int(np.clip(_MAX_STEPS // max(n_lines, 1), 2, _MAX_ORDERS)) // 2 * 2
    rng = np.random.default_rng(seed)
    half = np.stack([rng.permutation(n_lines) for _ in range(n_orders // 2)])
    ranks = np.argsort(np.concatenate([half, half[:, ::-1]]), axis=1)  # step at which a line joins
    total = np.zeros(n_lines)
    size = max(1, _MAX_ROWS // (n_lines + 1))
    for block in (ranks[start : start + size] for start in range(0, n_orders, size)):
        pause()
        one, one_words = _grow(left, block[:, : left.n_lines], n_lines)
        other, other_words = _grow(right, block[:, left.n_lines :], n_lines)
        values = value(one, other, one_words, other_words).reshape(len(block), -1)
        total += np.take_along_axis(np.diff(values), block, axis=1).sum(axis=0)
    return total / n_orders


def _grow(side: Remover, ranks: Integers, n_steps: int) -> tuple[Floats, Integers]:
    """Features and number of words of a side after every step, given each line's step."""
    kept = (ranks[:, None] < np.arange(n_steps + 1)[:, None]).reshape(-1, side.n_lines)
    return side.features_of_lines(kept), kept @ side.line_words
