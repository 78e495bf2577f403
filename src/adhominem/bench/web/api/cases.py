"""Cases of many texts, and the jobs that they and adaptations become."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from starlette.responses import Response

from adhominem.bench.web.answer import Answer
from adhominem.bench.web.bench import Bench
from adhominem.bench.web.jobs import Job, Progress
from adhominem.bench.web.replies import JobReply, Started
from adhominem.bench.web.studying import study_case
from adhominem.bench.web.wire import Case

router = APIRouter(prefix="/api", tags=["cases"])
JobId = Annotated[str, Path(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]


@router.post("/cases", response_model=Started)
async def start(asked: Case, bench: Bench) -> Answer:
    """Every text against every other, as a job."""
    bench.measure((text.text for text in asked.texts), most=bench.settings.limits.max_case)
    verifier = await bench.judge(asked)

    def work(progress: Progress) -> object:
        return study_case(verifier, asked, progress)

    return Answer({"job": bench.jobs.add(work).id})


@router.get("/jobs/{id}", response_model=JobReply)
async def look(id: JobId, bench: Bench) -> Response:
    """How far a job is, and its result when it is done."""
    return _told(bench.jobs.get(id))


@router.delete("/jobs/{id}", response_model=JobReply)
async def cancel(id: JobId, bench: Bench) -> Response:
    """Ends a job, and forgets a finished one."""
    return _told(bench.jobs.cancel(id))


def _told(job: Job) -> Response:
    return Response(job.as_json(), media_type="application/json")
