"""Reference texts that users gave: a verifier for each set of texts, kept for later requests."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from adhominem.errors import AdhominemError
from adhominem.instrument.verifier import Verifier


class MissingReferenceError(AdhominemError):
    """Reference texts that were never given, or are no longer kept."""


class References:
    """Verifiers with reference texts, by model and by hash of the texts; those given first are
    dropped first."""

    def __init__(self, max_kept: int) -> None:
        self._max_kept = max_kept
        self._kept: dict[tuple[str, str], Verifier] = {}

    def add(self, model: str, verifier: Verifier, texts: Sequence[str]) -> tuple[str, Verifier]:
        """The name by which later requests find the verifier with these texts, in whatever order,
        and the verifier itself."""
        parts = (text.encode("utf-8", "surrogatepass") for text in sorted(set(texts)))
        name = hashlib.sha256(b"\0".join(parts)).hexdigest()
        found = self._kept.pop((model, name), None) or verifier.with_reference(texts)
        self._kept[model, name] = found
        for oldest in list(self._kept)[: -self._max_kept]:
            del self._kept[oldest]
        return name, found

    def get(self, model: str, name: str) -> Verifier:
        found = self._kept.get((model, name))
        if found is None:
            raise MissingReferenceError("these reference texts are not kept: give them again")
        return found
