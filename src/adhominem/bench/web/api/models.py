"""The models: which there are, and new ones for other kinds of text."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool

from adhominem.bench.web.adapting import adapt_model
from adhominem.bench.web.answer import Answer
from adhominem.bench.web.bench import Bench, check_most
from adhominem.bench.web.jobs import Progress
from adhominem.bench.web.replies import ModelsReply, Started
from adhominem.bench.web.wire import Adaptation

router = APIRouter(prefix="/api", tags=["models"])


@router.get("/models", response_model=ModelsReply)
async def models(bench: Bench) -> Answer:
    """All models with their cards and what was measured."""
    described = await run_in_threadpool(bench.models.described)
    return Answer({"current": bench.models.current, "models": described})


@router.post("/adaptations", response_model=Started)
async def adapt(asked: Adaptation, bench: Bench) -> Answer:
    """A new model for texts like these, as a job."""
    check_most(
        sum(len(row.text) for row in asked.rows), bench.settings.limits.max_case, "characters"
    )
    folder = bench.models.place_for(asked.name)
    verifier = await bench.verifier(asked.model)

    def work(progress: Progress) -> object:
        return adapt_model(verifier, asked, folder, progress)

    return Answer({"job": bench.jobs.add(work).id})
