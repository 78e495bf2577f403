"""Base class of methods that describe each text by features and compare the features of sides.

Methods whose similarity is a sum over features explain it by their own terms. The term of a feature
is shared out among the texts of a side in proportion to the feature, and equally among its
occurrences within a text; a token gets the sum of its shares. A contribution is that part of
log10 LR, a weight the same with the sign changed: as with occlusion, what pulls the texts together
is negative. Terms of features that a text lacks belong to no token.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from adhominem.arrays import Floats
from adhominem.instrument.text.tokenised import Tokenised
from adhominem.laboratory.verifiers.compared_method import (
    ComparedMethod,
    Features,
    Texts,
    read_sides,
)
from adhominem.records import Decision, Explanation, Pair, Sentence, TextExplanation, Word


class StylometricVerifier(ComparedMethod):
    """A subclass writes `_fit`, `_features` and `_compare_sides`, and if its similarity is a sum
    over features also `_terms` and `_carriers`."""

    @abstractmethod
    def _features(self, texts: Texts) -> Features:
        """A row of features for each text."""

    @abstractmethod
    def _compare_sides(self, left: Features, right: Features) -> Floats:
        """The similarity of each row of left and the same row of right."""

    def _terms(self, left: Features, right: Features) -> Floats | None:
        """The term of each feature in the similarity of one pair; None if it is not a sum."""
        del left, right
        return None

    def _carriers(self, texts: Texts) -> Any:
        """Sparse (tokens of all texts, features): the part of each feature's occurrences that falls
        on each token."""
        raise NotImplementedError

    def explain(self, pair: Pair, *, contributions: bool = True) -> Explanation:
        """Explains a decided pair by the method's own terms, if it has any, else by occlusion."""
        decision = self.decide([pair])[0]
        texts = read_sides([pair])
        features = self._features(texts)
        sides = texts.join(features)
        terms = None if decision.reasons else self._terms(sides[:1], sides[1:])
        if terms is None:
            return super().explain(pair, contributions=contributions)
        return self._explain_by_terms(pair, decision, texts, features, terms)

    def _explain_by_terms(
        self, pair: Pair, decision: Decision, texts: Texts, features: Features, terms: Floats
    ) -> Explanation:
        assert self.calibration_ is not None
        slope, carriers = self.calibration_.slope, self._carriers(texts)
        edges = texts.tokens.sentences[texts.tokens.documents]
        explained = []
        for number, documents in enumerate((pair.left, pair.right)):
            share = texts.sides[[number]].toarray().ravel()
            whole = _dense(texts.sides[[number]] @ features)
            side = []
            for document in documents:
                i = texts.texts.index(document.text)
                copies = sum(other.text == document.text for other in documents)
                own = carriers[edges[i] : edges[i + 1]]
                occurrences = np.asarray(own.sum(axis=0)).ravel()
                brought = share[i] / copies * _dense(features[[i]])
                part = np.divide(
                    terms * brought,
                    whole * occurrences,
                    out=np.zeros_like(terms),
                    where=(whole * occurrences) != 0,
                )
                tokens = texts.tokens.select(np.array([i]))
                side.append(_explain_text(document.text, tokens, -slope * (own @ part)))
            explained.append(tuple(side))
        return Explanation(decision, "terms", explained[0], explained[1], "terms")

    def _similarities(self, texts: Texts, pairs: Sequence[Pair]) -> Floats:
        sides = texts.join(self._features(texts))
        n = len(pairs)
        return np.asarray(self._compare_sides(sides[:n], sides[n:]), dtype=np.float64)


def _dense(row: Any) -> Floats:
    dense = row.toarray() if hasattr(row, "toarray") else row
    return np.asarray(dense, dtype=np.float64).ravel()


def _explain_text(text: str, tokens: Tokenised, weights: Floats) -> TextExplanation:
    spelt, starts, ends = tokens.words(), tokens.starts.tolist(), tokens.ends.tolist()
    words: list[Word] = []
    sentences: list[Sentence] = []
    for number, (first, last) in enumerate(pairwise(tokens.sentences.tolist())):
        words += [
            Word(spelt[i], starts[i], ends[i], float(weights[i]), number, -float(weights[i]))
            for i in range(first, last)
        ]
        total = float(weights[first:last].sum())
        sentences.append(Sentence(starts[first], ends[last - 1], total, -total))
    return TextExplanation(text, tuple(words), tuple(sentences))
