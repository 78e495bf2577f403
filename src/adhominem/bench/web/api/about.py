"""What the server can do, and a sample case to begin with."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from fastapi import APIRouter

from adhominem.bench.web.answer import Answer
from adhominem.bench.web.api.page import FOLDER
from adhominem.bench.web.bench import Bench
from adhominem.bench.web.printing import find_browser
from adhominem.bench.web.replies import LimitsReply, SampleReply
from adhominem.bench.web.uploads.read import FORMS
from adhominem.instrument.report.scales import EDGES, WORDS
from adhominem.instrument.verifier import Verifier

router = APIRouter(prefix="/api", tags=["about"])


@router.get("/limits", response_model=LimitsReply)
async def limits(bench: Bench) -> Answer:
    """How much the server takes on."""
    bounds = bench.settings.limits
    return Answer(
        {
            "max_body": bounds.max_body,
            "max_texts": bounds.max_texts,
            "max_rows": bounds.max_rows,
            "max_characters": bounds.max_characters,
            "max_case": bounds.max_case,
            "max_attacked": bounds.max_attacked,
            "seconds": bounds.seconds,
            "min_tokens": Verifier.min_tokens,
            "verbal_edges": list(EDGES),
            "verbal_words": list(WORDS),
            "forms": list(FORMS),
            "pdf_report": find_browser() is not None,
        }
    )


@router.get("/sample", response_model=SampleReply)
async def sample() -> Answer:
    """Two texts and a small case to try things on."""
    return Answer(_sample())


@cache
def _sample() -> Any:
    return json.loads((FOLDER / "sample" / "sample.json").read_bytes())
