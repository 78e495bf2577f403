"""Base class of the compared methods, and the texts of pairs as they read them.

Each distinct text is read once, however many pairs it is in. The texts of a side are weighted by
their numbers of tokens, so that a text given twice counts as one.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from inspect import signature
from typing import Any, ClassVar

import numpy as np

from adhominem.arrays import Booleans, Floats, Integers
from adhominem.errors import InputError, NotFittedError
from adhominem.instrument.text.tokenise import tokenise
from adhominem.instrument.text.tokenised import Tokenised
from adhominem.instrument.verifier import Comparisons, ModelState
from adhominem.laboratory.verifiers.trainable import TrainableVerifier
from adhominem.records import Pair

Features = Any  # an array or a sparse one, a row for each text


@dataclass(frozen=True, slots=True)
class Texts:
    """The distinct texts of pairs, and the sides they make up: all left sides, then all right ones.

    sides        sparse (sides, texts): share of each text in the tokens of the side
    side_tokens  number of tokens of each side
    """

    texts: list[str]
    tokens: Tokenised
    sides: Any
    side_tokens: Integers

    def join(self, features: Features) -> Features:
        """Features of sides: the mean over their texts, weighted by tokens."""
        return self.sides @ features


def read_sides(pairs: Sequence[Pair]) -> Texts:
    """Tokenises the texts of the pairs; a side without tokens has shares of 0."""
    from scipy import sparse

    both = [pair.left for pair in pairs] + [pair.right for pair in pairs]
    numbers: dict[str, int] = {}
    rows, columns = [], []
    for i, side in enumerate(both):
        for document in side:
            rows.append(i)
            columns.append(numbers.setdefault(document.text, len(numbers)))
    tokens = tokenise(numbers)
    weights = tokens.n_tokens[columns].astype(np.float64)
    total = np.bincount(rows, weights=weights, minlength=len(both))
    shares = weights / np.maximum(total[rows], 1)
    sides = sparse.csr_array((shares, (rows, columns)), shape=(len(both), len(numbers)))
    return Texts(list(numbers), tokens, sides, total.astype(np.int64))


class ComparedMethod(TrainableVerifier):
    """A method that compares the texts of pairs.

    A subclass keeps the arguments of its constructor under their names, names in `learned` what
    `_fit` sets (`words` for the attribute `words_`), and writes `_fit` and `_similarities`. Both
    are saved in a model folder: arrays as arrays, everything else as JSON.
    """

    learned: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def _similarities(self, texts: Texts, pairs: Sequence[Pair]) -> Floats:
        """The similarity of each pair; values for sides without tokens are not used."""

    def compare(self, pairs: Sequence[Pair]) -> Comparisons:
        """Similarities of pairs, NaN if a side has no tokens, and the tokens of both sides."""
        self._check_learned()
        if not pairs:
            return Comparisons.of_counts([], [], [])
        texts, n = read_sides(pairs), len(pairs)
        left, right = texts.side_tokens[:n], texts.side_tokens[n:]
        similarity = np.where((left > 0) & (right > 0), self._similarities(texts, pairs), np.nan)
        return Comparisons.of_counts(similarity, left, right)

    def state(self) -> ModelState:
        """Arguments of the constructor and everything learned."""
        self._check_learned()
        values = {name: getattr(self, f"{name}_") for name in self.learned}
        arrays = {name: value for name, value in values.items() if isinstance(value, np.ndarray)}
        tables = {name: value for name, value in values.items() if name not in arrays}
        return ModelState(self._settings(), tables, arrays)

    def restore(self, state: ModelState) -> None:
        """Takes over what `state` returned."""
        for name, value in state.settings.items():
            setattr(self, name, value)
        for name, value in {**state.tables, **state.arrays}.items():
            setattr(self, f"{name}_", value)

    def _similarity(self, pairs: Sequence[Pair]) -> Floats:
        return self.compare(pairs).similarity

    def _settings(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in signature(type(self)).parameters}

    def _check_learned(self) -> None:
        if not all(hasattr(self, f"{name}_") for name in self.learned):
            raise NotFittedError(f"this {self.kind} verifier is not fitted: call fit() or load one")


def limit_pairs(pairs: Sequence[Pair], most: int, seed: int) -> Sequence[Pair]:
    """All pairs, or `most` of them drawn at random, in their order."""
    if len(pairs) <= most:
        return pairs
    chosen = np.random.default_rng(seed).choice(len(pairs), most, replace=False)
    return [pairs[i] for i in np.sort(chosen)]


def labels_of(pairs: Sequence[Pair], used: Booleans) -> Booleans:
    """Whether each of the used pairs has one author; an InputError unless both kinds occur."""
    same = np.array([bool(pair.same_author) for pair in pairs])[used]
    if same.all() or not same.any():
        raise InputError("training pairs are all of one kind: both kinds are needed")
    return same
