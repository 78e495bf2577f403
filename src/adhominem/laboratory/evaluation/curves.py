"""What the figures show, as numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adhominem.laboratory.evaluation.answers import Answers
from adhominem.laboratory.evaluation.evaluate import evaluate
from adhominem.laboratory.evaluation.measures import reliability, roc


def curves(answers: Mapping[str, Answers]) -> dict[str, Any]:
    """By figure, then by method."""
    return {
        "roc": {name: roc(a.score, a.same_author) for name, a in answers.items()},
        "reliability": {name: reliability(a.score, a.same_author) for name, a in answers.items()},
        "tippett": {name: a.llr for name, a in answers.items()},
        "length": {name: evaluate(a)["bands"] for name, a in answers.items()},
    }
