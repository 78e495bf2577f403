"""What methods that count features of documents have in common.

Each distinct text is described once, however many pairs it is in. A side of several texts has the
mean of their features by number of tokens, so that a text given twice counts as one.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from adhominem.instrument.text.tokenise import tokenise
from adhominem.instrument.text.tokenised import Tokenised
from adhominem.instrument.verifier import Comparisons
from adhominem.laboratory.verifiers.trainable import TrainableVerifier
from adhominem.records import Explanation, Pair

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Features = Any  # a dense array or a sparse one, a row for each text


@dataclass(frozen=True, slots=True)
class Texts:
    """Distinct texts and their tokens; side i is made of the texts in row i of `sides`.

    sides        sparse (sides, texts): the share that each text has in the side's tokens
    side_tokens  how many tokens each side has
    """

    texts: list[str]
    tokens: Tokenised
    sides: Any
    side_tokens: Integers

    def join(self, features: Features) -> Features:
        """Features of texts to features of sides."""
        return self.sides @ features


def read_sides(pairs: Sequence[Pair]) -> Texts:
    """Left sides first, then right ones. A side without tokens has an empty row."""
    from scipy import sparse

    both = [pair.left for pair in pairs] + [pair.right for pair in pairs]
    place: dict[str, int] = {}
    rows, columns = [], []
    for i, side in enumerate(both):
        for document in side:
            rows.append(i)
            columns.append(place.setdefault(document.text, len(place)))
    tokens = tokenise(place)
    weights = tokens.n_tokens[columns].astype(np.float64)
    total = np.bincount(rows, weights=weights, minlength=len(both))
    shares = weights / np.maximum(total[rows], 1)
    sides = sparse.csr_array((shares, (rows, columns)), shape=(len(both), len(place)))
    return Texts(list(place), tokens, sides, total.astype(np.int64))


class StylometricVerifier(TrainableVerifier):
    """An implementer writes `_fit`, `_features` of texts and `_compare_sides`."""

    @abstractmethod
    def _features(self, texts: Texts) -> Features:
        """A row for each text."""

    @abstractmethod
    def _compare_sides(self, left: Features, right: Features) -> Floats:
        """A similarity for each row of both."""

    def _terms(self, left: Features, right: Features) -> Floats | None:
        """For additive methods: what each feature adds to the similarity of one pair."""
        del left, right
        return None

    def _carriers(self, texts: Texts) -> Any:
        """For additive methods, sparse (tokens of all texts, features): how much of the occurrences
        of each feature falls on each token."""
        raise NotImplementedError

    def explain(self, pair: Pair, *, contributions: bool = True) -> Explanation:
        """By the method's own terms where it is additive, else by occlusion."""
        from adhominem.laboratory.verifiers.terms import explain_by_terms

        decision = self.decide([pair])[0]
        texts = read_sides([pair])
        features = self._features(texts)
        sides = texts.join(features)
        terms = None if decision.reasons else self._terms(sides[:1], sides[1:])
        if terms is None:
            return super().explain(pair, contributions=contributions)
        assert self.calibration_ is not None
        return explain_by_terms(
            pair, decision, texts, features, terms, self._carriers(texts), self.calibration_.slope
        )

    def _similarity(self, pairs: Sequence[Pair]) -> Floats:
        return self.compare(pairs).similarity

    def compare(self, pairs: Sequence[Pair]) -> Comparisons:
        if not pairs:
            return Comparisons.of_counts([], [], [])
        texts = read_sides(pairs)
        sides = texts.join(self._features(texts))
        n = len(pairs)
        similarity = np.asarray(self._compare_sides(sides[:n], sides[n:]), dtype=np.float64)
        left, right = texts.side_tokens[:n], texts.side_tokens[n:]
        similarity[(left == 0) | (right == 0)] = np.nan
        return Comparisons.of_counts(similarity, left, right)
