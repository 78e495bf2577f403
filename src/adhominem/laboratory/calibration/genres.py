"""Fits the word frequencies by which genres are recognised."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from adhominem.instrument.evidence.genres import Genres
from adhominem.instrument.text.encode import Encoded

_FAR = 0.995  # share of the development texts within the limit of their genre
_MOST_TAKEN = 0.05  # share of the texts of another genre that may be nearest to a detectable one


def fit_genres(
    names: Sequence[str],
    train: Sequence[Encoded],
    dev: Sequence[Encoded],
    n_words: int,
    unseen: Sequence[Encoded] = (),
) -> Genres:
    """Genres from the training and development texts of each.

    unseen   texts of genres that the network has not learnt from, which a detectable genre must not
             be taken for
    """
    counts = np.stack(
        [np.bincount(texts.type_words[texts.tokens], minlength=n_words) for texts in train]
    )
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
