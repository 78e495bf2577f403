"""The methods by name; a class is imported when it is first used.

All but the network belong to the laboratory and need its packages.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from adhominem.errors import ModelError

if TYPE_CHECKING:
    from adhominem.instrument.verifier import Verifier

VERIFIERS = {
    "aveer": "adhominem.laboratory.verifiers.aveer:AVeer",
    "glad": "adhominem.laboratory.verifiers.glad:Glad",
    "ppm": "adhominem.laboratory.verifiers.compression:Compression",
    "chance": "adhominem.laboratory.verifiers.cosine:Chance",
    "delta": "adhominem.laboratory.verifiers.cosine:CosineDelta",
    "feature-difference": "adhominem.laboratory.verifiers.feature_difference:FeatureDifference",
    "imposters": "adhominem.laboratory.verifiers.imposters:Imposters",
    "neural": "adhominem.instrument.neural:NeuralVerifier",
    "pan-distance": "adhominem.laboratory.verifiers.cosine:PanDistance",
}


def verifier_class(kind: str) -> type[Verifier]:
    """The class of the method with this name."""
    if kind not in VERIFIERS:
        raise ModelError(f"unknown method '{kind}': known are {', '.join(sorted(VERIFIERS))}")
    module, _, name = VERIFIERS[kind].partition(":")
    found: type[Verifier] = getattr(import_module(module), name)
    return found
