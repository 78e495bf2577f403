"""GLAD: 24 features of a pair into a support vector machine.

Huerlimann, Weck, van den Berg, Suster & Nissim (2015), "GLAD: Groningen Lightweight Authorship
Detection", PAN 2015. Joint features of two texts (dissimilarity and overlap of frequent character
n-grams, punctuation, layout, tokens, entropy, compression) and features of each text alone
(entropy, sentence length), standardised, decide through a support vector machine with the kernel
exp(-gamma |x - z|^2), C = 1 and gamma = 1/24. Its decision value is the similarity.

Ours: which marks and which shares of lines are counted (glad_features.py), where the paper leaves
it open; an n-gram outside a text's hundred most frequent counts as absent from it; the features of
each text alone enter as the smaller and the greater one, and the compressed length of the joint
text is the mean of both orders, so that left and right can be swapped; two texts that both lack
what a cosine compares have 1. A kernel machine does not promise that a text is most like itself:
no decision value counts as more than the largest of the training pairs, and identical sides have
that one. A copy with a few words changed is beyond all training pairs, where the kernel vanishes
and the value falls to the intercept: GLAD is no detector of copies.

Not repeated from the public code: there the overlap of n-grams is that of single characters for
every n, blank lines are never counted, and test pairs are standardised by themselves.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from adhominem.errors import InputError, NotFittedError
from adhominem.instrument.verifier import ModelState
from adhominem.laboratory.verifiers.glad_features import NAMES, compare, describe
from adhominem.laboratory.verifiers.stylometric import Floats, Texts
from adhominem.laboratory.verifiers.text_pairs import Measured, TextPairs, TextPairVerifier, draw
from adhominem.records import Pair

_BLOCK = 1000  # rows at a time, which bounds the kernel's memory
_SETTINGS = ("cost", "gamma", "most", "seed")
_LEARNED = ("mean", "scale", "vectors", "weights", "intercept", "ceiling")


class Glad(TextPairVerifier):
    """
    cost    of a training pair on the wrong side: the C of the support vector machine
    gamma   of its kernel
    most    training pairs that are used, drawn by `seed` where there are more: the time to train
            grows with their square, that to judge with their number
    """

    kind = "glad"

    def __init__(
        self,
        *,
        cost: float = 1.0,
        gamma: float = 1 / len(NAMES),
        most: int = 20_000,
        seed: int = 0,
    ) -> None:
        self.cost = cost
        self.gamma = gamma
        self.most = most
        self.seed = seed
        self.learned_: dict[str, Floats] | None = None

    def _fit(self, train: Sequence[Pair], dev: Sequence[Pair]) -> None:  # noqa: ARG002
        from sklearn.svm import SVC

        train = draw(train, self.most, self.seed)
        measured = self._measure_pairs(train)
        features = measured.features[measured.comparable]
        same = np.array([bool(pair.same_author) for pair in train])[measured.comparable]
        if same.all() or not same.any():
            raise InputError("training pairs are all of one kind: both kinds are needed")
        mean, scale = features.mean(axis=0), features.std(axis=0)
        scale = np.where(scale > 1e-9, scale, 1.0)
        machine = SVC(C=self.cost, gamma=self.gamma).fit((features - mean) / scale, same)
        self.learned_ = {
            "mean": mean,
            "scale": scale,
            "vectors": np.ascontiguousarray(machine.support_vectors_),
            "weights": np.ascontiguousarray(machine.dual_coef_[0]),
            "intercept": np.array(machine.intercept_),
        }
        self.learned_["ceiling"] = np.array([self._decision(features).max()])

    def _measure(self, texts: Texts, rows: TextPairs) -> Floats:
        return compare(describe(texts), rows.left, rows.right)

    def _judge(self, measured: Measured) -> Floats:
        ceiling = self._known()["ceiling"][0]
        decision = np.minimum(self._decision(measured.features), ceiling)
        similarity: Floats = np.where(measured.identical, ceiling, decision)
        return similarity

    def _decision(self, features: Floats) -> Floats:
        """sum_i weight_i exp(-gamma |x - vector_i|^2) + intercept."""
        known = self._known()
        vectors, weights = known["vectors"], known["weights"]
        inputs = (features - known["mean"]) / known["scale"]
        squares = (vectors**2).sum(axis=1)
        values = np.full(len(inputs), known["intercept"][0])
        for start in range(0, len(inputs), _BLOCK):
            x = inputs[start : start + _BLOCK]
            apart = (x**2).sum(axis=1)[:, None] + squares - 2 * x @ vectors.T
            values[start : start + _BLOCK] += np.exp(-self.gamma * np.maximum(apart, 0)) @ weights
        return values

    def _known(self) -> dict[str, Floats]:
        if self.learned_ is None:
            raise NotFittedError(f"this {self.kind} verifier is not fitted: call fit() or load one")
        return self.learned_

    def state(self) -> ModelState:
        settings = {name: getattr(self, name) for name in _SETTINGS}
        return ModelState(settings, {}, dict(self._known()))

    def restore(self, state: ModelState) -> None:
        for name in _SETTINGS:
            setattr(self, name, state.settings[name])
        self.learned_ = {name: state.arrays[name] for name in _LEARNED}
