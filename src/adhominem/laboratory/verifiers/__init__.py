"""Base classes of the compared methods, and the texts of pairs as they read them.

Each distinct text is read once, however many pairs it is in. The texts of a side are weighted by
their numbers of tokens, so that a text given twice counts as one.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
from scipy import sparse

from adhominem.arrays import Booleans, Floats, Integers
from adhominem.errors import ExperimentError, InputError, NotFittedError
from adhominem.instrument.model_folder import verifier_class
from adhominem.instrument.text.tokenise import tokenise
from adhominem.instrument.text.tokenised import offsets
from adhominem.instrument.verifier import Comparisons, ModelState, Verifier
from adhominem.laboratory.calibration.by_genre import calibrate, check_labels
from adhominem.laboratory.evaluation.answers import documents_of
from adhominem.records import Pair

Features = Any  # dense or sparse array with a row for each text


def new_method(kind: str, settings: Mapping[str, Any]) -> "ComparedMethod":
    """An unfitted method with these settings; raises TypeError for a setting it does not have."""
    method = verifier_class(kind)(**settings)
    if not isinstance(method, ComparedMethod):
        raise ExperimentError(f"{kind} is not fitted on pairs: use `adhominem model train`")
    return method


def _authors(pairs: Sequence[Pair]) -> set[str]:
    return {document.author for document in documents_of(pairs) if document.author is not None}


class Texts:
    """The distinct texts of pairs, and the sides they make up: all left sides, then all right ones.

    sides        sparse (sides, texts): share of each text in the tokens of the side
    side_tokens  number of tokens of each side
    """

    def __init__(self, pairs: Sequence[Pair]) -> None:
        both = [pair.left for pair in pairs] + [pair.right for pair in pairs]
        numbers: dict[str, int] = {}
        rows = np.repeat(np.arange(len(both)), [len(side) for side in both])
        columns = [numbers.setdefault(d.text, len(numbers)) for side in both for d in side]
        self.texts, self.tokens = list(numbers), tokenise(numbers)
        weights = self.tokens.n_tokens[columns].astype(np.float64)
        total = np.bincount(rows, weights=weights, minlength=len(both))
        shares = weights / np.maximum(total[rows], 1)
        shape = (len(both), len(numbers))
        self.sides: Any = sparse.csr_array((shares, (rows, columns)), shape=shape)
        self.side_tokens = total.astype(np.int64)

    def join(self, features: Features, pairs: slice = slice(None)) -> tuple[Features, Features]:
        """Features of left and right sides: the mean over their texts, weighted by tokens."""
        left, right = _halves(self.sides)
        return left[pairs] @ features, right[pairs] @ features

    @property
    def comparable(self) -> Booleans:
        """Whether both sides of each pair have tokens."""
        left, right = _halves(self.side_tokens > 0)
        return np.asarray(left & right)

    def by_author(self, pairs: Sequence[Pair], order: Integers) -> dict[str | int, list[int]]:
        """Indices of the texts of each author, in this order. A text of unknown author stands alone
        under its own index."""
        author_of = {document.text: document.author for document in documents_of(pairs)}
        indices: dict[str | int, list[int]] = {}
        for i in order.tolist():
            indices.setdefault(author_of[self.texts[i]] or i, []).append(i)
        return indices


def _halves(sides: Any) -> tuple[Any, Any]:
    n = sides.shape[0] // 2
    return sides[:n], sides[n:]


def limit_pairs(pairs: Sequence[Pair], most: int, seed: int) -> Sequence[Pair]:
    """All pairs, or `most` of them drawn at random, in their order."""
    if len(pairs) <= most:
        return pairs
    chosen = np.random.default_rng(seed).choice(len(pairs), most, replace=False)
    return [pairs[i] for i in np.sort(chosen)]


def labels_of(pairs: Sequence[Pair], used: Booleans) -> Booleans:
    """`same_author` of the used pairs; raises InputError unless both labels occur."""
    same = np.array([bool(pair.same_author) for pair in pairs])[used]
    if same.all() or not same.any():
        raise InputError("training pairs are all of one kind: both kinds are needed")
    return same


@dataclass(kw_only=True, eq=False)
class ComparedMethod(Verifier):
    """A method that compares the texts of pairs.

    A subclass is a dataclass. Its fields are its settings and what it learns: the latter end in an
    underscore and have no value until `_fit` sets them. It implements `_fit` and `_similarities`.
    A model folder stores the fields: learned arrays as arrays, everything else as JSON.
    """

    def fit(self, train: Sequence[Pair], dev: Sequence[Pair]) -> Self:
        """Fits on `train` and calibrates on `dev`, which must have other authors."""
        check_labels(train, "training")
        check_labels(dev, "development")
        if shared := _authors(train) & _authors(dev):
            raise InputError(
                f"{len(shared)} authors are in training and development pairs, "
                f"'{min(shared)}' for one: split by author"
            )
        self._fit(train)
        return calibrate(self, dev)

    @abstractmethod
    def _fit(self, train: Sequence[Pair]) -> None:
        """Learns from labelled pairs."""

    @abstractmethod
    def _similarities(self, texts: Texts, pairs: Sequence[Pair]) -> Floats:
        """The similarity of each pair; values for sides without tokens are not used."""

    def compare(self, pairs: Sequence[Pair]) -> Comparisons:
        """Similarity of each pair, NaN if a side has no tokens, and the tokens of both sides."""
        self._learned()
        if not pairs:
            return Comparisons.of_counts([], [], [])
        texts = Texts(pairs)
        similarity = np.where(texts.comparable, self._similarities(texts, pairs), np.nan)
        return Comparisons.of_counts(similarity, *_halves(texts.side_tokens))

    def state(self) -> ModelState:
        """The settings and everything learned."""
        values = self._learned()
        arrays = {name: value for name, value in values.items() if isinstance(value, np.ndarray)}
        tables = {name: value for name, value in values.items() if name not in arrays}
        settings = {field.name: getattr(self, field.name) for field in fields(self) if field.init}
        return ModelState(settings, tables, arrays)

    def restore(self, state: ModelState) -> None:
        learned = {f"{name}_": value for name, value in (state.tables | state.arrays).items()}
        values = state.settings | learned
        if unknown := values.keys() - {field.name for field in fields(self)}:
            raise ValueError(f"a {self.kind} model has no {min(unknown)!r:.60}")
        for name, value in values.items():
            setattr(self, name, value)

    def _learned(self) -> dict[str, Any]:
        """Values of the learned fields, by name without the underscore."""
        names = [field.name for field in fields(self) if not field.init]
        if not all(hasattr(self, name) for name in names):
            raise NotFittedError(f"this {self.kind} verifier is not fitted: call fit() or load one")
        return {name.removesuffix("_"): getattr(self, name) for name in names}


class TextPairVerifier(ComparedMethod):
    """A method that measures two texts at a time; it implements `_fit`, `_measure` and `_judge`.

    The features of two sides of several texts are the mean over all pairs of a left and a right
    text, weighted by the shares of both texts in the tokens of their sides.
    """

    @abstractmethod
    def _measure(self, texts: Texts, left: Integers, right: Integers) -> Floats:
        """Finite features, a row for each pair of indices into `texts`, even for empty texts."""

    @abstractmethod
    def _judge(self, features: Floats, identical: Booleans) -> Floats:
        """The similarity of each pair; identical sides must have the largest."""

    def _measure_sides(self, texts: Texts) -> tuple[Floats, Booleans]:
        """Features of each pair, and whether its sides have the same texts in the same shares."""
        starts, right_starts = _halves(texts.sides.indptr[:-1])
        sizes, right_sizes = _halves(np.diff(texts.sides.indptr))
        rows = offsets(sizes * right_sizes)
        pair = np.repeat(np.arange(len(sizes)), np.diff(rows))
        within = np.arange(len(pair)) - rows[pair]
        left = starts[pair] + within // right_sizes[pair]
        right = right_starts[pair] + within % right_sizes[pair]
        share, text = texts.sides.data, texts.sides.indices
        by_texts = self._measure(texts, text[left], text[right])
        features = np.zeros((len(sizes), by_texts.shape[1]))
        np.add.at(features, pair, by_texts * (share[left] * share[right])[:, None])
        one, other = _halves(texts.sides)
        return features, abs(one - other).sum(axis=1) < 1e-9

    def _similarities(self, texts: Texts, pairs: Sequence[Pair]) -> Floats:  # noqa: ARG002
        return self._judge(*self._measure_sides(texts))


class StylometricVerifier(ComparedMethod):
    """A method that compares features of sides; it implements `_fit`, `_features` and
    `_compare_sides`."""

    @abstractmethod
    def _features(self, texts: Texts) -> Features:
        """A row of features for each text."""

    @abstractmethod
    def _compare_sides(self, left: Features, right: Features) -> Floats:
        """The similarity of each row of `left` and the same row of `right`."""

    def _similarities(self, texts: Texts, pairs: Sequence[Pair]) -> Floats:  # noqa: ARG002
        return np.asarray(self._compare_sides(*texts.join(self._features(texts))), np.float64)
