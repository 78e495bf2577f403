"""Evaluation measures, and the table of the measures in every report.

A measure is a function of two arrays: scores (P(same author) at equal priors; 0.5 is no answer) or
log10 likelihood ratios, and the truth. c@1, F0.5u and others are defined as in the PAN shared
tasks. To add a measure, write its function and a row of MEASURES.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from adhominem.arrays import Booleans, Floats
from adhominem.laboratory.evaluation.answers import Answers

Weighted = Callable[[Floats, Booleans, Floats], Floats]  # with (rounds, pairs) weights
_BINS = 10


def wrong_answers(score: Floats, same_author: Booleans) -> Floats:
    """1 for each wrong answer, 1/2 for each undecided pair, 0 for each right answer."""
    return np.where(score == 0.5, 0.5, (score > 0.5) != same_author)


def error_rate(score: Floats, same_author: Booleans) -> float:
    """Share of wrong answers; an undecided pair counts one half."""
    return float(wrong_answers(score, same_author).mean()) if len(score) else float("nan")


def auc(score: Floats, same_author: Booleans) -> float:
    """Probability that a same-author pair scores above a different-author pair; ties count half."""
    return _whole(weighted_auc, score, same_author)


def roc(score: Floats, same_author: Booleans) -> tuple[Floats, Floats]:
    """False and true positive rates at every threshold, highest threshold first."""
    order = np.argsort(-score, kind="stable")
    last = np.append(np.diff(score[order]) != 0, True)  # last of equal scores
    same = same_author[order]
    true = np.cumsum(same)[last] / max(same.sum(), 1)
    false = np.cumsum(~same)[last] / max((~same).sum(), 1)
    return np.append(0.0, false), np.append(0.0, true)


def equal_error_rate(score: Floats, same_author: Booleans) -> float:
    """The error rate where false positive and false negative rate are equal, interpolated."""
    if same_author.all() or not same_author.any():
        return float("nan")
    false, true = roc(score, same_author)
    return float(np.interp(0.0, false - (1 - true), false))  # the difference ascends from -1 to 1


def c_at_1(score: Floats, same_author: Booleans) -> float:
    """Accuracy, where undecided pairs get the accuracy of the answered ones (Peñas & Rodrigo)."""
    undecided = score == 0.5
    correct = np.sum(((score > 0.5) == same_author) & ~undecided)
    n = len(score)
    return float((correct + undecided.sum() * correct / n) / n)


def f_05_u(score: Floats, same_author: Booleans) -> float:
    """F-score that favours precision; an undecided pair counts as a false negative (Bevendorff
    et al.). An early script of PAN 2020 differs: by an error it counted no undecided pairs."""
    accepted = score > 0.5
    true = np.sum(accepted & same_author)
    false = np.sum(accepted & ~same_author)
    missed = np.sum((score < 0.5) & same_author) + np.sum(score == 0.5)
    total = 1.25 * true + 0.25 * missed + false
    return float(1.25 * true / total) if total else 0.0


def f_1(score: Floats, same_author: Booleans) -> float:
    """Harmonic mean of precision and recall over the answered pairs."""
    answered = score != 0.5
    accepted, truth = score[answered] > 0.5, same_author[answered]
    total = accepted.sum() + truth.sum()
    return float(2 * np.sum(accepted & truth) / total) if total else 0.0


def brier(score: Floats, same_author: Booleans) -> float:
    """Mean squared difference of score and truth; 0 is perfect. PAN reports 1 minus this."""
    return float(np.mean((score - same_author) ** 2))


def pan_mean(score: Floats, same_author: Booleans) -> float:
    """PAN's ranking: the mean of AUC, c@1, F0.5u, F1 and the complement of Brier."""
    parts = [measure(score, same_author) for measure in (auc, c_at_1, f_05_u, f_1)]
    return float(np.mean([*parts, 1 - brier(score, same_author)]))


def cllr(llr: Floats, same_author: Booleans) -> float:
    """Log likelihood ratio cost in bits: 0 is perfect, 1 uninformative, above 1 misleading."""
    return _whole(weighted_cllr, llr, same_author)


def cllr_min(score: Floats, same_author: Booleans) -> float:
    """Cllr after the best monotone recalibration."""
    if same_author.all() or not same_author.any():
        return float("nan")
    return cllr(recalibrated(score, same_author), same_author)


def recalibrated(score: Floats, same_author: Booleans) -> Floats:
    """log10 likelihood ratios by isotonic regression (pool adjacent violators)."""
    from sklearn.isotonic import IsotonicRegression

    weight = np.where(same_author, 1 / same_author.sum(), 1 / (~same_author).sum())
    rank = np.unique(score, return_inverse=True)[1]  # keeps scores apart that nearly tie
    fit = IsotonicRegression(y_min=0, y_max=1).fit_transform
    posterior = fit(rank, same_author.astype(float), sample_weight=weight)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log10(posterior / (1 - posterior)))


def cross_entropy(llr: Floats, same_author: Booleans, log_odds: Floats) -> Floats:
    """Empirical cross-entropy in bits at prior log10 odds (Ramos et al. 2013); at 0 it is Cllr."""
    prior = 1 / (1 + 10.0**-log_odds)
    posterior = np.add.outer(log_odds, llr) * np.log(10)  # (odds, pairs)
    cost = np.logaddexp(0, np.where(same_author, -posterior, posterior)) / np.log(2)
    same, different = cost[:, same_author].mean(axis=1), cost[:, ~same_author].mean(axis=1)
    return np.asarray(prior * same + (1 - prior) * different)


def reliability(score: Floats, same_author: Booleans) -> list[dict[str, float]]:
    """Reliability diagram: mean score and share of same-author pairs in ten bins of the score."""
    index = np.minimum((score * _BINS).astype(int), _BINS - 1)
    bins = [(score[index == i], same_author[index == i]) for i in np.unique(index)]
    return [{"score": float(s.mean()), "same": float(t.mean()), "pairs": len(s)} for s, t in bins]


def ece(score: Floats, same_author: Booleans) -> float:
    """Expected calibration error: mean absolute gap of score and share in `reliability`."""
    bins = reliability(score, same_author)
    return sum(b["pairs"] * abs(b["score"] - b["same"]) for b in bins) / max(len(score), 1)


def weighted_error(score: Floats, same_author: Booleans, weights: Floats) -> Floats:
    """Error rate under each row of weights."""
    return np.asarray(weights @ wrong_answers(score, same_author) / weights.sum(axis=1))


def weighted_auc(score: Floats, same_author: Booleans, weights: Floats) -> Floats:
    """AUC under each row of weights."""
    order = np.argsort(score, kind="stable")
    score, same, weights = score[order], same_author[order], weights[:, order]
    below = np.cumsum(weights * ~same, axis=1)
    first = np.searchsorted(score, score, side="left")
    last = np.searchsorted(score, score, side="right")
    padded = np.concatenate([np.zeros((len(weights), 1)), below], axis=1)
    beaten = (padded[:, first] + padded[:, last]) / 2  # ties count half
    total = (weights * same).sum(axis=1) * (weights * ~same).sum(axis=1)
    return np.asarray((weights * same * beaten).sum(axis=1) / total)


def weighted_cllr(llr: Floats, same_author: Booleans, weights: Floats) -> Floats:
    """Cllr under each row of weights."""
    cost = np.logaddexp(0, np.where(same_author, -llr, llr) * np.log(10)) / np.log(2)
    same, different = weights * same_author, weights * ~same_author
    mean = same @ cost / same.sum(axis=1) + different @ cost / different.sum(axis=1)
    return np.asarray(mean / 2)


def _whole(weighted: Weighted, values: Floats, same_author: Booleans) -> float:
    """The measure with weights of 1; NaN if one kind of pairs is missing."""
    if same_author.all() or not same_author.any():
        return float("nan")
    return float(weighted(values, same_author, np.ones((1, len(values))))[0])


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure with its name, its presentation and, if it has an interval, its weighted form."""

    name: str  # key in reports
    title: str  # name in tables and sentences
    function: Callable[[Floats, Booleans], float]  # of `column` and the truth; NaN if undefined
    percent: bool = False  # shown in percent with two decimals, otherwise with three
    column: Literal["score", "llr"] = "score"  # of the answers
    weighted: Weighted | None = None  # needed for an interval
    complement: bool = False  # comparisons show 1 minus the value, as PAN does

    def of(self, answers: Answers) -> float:
        """The value over all answers."""
        return self.function(getattr(answers, self.column), answers.same_author)

    def drawn(self, answers: Answers, weights: Floats) -> Floats:
        """The value under each row of weights."""
        assert self.weighted is not None
        return self.weighted(getattr(answers, self.column), answers.same_author, weights)

    @property
    def heading(self) -> str:
        return f"{self.title} %" if self.percent else self.title

    def show(self, value: float | None) -> str:
        """The value as a table cell, "-" for None."""
        return percent(value) if self.percent or value is None else f"{value:.3f}"


def percent(share: float | None, digits: int = 2) -> str:
    """A share in percent, "-" for None."""
    return "-" if share is None else f"{100 * share:.{digits}f}"


ERROR = Measure("error", "error", error_rate, percent=True, weighted=weighted_error)
AUC = Measure("auc", "AUC", auc, weighted=weighted_auc)
BRIER = Measure("brier", "Brier", brier, complement=True)
CLLR = Measure("cllr", "Cllr", cllr, column="llr", weighted=weighted_cllr)
MEASURES = (
    ERROR,
    AUC,
    Measure("eer", "EER", equal_error_rate, percent=True),
    Measure("c_at_1", "c@1", c_at_1),
    Measure("f_05_u", "F0.5u", f_05_u),
    Measure("f_1", "F1", f_1),
    BRIER,
    Measure("pan_mean", "PAN mean", pan_mean),
    CLLR,
    Measure("cllr_min", "Cllr min", cllr_min, column="llr"),
    Measure("ece", "ECE", ece),
)
