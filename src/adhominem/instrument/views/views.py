"""The views of a model beside its network: what they see, how they are summed, and reference texts.

A model folder keeps them in views.json and in the arrays whose names begin with "kinds.".
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from adhominem.arrays import Floats, Reals
from adhominem.instrument.evidence.calibration import Calibration, covariates_of
from adhominem.instrument.evidence.fusion import Fusion
from adhominem.instrument.evidence.sides import Sides
from adhominem.instrument.model_schema import record_from
from adhominem.instrument.views.kinds import Counts, Kinds, similarities
from adhominem.records import Reading

PREFIX = "kinds."


@dataclass(frozen=True)
class Views:
    """Views beside a network.

    kinds         features of the views and statistics of kinds of text
    fusion        how the network and the views make one similarity; None until it is fitted
    calibration   the calibration for texts that are read as reference texts
    min_voice     see `Limits`
    reference     features and counts of each reference text, by the text itself
    """

    kinds: Kinds
    fusion: Fusion | None = None
    calibration: Calibration | None = None
    min_voice: float = -9.0
    reference: Mapping[str, tuple[Floats, Counts]] = field(default_factory=dict)

    def similarity(
        self, one: Reals, other: Reals, left: Reading | Sides, right: Reading | Sides
    ) -> tuple[Floats, Floats]:
        """The similarities of sides, given by vectors over the last axis and by what was read, and
        what each view adds to them."""
        assert self.fusion is not None
        values = similarities(one, other, self.kinds.centre.shape[1], self.kinds.edges)
        length, stretches, _ = covariates_of(left, right)
        terms = self.fusion.terms(values, length, stretches)
        return terms.sum(axis=-1) + self.fusion.remainder(length, stretches), terms

    def with_reference(self, reference: Mapping[str, tuple[Floats, Counts]]) -> Views:
        """A copy that knows what is usual in these reference texts."""
        features = np.array([own for own, _ in reference.values()], dtype=np.float64)
        counts = [own for _, own in reference.values()]
        return replace(self, kinds=self.kinds.with_reference(features, counts), reference=reference)

    def without(self, texts: Collection[str]) -> Views:
        """These views, or a copy whose reference lacks the given texts."""
        if not self.reference.keys() & set(texts):
            return self
        kept = {text: own for text, own in self.reference.items() if text not in texts}
        return self.with_reference(kept)

    def to_table(self) -> dict[str, Any]:
        """What views.json holds."""
        assert self.fusion is not None and self.calibration is not None
        return {
            **self.kinds.to_dict(),
            "fusion": asdict(self.fusion),
            "reference": self.calibration.to_dict(),
            "min_voice": self.min_voice,
        }

    @classmethod
    def from_table(cls, table: dict[str, Any], arrays: dict[str, Any]) -> Views:
        """The views that `to_table` and `Kinds.arrays` describe."""
        return cls(
            Kinds.from_dict(table, arrays),
            record_from(Fusion, table["fusion"]),
            record_from(Calibration, table["reference"]),
            float(table["min_voice"]),
        )
