"""The audit trail: texts, model, settings and versions, so that a result can be repeated."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from adhominem import __version__
from adhominem.instrument.linguistics.reference import reference_sha256
from adhominem.records import Explanation


def audit_trail(explanation: Explanation) -> dict[str, str]:
    """Names and values in the order in which they are shown. There is no date: the same question
    gives the same bytes."""
    return dict(_entries(explanation))


def _entries(explanation: Explanation) -> Iterator[tuple[str, str]]:
    decision, model = explanation.decision, explanation.decision.model
    for name, texts in (("left", explanation.left), ("right", explanation.right)):
        for number, text in enumerate(texts, 1):
            which = f"{name} text" if len(texts) == 1 else f"{name} text {number}"
            digest = hashlib.sha256(text.text.encode("utf-8", "surrogatepass")).hexdigest()
            yield f"{which}, sha256", digest
            yield f"{which}, characters", f"{len(text.text)}"
    if model is not None:
        yield "model", f"{model.name}, version {model.version}"
        yield "model, sha256", model.sha256
    else:
        yield "model", "not stated"
    yield "weights of words", explanation.method
    if decision.tau_s is not None and decision.tau_d is not None:
        yield "thresholds of the distance", f"{decision.tau_s:.4f}, {decision.tau_d:.4f}"
    yield "score, to repeat", f"{decision.score!r}"
    yield "reference rates, sha256", reference_sha256()
    yield "adhominem", __version__
