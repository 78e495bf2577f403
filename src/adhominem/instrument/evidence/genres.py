"""Which of the genres it was trained on a text is like, and whether it is like any.

A genre is known by how often its training authors use each word. The surprise of a text is the mean
number of bits it takes to write one of its tokens by those frequencies; the genre with the least
surprise is the nearest. Not every genre can be told by that: one is known on sight when hardly any
text of the others comes nearest to it. A text is far from a genre when it surprises more than all
but one in two hundred of the genre's own development texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from adhominem.instrument.text.encode import Encoded

Floats = npt.NDArray[np.float32]
_FAR = 0.995  # of the development texts are nearer
_MOST_TAKEN = 0.05  # of the texts of another genre, for one that is known on sight


@dataclass(frozen=True)
class Genres:
    """`bits[g, w]` of word w of the vocabulary in genre g; beyond `limits[g]` a text is far.
    `detectable` are the names of those that can be told."""

    names: tuple[str, ...]
    bits: Floats
    limits: tuple[float, ...]
    detectable: tuple[str, ...]

    @classmethod
    def fit(
        cls,
        names: Sequence[str],
        train: Sequence[Encoded],
        dev: Sequence[Encoded],
        n_words: int,
        unseen: Sequence[Encoded] = (),
    ) -> Genres:
        """From the training texts of each genre, its development texts, and texts of genres that
        the network has not learnt from."""
        counts = np.stack(
            [np.bincount(texts.type_words[texts.tokens], minlength=n_words) for texts in train]
        )
        bits = -np.log2((counts + 0.5) / (counts + 0.5).sum(axis=1, keepdims=True))
        bits = bits.astype(np.float16).astype(np.float32)
        names = tuple(names)
        unlimited = cls(names, bits, (np.inf,) * len(names), names)
        surprise = [unlimited.bits_per_token(texts) for texts in (*dev, *unseen)]
        limits = [
            float(np.quantile(surprise[number][:, number], _FAR)) for number in range(len(names))
        ]
        nearest = [
            bits_per_token.argmin(axis=1) for bits_per_token in surprise if len(bits_per_token)
        ]
        detectable = [
            name
            for number, name in enumerate(names)
            if all(
                np.mean(taken == number) <= _MOST_TAKEN
                for place, taken in enumerate(nearest)
                if place != number
            )
        ]
        return cls(names, bits, tuple(limits), tuple(detectable))

    def bits_per_token(self, texts: Encoded) -> npt.NDArray[np.float64]:
        """The surprise of each document in each genre; markers count, an empty text has none."""
        words = texts.type_words[texts.tokens]
        edges = texts.lines[texts.documents]
        lengths = np.maximum(np.diff(edges), 1)
        return np.stack(
            [
                np.diff(np.concatenate([[0.0], np.cumsum(row[words], dtype=np.float64)])[edges])
                / lengths
                for row in self.bits
            ],
            axis=1,
        )

    def place(self, bits_per_token: npt.NDArray[np.float64]) -> tuple[str | None, bool]:
        """The nearest genre, None where it cannot be told on sight, and whether the text is far
        from every genre."""
        out_of_domain = bool((bits_per_token > self.limits).all())
        nearest = self.names[int(np.argmin(bits_per_token))]
        return (nearest if nearest in self.detectable else None), out_of_domain
