"""A case for the small network."""

from __future__ import annotations

from copy import copy
from dataclasses import replace

import pytest

from adhominem.bench.case.texts import NamedText
from adhominem.instrument.verifier import Verifier
from adhominem.records import Pair


@pytest.fixture(scope="session")
def knowing(small: Verifier) -> Verifier:
    """The same, with a calibration of its own for letters."""
    assert small.calibration_ is not None
    other = copy(small)
    letters = replace(small.calibration_, slope=1.0, intercept=0.5, lowest=-1.0, highest=1.0)
    other.calibrations_ = {"letters": letters}
    return other


@pytest.fixture(scope="session")
def texts(dev_pairs: list[Pair]) -> list[NamedText]:
    """Twelve texts, every third of unknown author, one too short and one not to be written."""
    documents = [pair.left[0] for pair in dev_pairs[::3]][:10]
    named = [
        NamedText(f"text {i}", document.text, document.author if i % 3 else None)
        for i, document in enumerate(documents)
    ]
    odd = documents[0].text + " <script>alert(1)</script> \ud800"
    return [*named, NamedText("short", "Too short."), NamedText("<b>odd</b>", odd)]
