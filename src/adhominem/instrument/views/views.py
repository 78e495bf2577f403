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
from adhominem.instrument.views.kinds import Counts, Kinds, Sums, similarities
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
    surprises     bits of each reference text in their kind
    sums          sums over the reference texts, if there are any
    """

    kinds: Kinds
    fusion: Fusion | None = None
    calibration: Calibration | None = None
    min_voice: float = -9.0
    reference: Mapping[str, tuple[Floats, Counts]] = field(default_factory=dict)
    surprises: Mapping[str, float] = field(default_factory=dict)
    sums: Sums | None = None

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
        sums = self._sum(reference)
        kinds = self.kinds.with_reference(sums)
        surprises = {text: kinds.surprise(counts)[-1] for text, (_, counts) in reference.items()}
        return replace(
            self,
            kinds=kinds.with_reference(sums, surprises.values()),
            reference=reference,
            surprises=surprises,
            sums=sums,
        )

    def without(self, texts: Collection[str]) -> Views:
        """These views, or a copy whose reference lacks the given texts."""
        own = {text: self.reference[text] for text in texts if text in self.reference}
        if not own or self.sums is None:
            return self
        sums = self.sums.without(self._sum(own))
        reference = {text: one for text, one in self.reference.items() if text not in own}
        surprises = {text: self.surprises[text] for text in reference}
        kinds = self.kinds.with_reference(sums, surprises.values())
        return replace(self, kinds=kinds, reference=reference, surprises=surprises, sums=sums)

    def _sum(self, texts: Mapping[str, tuple[Floats, Counts]]) -> Sums:
        features, counts = zip(*texts.values(), strict=True)
        frequencies = np.stack([self.kinds.frequencies(own) for own in counts])
        return Sums.over(np.array(features, dtype=np.float64), frequencies)

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
