"""Base class of verifiers with feature vectors that may have views beside them.

With views the similarity of two sides is the sum of terms: those of the features and one for each
view. Reference texts say what is usual in the kind of text that is compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Self

import numpy as np

from adhominem.arrays import Floats, Reals
from adhominem.checks import check_texts
from adhominem.errors import InputError
from adhominem.instrument.evidence.limits import Limits, kind_labels
from adhominem.instrument.feature_verifier import AnySide, FeatureVerifier
from adhominem.instrument.views.kinds import FEWEST_TEXTS, REFERENCE
from adhominem.instrument.views.views import Views
from adhominem.records import Document


class ViewedVerifier(FeatureVerifier):
    """A subclass reads the counts of the views with the features of a text.

    views_   views beside the features; None without
    """

    views_: Views | None = None

    def similarity(
        self, one: Reals, other: Reals, left: AnySide, right: AnySide
    ) -> tuple[Floats, Floats | None]:
        """The negative distance of the network's features; with views the sum of all terms."""
        if self.views_ is None or self.views_.fusion is None:
            return super().similarity(one, other, left, right)
        return self.views_.similarity(one, other, left, right)

    def set_views(self, views: Views) -> None:
        """Takes views beside the network."""
        self.views_, self.min_voice = views, views.min_voice
        self.has_distance = views.fusion is None

    def with_reference(self, texts: Sequence[str]) -> Self:
        """A copy that knows what is usual in these reference texts: 50 or more unlabelled texts of
        the same kind as those compared, by many authors. Texts that are compared are left out of
        their own reference.

        >>> import adhominem
        >>> adhominem.load().with_reference(["Too few."])  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        adhominem.errors.InputError: 0 reference texts are long enough: at least 50 are needed...
        """
        if self.views_ is None:
            return super().with_reference(texts)
        distinct = list(dict.fromkeys(check_texts(texts)))
        reference = {
            text: (own.features.astype(np.float64), own.counts)
            for text, own in zip(distinct, self.read(distinct), strict=True)
            if own.tokens >= self.min_tokens and own.counts is not None
        }
        if len(reference) < FEWEST_TEXTS:
            raise InputError(
                f"{_texts_are(len(reference))} long enough: at least {FEWEST_TEXTS} are "
                "needed, of the same kind as the texts compared and by many authors"
            )
        return self._viewing(self.views_.with_reference(reference))

    def limits(self) -> Limits:
        reference = {} if self.views_ is None else self.views_.reference
        return replace(super().limits(), references={REFERENCE: len(reference)})

    def _viewing(self, views: Views) -> Self:
        """A copy with other views that have reference texts."""
        assert views.calibration is not None
        other = copy(self)
        other.views_ = views
        other.calibrations_ = {**self.calibrations_, REFERENCE: views.calibration}
        return other

    def leaving_out(self, sides: Iterable[Iterable[Document]]) -> Self:
        own = {document.text for side in sides for document in side}
        if self.views_ is None or not self.views_.reference.keys() & own:
            return self
        if (left := len(self.views_.reference.keys() - own)) < FEWEST_TEXTS // 2:
            raise InputError(f"{_texts_are(left)} not among those compared: give more")
        return self._viewing(self.views_.without(own))

    def distance(self, one: Reals, other: Reals) -> Floats:
        """The distances of the network's features, without the views."""
        width = None if self.views_ is None else self.views_.kinds.centre.shape[1]
        return super().distance(one[..., :width], other[..., :width])

    def kind_labels(self) -> Mapping[str, str]:
        if self.views_ is None:
            return {}
        kinds = self.views_.kinds
        return kind_labels(kinds.names, kinds.labels) | {REFERENCE: "the reference texts"}

    def term_names(self) -> tuple[str, ...]:
        return () if self.views_ is None or self.views_.fusion is None else self.views_.fusion.names


def _texts_are(number: int) -> str:
    return "1 reference text is" if number == 1 else f"{number} reference texts are"
