"""The page itself, uploads, and files to take away."""

import json
import re
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Header, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, Response

from adhominem import __version__
from adhominem.bench.case.bundle import case_bundle, pair_bundle
from adhominem.bench.case.page import case_page
from adhominem.bench.case.study import case_dict
from adhominem.bench.web import fragments
from adhominem.bench.web.apart import read_apart
from adhominem.bench.web.replies import Answer
from adhominem.bench.web.routes.jobs import study_case
from adhominem.bench.web.wire import BundleRequest, CaseReportRequest, PairBundle, ReportRequest
from adhominem.bench.web.workbench import Bench
from adhominem.documents.file_texts import FileTexts
from adhominem.documents.read import FORMS
from adhominem.errors import InputError
from adhominem.instrument.report.as_json import json_text
from adhominem.instrument.report.render import find_browser, print_page, render
from adhominem.instrument.verifier import Verifier
from adhominem.pausing import pause

router = APIRouter()
_TYPES = {"html": "text/html", **{form: f"application/{form}" for form in ("json", "pdf", "zip")}}
_BYTES = {"schema": {"type": "string", "format": "binary"}}
_BODY = {"required": True, "content": {"application/octet-stream": _BYTES}}
_UPLOAD: dict[str, Any] = {"requestBody": _BODY}
_FILE: dict[str, Any] = {
    "response_class": Response,
    "tags": ["files"],
    "responses": {200: {"content": {kind: {} for kind in _TYPES.values()}}},
}
_ESCAPED = re.compile(rb"%([0-9A-Fa-f]{2})")


async def _file(content: str | bytes, name: str, form: str) -> Response:
    """A file to take away; a page for a PDF is printed by a browser."""
    if form == "pdf" and isinstance(content, str):
        content = await run_in_threadpool(print_page, content)
    disposition = {"Content-Disposition": f'attachment; filename="adhominem-{name}.{form}"'}
    return Response(content, media_type=_TYPES[form], headers=disposition)


@router.get("/", response_class=HTMLResponse, include_in_schema=False)
async def index() -> Response:
    return HTMLResponse(fragments.page())


@router.get("/static/fragments.css", include_in_schema=False)
async def sheet() -> Response:
    return Response(fragments.style_sheet(), media_type="text/css")


@router.post("/api/read", response_model=FileTexts, openapi_extra=_UPLOAD, tags=["files"])
async def read(
    request: Request,
    bench: Bench,
    x_name: Annotated[str, Header(max_length=1000, description="File name, percent-encoded")],
) -> Response:
    """The texts in a file: txt, md, html, docx, odt, rtf, pdf, eml, mbox, csv, jsonl, or a zip of
    those, each without the passages that its author probably did not write."""
    name = _ESCAPED.sub(lambda match: bytes([int(match[1], 16)]), x_name.encode())
    data, limits = await request.body(), bench.settings.limits
    return Answer(await run_in_threadpool(read_apart, name.decode(errors="replace"), data, limits))


@router.post("/api/report", **_FILE)
async def report(request: ReportRequest, bench: Bench) -> Response:
    """The report as a page, as data or, where a chromium is installed, as PDF."""
    form = "json" if request.form == "json" else "html"

    def work(verifier: Verifier) -> str:
        return render(verifier.explain(request.pair), form=form, cover=request.cover.stated)

    return await _file(await bench.ask(request, work), "report", request.form)


@router.post("/api/case-report", **_FILE)
async def case_report(request: CaseReportRequest, bench: Bench) -> Response:
    """The report of a case, in the same forms."""

    def work(verifier: Verifier) -> str:
        case = case_dict(study_case(verifier, request, lambda *_: pause()))
        return json_text(case) if request.form == "json" else case_page(case, request.cover.stated)

    return await _file(await bench.ask(request, work), "case", request.form)


@router.post("/api/bundle", **_FILE)
async def bundle(request: BundleRequest, bench: Bench) -> Response:
    """Texts, settings, hashes and results, for `adhominem reproduce`."""
    if request.reference is not None:
        raise InputError("a bundle holds no reference texts: remove them, or save a report")

    def work(verifier: Verifier) -> bytes:
        if isinstance(request, PairBundle):
            decision = verifier.verify(request.left, request.right, genre=request.genre)
            return pair_bundle(request.left, request.right, decision, genre=request.genre)
        return case_bundle(study_case(verifier, request, lambda *_: pause()))

    return await _file(await bench.ask(request, work), request.kind, "zip")


@router.get("/api/limits", tags=["about"])
async def limits(bench: Bench) -> Response:
    """How much the server takes on."""
    own = {"min_tokens": Verifier.min_tokens, "forms": FORMS, "pdf_report": bool(find_browser())}
    return Answer({**asdict(bench.settings.limits), **own})


@router.get("/api/health", tags=["about"])
async def health() -> dict[str, str]:
    """That the server answers, without a token, for programs that watch over it."""
    return {"status": "ok", "version": __version__}


@router.get("/api/sample", tags=["about"])
async def sample() -> Response:
    """Two texts and a small case to try things on."""
    return Answer(json.loads((fragments.FOLDER / "sample" / "sample.json").read_bytes()))
