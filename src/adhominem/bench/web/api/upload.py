"""Files to texts; a file is held in memory while it is read and never written."""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Header, Request
from starlette.concurrency import run_in_threadpool

from adhominem.bench.web.answer import Answer
from adhominem.bench.web.bench import Bench
from adhominem.bench.web.replies import ReadReply
from adhominem.bench.web.uploads.apart import read_apart

router = APIRouter(prefix="/api", tags=["uploads"])
_BYTES = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
_BODY = {"requestBody": {"required": True, "content": _BYTES}}
_ESCAPED = re.compile(rb"%([0-9A-Fa-f]{2})")


@router.post(
    "/read",
    response_model=ReadReply,
    openapi_extra=_BODY,
)
async def read(
    request: Request,
    bench: Bench,
    x_name: Annotated[str, Header(max_length=1000, description="File name, percent-encoded")],
) -> Answer:
    """The texts in a file: txt, html, docx, pdf, csv, jsonl, or a zip of those."""
    name = _ESCAPED.sub(lambda match: bytes([int(match[1], 16)]), x_name.encode())
    found = await run_in_threadpool(
        read_apart, name.decode("utf-8", "replace"), await request.body(), bench.settings.limits
    )
    return Answer(asdict(found))
