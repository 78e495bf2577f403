"""Cases, models and adaptations: work that takes long becomes a job."""

import json
from typing import Annotated

from fastapi import APIRouter, Path
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, Response

from adhominem.bench.case.study import CaseResult, case_dict, study
from adhominem.bench.case.texts import NamedText
from adhominem.bench.web.adapting import adapt_model, check_laboratory
from adhominem.bench.web.fragments import case_fragment, fragment, markdown
from adhominem.bench.web.jobs import Progress
from adhominem.bench.web.replies import HTML, Answer, AsHtml
from adhominem.bench.web.wire import AdaptationRequest, CaseRequest
from adhominem.bench.web.workbench import Bench, check_most
from adhominem.instrument.verifier import Verifier

router = APIRouter(prefix="/api", tags=["jobs"])
JobId = Annotated[str, Path(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]


def study_case(verifier: Verifier, request: CaseRequest, progress: Progress) -> CaseResult:
    texts = [NamedText(text.name, text.text, text.author) for text in request.texts]
    return study(verifier, texts, request.questioned, progress, genre=request.genre)


@router.post("/cases")
async def start_case(request: CaseRequest, bench: Bench) -> Response:
    """Every text against every other, as a job."""
    bench.measure(request.strings, most=bench.settings.limits.max_case)
    verifier = await bench.verifier_for(request)

    def work(progress: Progress) -> object:
        return case_dict(study_case(verifier, request, progress))

    return Answer({"job": bench.jobs.add(work, case_fragment).id})


@router.post("/adaptations")
async def start_adaptation(request: AdaptationRequest, bench: Bench) -> Response:
    """A new model for texts like these, as a job."""
    size = sum(len(row.text) for row in request.rows)
    check_most(size, bench.settings.limits.max_case, "characters")
    folder = bench.models.folder_for(request.name)
    await run_in_threadpool(check_laboratory)
    verifier = await bench.verifier(request.model)

    def work(progress: Progress) -> object:
        return adapt_model(verifier, request, folder, progress)

    return Answer({"job": bench.jobs.add(work, lambda made: fragment("adapted", **made)).id})


@router.get("/jobs/{id}", responses=HTML)
async def read_job(id: JobId, bench: Bench, as_html: AsHtml) -> Response:
    """Progress of a job, and its result when it is done."""
    job = bench.jobs.get(id)
    if as_html and job.state == "done" and job.page is not None:
        page = job.page
        return HTMLResponse(await run_in_threadpool(lambda: page(json.loads(job.result))))
    return Response(job.as_json(), media_type="application/json")


@router.delete("/jobs/{id}")
async def cancel_job(id: JobId, bench: Bench) -> Response:
    """Ends a job, and forgets a finished one."""
    return Response(bench.jobs.cancel(id).as_json(), media_type="application/json")


@router.get("/models", responses=HTML)
async def models(bench: Bench, as_html: AsHtml) -> Response:
    """All models with their cards and figures."""
    described = await run_in_threadpool(bench.models.described)
    if as_html:
        return HTMLResponse(fragment("models", models=described, markdown=markdown))
    return Answer({"current": bench.models.current, "models": described})
