"""The views of a model beside its network: what they see, how they are summed, and reference texts.

How much each view says depends on how well the kind of text is known: it may be stated, be given by
reference texts, or neither; then texts are read as the nearest kinds, which may be wrong ones. Each
of these three conditions has a sum of its own, and so has each stated kind with pairs to fit it. A
pair whose kind is not stated has a mixture of sums (`evidence/fusion.py`). A model folder keeps the
views in views.json and in the arrays whose names begin with "kinds.".
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from adhominem.arrays import Floats, Reals
from adhominem.instrument.evidence.calibration import Calibration, Covariates, covariates_of
from adhominem.instrument.evidence.fusion import Fusion, Mixture, mix
from adhominem.instrument.evidence.sides import Sides
from adhominem.instrument.model_schema import record_from
from adhominem.instrument.views.kinds import REFERENCE, Counts, Kinds
from adhominem.instrument.views.similarity import similarities
from adhominem.instrument.views.statistics import Sums
from adhominem.records import Reading

PREFIX = "kinds."
STATED, UNSTATED = "stated", "not stated"
CONDITIONS = (STATED, REFERENCE, UNSTATED)


@dataclass(frozen=True)
class Views:
    """Views beside a network.

    kinds         features of the views and statistics of kinds of text
    fusions       how the network and the views make one similarity, by condition and by stated
                  kind; empty until they are fitted
    calibration   the calibration for texts that are read as reference texts
    min_voice     see `Limits`
    reference     features and counts of each reference text, by the text itself
    surprises     bits of each reference text in their kind
    sums          sums over the reference texts, if there are any
    """

    kinds: Kinds
    fusions: Mapping[str, Fusion] = field(default_factory=dict)
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
        values = similarities(one, other, self.kinds.width, self.kinds.edges)
        covariates = self.covariates(one, other, left, right)
        if isinstance(left, Reading) and isinstance(right, Reading):
            fusion = self.fusion_for(one, other, left, right)
            terms = fusion.terms(values, covariates)
            return terms.sum(axis=-1) + fusion.remainder(covariates), terms
        assert isinstance(left, Sides) and isinstance(right, Sides)
        rest = np.zeros(values.shape[:-1])
        terms = np.zeros((*rest.shape, len(self.fusions[UNSTATED].term_names)))
        remaining, common = np.ones(rest.shape, dtype=bool), self.kinds.common(one, other)
        for genre in (*(set(left.genres) & set(right.genres)), None):
            rows = remaining.copy()
            if genre is not None:
                rows &= left.is_genre(genre) & right.is_genre(genre)
            remaining &= ~rows
            fusion, own = self._fusion(genre, common[rows]), covariates.select(rows, rest.shape)
            terms[rows], rest[rows] = fusion.terms(values[rows], own), fusion.remainder(own)
        return terms.sum(axis=-1) + rest, terms

    def covariates(
        self, one: Reals, other: Reals, left: Reading | Sides, right: Reading | Sides
    ) -> Covariates:
        """The covariates of pairs of sides, given as for `similarity`."""
        return covariates_of(left, right)._replace(apart=self.kinds.apart(one, other))

    def fusion_for(
        self, one: Reals, other: Reals, left: Reading, right: Reading
    ) -> Fusion | Mixture:
        """The fusion for two sides: that of the kind which both state, that of reference texts, or
        a mixture where nothing is stated."""
        genre = left.genre if left.genre == right.genre else None
        return self._fusion(genre, self.kinds.common(one, other))

    def _fusion(self, genre: str | None, common: Floats) -> Fusion | Mixture:
        """The fusion of a stated kind, or that of pairs with these probabilities of each kind."""
        if genre is not None:
            return self.fusions.get(genre, self.fusions[STATED])
        names = self.kinds.names[: common.shape[-1]]
        own = [self.fusions.get(name, self.fusions[STATED]) for name in names]
        return mix(own, common, self.fusions[UNSTATED])

    def with_reference(self, reference: Mapping[str, tuple[Floats, Counts]]) -> Views:
        """A copy with the statistics of these reference texts."""
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
        assert self.fusions and self.calibration is not None
        return {
            **self.kinds.to_dict(),
            "fusions": {name: asdict(fusion) for name, fusion in self.fusions.items()},
            "reference": self.calibration.to_dict(),
            "min_voice": self.min_voice,
        }

    @classmethod
    def from_table(cls, table: dict[str, Any], arrays: dict[str, Any]) -> Views:
        """The views that `to_table` and `Kinds.arrays` describe."""
        return cls(
            Kinds.from_dict(table, arrays),
            {name: record_from(Fusion, fusion) for name, fusion in table["fusions"].items()},
            record_from(Calibration, table["reference"]),
            float(table["min_voice"]),
        )
