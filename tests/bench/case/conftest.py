"""A small network that knows the authors of the made-up texts a little, and a case for it."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from pathlib import Path

import pytest

import adhominem
from adhominem.bench.case.texts import NamedText
from adhominem.instrument.verifier import Verifier
from adhominem.laboratory.training.config import TrainingConfig
from adhominem.laboratory.verifiers.siamese import SiameseVerifier
from adhominem.records import Pair


@pytest.fixture(scope="session")
def small(
    train_pairs: list[Pair], dev_pairs: list[Pair], tmp_path_factory: pytest.TempPathFactory
) -> Verifier:
    fitted = SiameseVerifier(
        sizes={
            **{"D_c": 4, "D_r": 6, "D_w": 12, "D_s": 8, "D_d": 8, "D_a": 8, "D_f": 6},
            **{"dropout": 0.0, "train_words": True},
        },
        training=TrainingConfig(epochs=2, batch_pairs=16),
        min_word_count=2,
        min_character_count=2,
    ).fit(train_pairs, dev_pairs)
    folder: Path = tmp_path_factory.mktemp("models") / "small"
    fitted.save(folder, name="small")
    return adhominem.load(folder)


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
