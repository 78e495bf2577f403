"""Adapts a model to an uploaded corpus, or only calibrates it; needs the laboratory.

The corpus is built in a temporary folder of the server.
"""

import json
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from adhominem.bench.web.jobs import Progress
from adhominem.bench.web.wire import AdaptationRequest, Row
from adhominem.errors import InputError, optional_imports
from adhominem.instrument.neural import NeuralVerifier
from adhominem.instrument.verifier import Verifier

_NAME = "uploaded"
_MIN_TOKENS = 40  # less than for other corpora, because a corpus of letters or posts is small


def check_laboratory() -> None:
    """Raise an error with the pip command if the laboratory is not installed."""
    with optional_imports():
        import adhominem.laboratory.experiment.adapt  # noqa: F401


def adapt_model(
    verifier: Verifier, request: AdaptationRequest, folder: Path, progress: Progress
) -> dict[str, Any]:
    """Save the new model in `folder`; return its identity and a report on held-out authors."""
    from adhominem.laboratory.experiment.adapt import adapt, recalibrate
    from adhominem.laboratory.report import adaptation_card

    old = verifier.identity.name if verifier.identity else verifier.kind

    def stage(_: str, done: int, total: int) -> None:
        progress(done, total)

    with tempfile.TemporaryDirectory(prefix="adhominem-corpus-") as name:
        corpus = _build(request.rows, Path(name), stage)
        made: Verifier
        if request.only_calibrate:
            made, report = recalibrate(verifier, corpus, progress=stage)
        elif isinstance(verifier, NeuralVerifier):
            made, report = adapt(verifier, corpus, progress=stage)
        else:
            raise InputError(f"a {verifier.kind} model cannot be adapted, only calibrated anew")
    if folder.exists():
        raise InputError(f"there is a model '{request.name}' already: choose another name")
    made.save(folder, name=request.name, card=adaptation_card(request.name, old, _NAME, report))
    assert made.identity is not None
    return {"report": report, "model": asdict(made.identity)}


def _build(rows: list[Row], folder: Path, stage: Callable[[str, int, int], None]) -> Any:
    from adhominem.laboratory.corpus import CorpusSettings
    from adhominem.laboratory.corpus.build import build_corpus
    from adhominem.laboratory.corpus.build.engine import Engine
    from adhominem.laboratory.corpus.store import Corpus

    source = folder / f"{_NAME}.jsonl"
    with source.open("w", encoding="ascii") as file:
        file.writelines(json.dumps(row.model_dump()) + "\n" for row in rows)
    settings, engine = CorpusSettings(min_tokens=_MIN_TOKENS), Engine(workers=1)
    try:
        build_corpus([str(source)], folder / _NAME, settings, engine=engine, progress=stage)
    except InputError as error:
        raise InputError(str(error).replace(str(folder), "").replace("--", "")) from None
    return Corpus.open(folder / _NAME)
