"""Files to take away: the report of a pair, and the bundle that repeats a result."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from adhominem.bench.web.bench import Bench
from adhominem.bench.web.printing import print_page
from adhominem.bench.web.studying import bundle_of
from adhominem.bench.web.wire import Bundled, CaseBundle, Reported
from adhominem.instrument.report.render import render

router = APIRouter(prefix="/api", tags=["export"])
_TYPES = {"html": "text/html; charset=utf-8", "json": "application/json", "pdf": "application/pdf"}


def _files(*kinds: str) -> dict[int | str, dict[str, Any]]:
    """How OpenAPI describes them."""
    names = [kind.partition(";")[0] for kind in kinds]
    schemas = [
        {"type": "object"} if "json" in name else {"type": "string", "format": "binary"}
        for name in names
    ]
    return {200: {"content": {n: {"schema": s} for n, s in zip(names, schemas, strict=True)}}}


@router.post("/report", response_class=Response, responses=_files(*_TYPES.values()))
async def report(asked: Reported, bench: Bench) -> Response:
    """The report as a page, as data or, where a chromium is installed, as PDF."""
    size = bench.measure(asked.texts)
    verifier, pair = await bench.judge(asked), asked.pair
    form = "json" if asked.form == "json" else "html"

    def work() -> str:
        return render(verifier.explain(pair), form=form)

    page = await bench.queue.call(work, size=size)
    content = await run_in_threadpool(print_page, page) if asked.form == "pdf" else page.encode()
    return _file(content, f"adhominem-report.{asked.form}", _TYPES[asked.form])


@router.post("/bundle", response_class=Response, responses=_files("application/zip"))
async def bundle(asked: Bundled, bench: Bench) -> Response:
    """Texts, settings, hashes and results, for `adhominem reproduce`."""
    texts = (t.text for t in asked.texts) if isinstance(asked, CaseBundle) else asked.texts
    size = bench.measure(texts)
    verifier = await bench.judge(asked)
    content = await bench.queue.call(lambda: bundle_of(verifier, asked), size=size)
    return _file(content, f"adhominem-{asked.kind}.zip", "application/zip")


def _file(content: bytes, name: str, kind: str) -> Response:
    disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=kind, headers=disposition)
