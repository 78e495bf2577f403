"""How good scores are. Every measure is a function of arrays: what was said and what is true.

A score is P(same author) at equal priors; 0.5 says nothing. Names and definitions of c@1, F0.5u and
the rest are those of the PAN competitions.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Booleans = npt.NDArray[np.bool_]
LIMIT = 1e-6  # a score this near to 0 or 1 is not taken for more when it becomes a ratio
_BINS = 10


def llr_of(score: Floats) -> Floats:
    """log10 likelihood ratio of scores that came without one."""
    held = np.clip(score, LIMIT, 1 - LIMIT)
    return np.log10(held / (1 - held))


def error_rate(score: Floats, same_author: Booleans) -> float:
    """Verdicts on the wrong side of 0.5; a verifier that cannot say is half wrong."""
    if not len(score):
        return float("nan")
    wrong = np.where(score == 0.5, 0.5, (score > 0.5) != same_author)
    return float(wrong.mean())


def auc(score: Floats, same_author: Booleans) -> float:
    """The chance that a same-author pair scores above a different-author pair; ties count half."""
    from scipy.stats import rankdata

    n_same = int(same_author.sum())
    n_different = len(same_author) - n_same
    if not n_same or not n_different:
        return float("nan")
    ranks = rankdata(score)[same_author].sum() - n_same * (n_same + 1) / 2
    return float(ranks / (n_same * n_different))


def roc(score: Floats, same_author: Booleans) -> tuple[Floats, Floats]:
    """False and true positive rates at every threshold, from none accepted to all."""
    order = np.argsort(-score, kind="stable")
    last = np.append(np.diff(score[order]) != 0, True)  # of equal scores
    same = same_author[order]
    true = np.cumsum(same)[last] / max(same.sum(), 1)
    false = np.cumsum(~same)[last] / max((~same).sum(), 1)
    return np.append(0.0, false), np.append(0.0, true)


def equal_error_rate(score: Floats, same_author: Booleans) -> float:
    """Where both kinds of error are equally frequent, on the line between two thresholds."""
    if same_author.all() or not same_author.any():
        return float("nan")
    false, true = roc(score, same_author)
    gap = false - (1 - true)  # ascends from -1 to 1
    i = int(np.searchsorted(gap, 0.0))
    if gap[i] == 0:
        return float(false[i])
    share = gap[i - 1] / (gap[i - 1] - gap[i])
    return float(false[i - 1] + share * (false[i] - false[i - 1]))


def c_at_1(score: Floats, same_author: Booleans) -> float:
    """Accuracy, with the accuracy of the answered pairs for those left open (Peñas & Rodrigo)."""
    undecided = score == 0.5
    correct = np.sum(((score > 0.5) == same_author) & ~undecided)
    n = len(score)
    return float((correct + undecided.sum() * correct / n) / n)


def f_05_u(score: Floats, same_author: Booleans) -> float:
    """Precision before recall; an unanswered pair counts as one that was missed (Bevendorff et
    al.). Unanswered pairs are counted before scores are made into verdicts: an early script of PAN
    2020 did it afterwards, when none were left."""
    said = score > 0.5
    true = np.sum(said & same_author)
    false = np.sum(said & ~same_author)
    missed = np.sum((score < 0.5) & same_author) + np.sum(score == 0.5)
    total = 1.25 * true + 0.25 * missed + false
    return float(1.25 * true / total) if total else 0.0


def f_1(score: Floats, same_author: Booleans) -> float:
    """Of the answered pairs."""
    answered = score != 0.5
    said, truth = score[answered] > 0.5, same_author[answered]
    total = said.sum() + truth.sum()
    return float(2 * np.sum(said & truth) / total) if total else 0.0


def brier(score: Floats, same_author: Booleans) -> float:
    """Mean squared distance to the truth: 0 is perfect. PAN reports 1 minus this."""
    return float(np.mean((score - same_author) ** 2))


def pan_mean(score: Floats, same_author: Booleans) -> float:
    """The mean by which PAN ranks: AUC, c@1, F0.5u, F1 and the complement of Brier."""
    parts = [measure(score, same_author) for measure in (auc, c_at_1, f_05_u, f_1)]
    return float(np.mean([*parts, 1 - brier(score, same_author)]))


def cllr(llr: Floats, same_author: Booleans) -> float:
    """The cost of the likelihood ratios in bits: 0 is perfect, 1 says nothing, above 1 misleads."""
    if same_author.all() or not same_author.any():
        return float("nan")
    natural = llr * np.log(10)
    same = np.logaddexp(0, -natural[same_author]).mean()
    different = np.logaddexp(0, natural[~same_author]).mean()
    return float((same + different) / 2 / np.log(2))


def cllr_min(score: Floats, same_author: Booleans) -> float:
    """What is left of Cllr after the best monotone recalibration (pool adjacent violators)."""
    from sklearn.isotonic import IsotonicRegression

    if same_author.all() or not same_author.any():
        return float("nan")
    weight = np.where(same_author, 1 / same_author.sum(), 1 / (~same_author).sum())
    rank = np.unique(score, return_inverse=True)[1]  # scores a rounding error apart stay apart
    posterior = IsotonicRegression(y_min=0, y_max=1).fit_transform(
        rank, same_author.astype(float), sample_weight=weight
    )
    with np.errstate(divide="ignore"):
        return float(
            (
                np.mean(np.log2(1 + (1 - posterior[same_author]) / posterior[same_author]))
                + np.mean(np.log2(1 + posterior[~same_author] / (1 - posterior[~same_author])))
            )
            / 2
        )


def reliability(score: Floats, same_author: Booleans) -> list[dict[str, float]]:
    """Mean score against the share of same-author pairs, in ten bins of the score."""
    place = np.minimum((score * _BINS).astype(int), _BINS - 1)
    return [
        {
            "score": float(score[place == i].mean()),
            "same": float(same_author[place == i].mean()),
            "pairs": int(np.sum(place == i)),
        }
        for i in range(_BINS)
        if np.any(place == i)
    ]


def ece(score: Floats, same_author: Booleans) -> float:
    """Expected calibration error: how far score and share are apart, on average over the pairs."""
    bins = reliability(score, same_author)
    return sum(b["pairs"] * abs(b["score"] - b["same"]) for b in bins) / max(len(score), 1)
