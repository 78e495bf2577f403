"""A pair taken apart word by word: what each is worth, and what is left without some of them.

Everything is in log10 LR before its bounds, by the line that the calibration has for the whole
pair: it does not move when words are taken away, so that what they say counts and not how many they
are.
Words are numbered through both sides, the left one first; markers are not words.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
import numpy.typing as npt

from adhominem.instrument.text.encode import Encoded
from adhominem.laboratory.network.encoder import encode_documents
from adhominem.laboratory.network.gradients import integrated_gradients
from adhominem.laboratory.network.model import AdHominem
from adhominem.laboratory.network.removal import Reader, Removal

Booleans = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
MOST_WORDS = 10_000  # of a pair that is taken apart to be shown: half a minute
CONTRIBUTIONS = "gradients and occlusion"  # the most faithful of METHODS: results/faithfulness.json


class WordEffects:
    """Each side is a corpus of its texts, of which at least one has a word; log10 LR is
    `intercept` + `slope` * similarity."""

    def __init__(
        self,
        network: AdHominem,
        left: Encoded,
        right: Encoded,
        *,
        slope: float,
        intercept: float,
        max_lines: int = 40,
    ) -> None:
        self._network = network
        self._slope = slope
        self._intercept = intercept
        self._corpora = (left, right)
        self._max_lines = max_lines
        self._left = Reader(network, left, max_lines=max_lines)
        self._right = Reader(network, right, max_lines=max_lines)
        self._effects: dict[Removal, Floats] = {}

    @property
    def n_words(self) -> int:
        return self._left.n_words + self._right.n_words

    def llr(self, kept: Booleans, removal: Removal = "delete") -> Floats:
        """Of each row of `kept` (variants, words)."""
        split = self._left.n_words
        left = self._left.features(kept[:, :split], removal)
        right = self._right.features(kept[:, split:], removal)
        return self._line(left, right)

    def weigh(self, method: str) -> Floats:
        """The words by one of METHODS."""
        return METHODS[method](self)

    def attention(self) -> Floats:
        """Word attention times sentence attention, in texts by their share of the side's words."""
        return np.concatenate([self._attention(side) for side in self._corpora])

    def effect(self, removal: Removal = "delete") -> Floats:
        """What taking the word away, and no other, takes from log10 LR."""
        if removal not in self._effects:
            self._effects[removal] = self._effect(removal)
        return self._effects[removal]

    @cached_property
    def gradients(self) -> Floats:
        """Integrated gradients; over a side they add up to what the unknown token in the place of
        all its words takes from log10 LR."""
        parts = integrated_gradients(self._network, *self._corpora, max_lines=self._max_lines)
        return self._slope * np.concatenate([parts.left, parts.right])

    def _effect(self, removal: Removal) -> Floats:
        left, right = (r.features(_all(r.n_words)) for r in (self._left, self._right))
        whole = self._line(left, right)
        without = np.concatenate(
            [
                self._line(self._left.features_without_each(removal), right),
                self._line(left, self._right.features_without_each(removal)),
            ]
        )
        taken: Floats = whole - without
        return taken

    def _line(self, left: Floats, right: Floats) -> Floats:
        """0 where a side has no word left, as there is nothing to compare then."""
        distance = np.linalg.norm(left - right, axis=1)
        line: Floats = np.nan_to_num(self._intercept - self._slope * distance, nan=0.0)
        return line

    def _attention(self, side: Encoded) -> Floats:
        read = encode_documents(self._network, side, max_lines=self._max_lines)
        assert read.word_attention is not None and read.sentence_attention is not None
        n_words = np.diff(side.lines[side.documents] - side.documents)
        weight = read.sentence_attention * np.repeat(
            n_words / n_words.sum(), np.diff(side.documents)
        )
        product = read.word_attention * np.repeat(weight, np.diff(side.lines))
        return np.delete(product, side.lines[1:] - 1).astype(np.float64)


METHODS: dict[str, Callable[[WordEffects], Floats]] = {
    "attention": WordEffects.attention,
    "occlusion": WordEffects.effect,
    "integrated gradients": lambda pair: pair.gradients,
    "gradients and occlusion": lambda pair: (pair.gradients + pair.effect()) / 2,
}


def _all(n_words: int) -> Booleans:
    return np.ones((1, n_words), dtype=bool)
