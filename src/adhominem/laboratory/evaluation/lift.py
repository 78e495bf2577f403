"""Attention lift: is what bears a label attended more than its text on average?

The relative attention of a token is its weight over the mean weight of the tokens of its text, so
that long texts count like short ones and 1 is no lift. With S the sum of it over the tokens of a
text that bear the label and N their number,

    lift = sum S / sum N

over all texts. Texts of one author are not independent: intervals are made by drawing authors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from adhominem.laboratory.evaluation.intervals import draw_weights, interval_of

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Members:
    """Token `token[i]` bears the label `label[i]`; no such pair stands twice."""

    token: Integers
    label: Integers


@dataclass(frozen=True, slots=True)
class Tally:
    """For each text and label: the sum of relative attention, the number of tokens, and how many of
    them are among the five highest of their text. Each is (n_texts, n_labels)."""

    sums: Floats
    counts: Floats
    top: Floats


def relative_weights(weights: Floats, owner: Integers, n_texts: int) -> Floats:
    """Each over the mean of its text, `owner`."""
    total = np.bincount(owner, weights=weights, minlength=n_texts)
    count = np.bincount(owner, minlength=n_texts)
    return np.asarray(weights * count[owner] / total[owner])


def tally(
    values: Floats,
    owner: Integers,
    is_top: Booleans,
    members: Members,
    *,
    n_texts: int,
    n_labels: int,
) -> Tally:
    cell = owner[members.token] * n_labels + members.label

    def add(covariates: Floats | Booleans) -> Floats:
        flat = np.bincount(cell, weights=covariates[members.token], minlength=n_texts * n_labels)
        return np.asarray(flat.reshape(n_texts, n_labels))

    return Tally(add(values), add(np.ones(len(values))), add(is_top))


def join_tallies(parts: Sequence[Tally]) -> Tally:
    """Further texts below."""
    return Tally(
        np.concatenate([part.sums for part in parts]),
        np.concatenate([part.counts for part in parts]),
        np.concatenate([part.top for part in parts]),
    )


def lift_rows(
    names: Sequence[str], found: Tally, authors: Sequence[str], *, n_tokens: int, n_top: int
) -> list[dict[str, Any]]:
    """One for each label that is met, ready for JSON; shares are of all tokens and of all that are
    among the five highest of their texts."""
    lifts = mean_rows(found.sums, found.counts, authors)
    return [
        {
            "name": name,
            "tokens": int(count),
            "share": count / n_tokens,
            "top_share": top / n_top,
            "lift": lift,
        }
        for name, count, top, lift in zip(
            names, found.counts.sum(axis=0), found.top.sum(axis=0), lifts, strict=True
        )
        if count
    ]


def mean_rows(
    sums: Floats, counts: Floats, authors: Sequence[str], *, seed: int = 0
) -> list[dict[str, float]]:
    """For each column the mean, and the middle 95 % of means when authors are drawn anew; both
    arrays are (n_texts, n_columns)."""
    names = np.array([authors, authors], dtype=object).T
    drawn = []
    with np.errstate(invalid="ignore"):  # a draw may leave out all texts that have the label
        for times in draw_weights(names, seed):
            drawn.append(times @ sums / (times @ counts))
        means = sums.sum(axis=0) / counts.sum(axis=0)
    rounds = np.concatenate(drawn)  # (rounds, n_columns)
    return [
        asdict(interval_of(float(mean), rounds[:, column])) for column, mean in enumerate(means)
    ]
