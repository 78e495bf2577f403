"""A model for texts like those of an uploaded corpus: adapted, or only calibrated anew.

The rows lie in a temporary folder of the server while the corpus is built, and are gone after.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from adhominem.bench.web.jobs import Progress
from adhominem.bench.web.wire import Adaptation
from adhominem.errors import InputError
from adhominem.instrument.neural import NeuralVerifier
from adhominem.instrument.verifier import Verifier
from adhominem.laboratory.corpus.build import build_corpus
from adhominem.laboratory.corpus.build.engine import Engine
from adhominem.laboratory.corpus.settings import CorpusSettings
from adhominem.laboratory.corpus.store import Corpus
from adhominem.laboratory.experiment.adapt import adapt, recalibrate
from adhominem.laboratory.report.adaptation import adaptation_card, recalibration_card

_NAME = "uploaded"
_MIN_TOKENS = 40  # a corpus of letters or posts is small: shorter ones count too


def adapt_model(
    verifier: Verifier, asked: Adaptation, folder: Path, progress: Progress
) -> dict[str, Any]:
    """Saves the new model in `folder`; returns what it brought."""
    old = verifier.identity.name if verifier.identity else verifier.kind
    with tempfile.TemporaryDirectory(prefix="adhominem-corpus-") as name:
        corpus = _build(asked, Path(name), progress)

        def told(_: str, done: int, total: int) -> None:
            progress(done, total)

        made: Verifier
        if asked.only_calibrate:
            made, report = recalibrate(verifier, corpus, progress=told)
            card = recalibration_card(asked.name, old, _NAME, report)
        elif isinstance(verifier, NeuralVerifier):
            made, report = adapt(verifier, corpus, progress=told)
            card = adaptation_card(asked.name, old, _NAME, report)
        else:
            raise InputError(f"a {verifier.kind} model cannot be adapted, only calibrated anew")
    if folder.exists():
        raise InputError(f"there is a model '{asked.name}' already: choose another name")
    made.save(folder, name=asked.name, card=card)
    assert made.identity is not None
    return {"report": report, "model": asdict(made.identity)}


def _build(asked: Adaptation, folder: Path, progress: Progress) -> Corpus:
    rows = folder / f"{_NAME}.jsonl"
    with rows.open("w", encoding="ascii") as file:
        file.writelines(json.dumps(row.model_dump()) + "\n" for row in asked.rows)
    try:
        build_corpus(
            [str(rows)],
            folder / _NAME,
            CorpusSettings(min_tokens=_MIN_TOKENS),
            engine=Engine(workers=1),
            progress=lambda _, done, total: progress(done, total),
        )
    except InputError as error:
        raise InputError(str(error).replace(str(folder), "").replace("--", "")) from None
    return Corpus.open(folder / _NAME)
