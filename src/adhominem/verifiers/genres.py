"""Which of the genres it was trained on a text is like, and whether it is like any.

A genre is known by how often its training authors use each word. The surprise of a text is the mean
number of bits it takes to write one of its tokens by those frequencies; the genre with the least
surprise is the nearest. A text is far from a genre when it surprises more than all but one in two
hundred of the genre's own development texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from adhominem.text.encode import Encoded

Floats = npt.NDArray[np.float32]
_FAR = 0.995  # of the development texts are nearer


@dataclass(frozen=True)
class Genres:
    """`bits[g, w]` of word w of the vocabulary in genre g; beyond `limits[g]` a text is far."""

    names: tuple[str, ...]
    bits: Floats
    limits: tuple[float, ...]

    @classmethod
    def fit(
        cls,
        names: Sequence[str],
        train: Sequence[Encoded],
        dev: Sequence[Encoded],
        n_words: int,
    ) -> Genres:
        """From the training texts of each genre, and its development texts."""
        counts = np.stack(
            [np.bincount(texts.type_words[texts.tokens], minlength=n_words) for texts in train]
        )
        bits = -np.log2((counts + 0.5) / (counts + 0.5).sum(axis=1, keepdims=True))
        bits = bits.astype(np.float16).astype(np.float32)
        unlimited = cls(tuple(names), bits, (np.inf,) * len(names))
        limits = [
            float(np.quantile(unlimited.bits_per_token(texts)[:, number], _FAR))
            for number, texts in enumerate(dev)
        ]
        return cls(tuple(names), bits, tuple(limits))

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

    def nearest(self, bits_per_token: npt.NDArray[np.float64]) -> tuple[str, bool]:
        """The genre of least surprise, and whether the text is far from every genre."""
        is_far = bool((bits_per_token > self.limits).all())
        return self.names[int(np.argmin(bits_per_token))], is_far
