"""The base of verifiers that are simple enough to know the answer."""

from __future__ import annotations

from collections.abc import Sequence

from adhominem.instrument.verifier import Comparisons, ModelState, Verifier
from adhominem.records import Document, Pair


class ToyVerifier(Verifier):
    """A subclass has `similarity`, or `compare` if there is more to a side than its words."""

    def similarity(self, pair: Pair) -> float:
        """A number that is larger for sides more alike."""
        raise NotImplementedError

    def compare(self, pairs: Sequence[Pair]) -> Comparisons:
        similarity = [self.similarity(pair) for pair in pairs]
        sides = ([n_words(pair.left) for pair in pairs], [n_words(pair.right) for pair in pairs])
        return Comparisons.of_counts(similarity, *sides)

    def state(self) -> ModelState:
        raise NotImplementedError

    def restore(self, state: ModelState) -> None:
        raise NotImplementedError


def n_words(side: Sequence[Document]) -> int:
    return sum(len(document.text.split()) for document in side)
