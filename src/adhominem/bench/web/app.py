"""The application: routes behind the guard."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.staticfiles import StaticFiles
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from adhominem import __version__
from adhominem.bench.web.fragments import FOLDER
from adhominem.bench.web.guard import Guard
from adhominem.bench.web.replies import Answer, refusal
from adhominem.bench.web.routes import compare, files, jobs
from adhominem.bench.web.settings import Settings
from adhominem.bench.web.workbench import Workbench
from adhominem.errors import AdhominemError

_NO_JSON = "the body is not JSON"
_PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": dict[str, str]}
    for status in (401, 403, 404, 413, 415, 421, 422, 501, 503, 504)
}


def create_app(settings: Settings = Settings()) -> FastAPI:
    bench = Workbench(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await run_in_threadpool(bench.start)
        yield
        await run_in_threadpool(bench.close)

    app = FastAPI(
        title="adhominem",
        version=__version__,
        description="Did one author write both texts? POST needs the header `X-Adhominem: 1`.",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        default_response_class=Answer,
    )
    app.state.bench = bench
    for group in (compare, jobs, files):
        app.include_router(group.router, responses=_PROBLEMS)
    app.mount("/static", StaticFiles(directory=FOLDER / "static", check_dir=False))
    app.add_middleware(Guard, settings=settings)
    app.add_exception_handler(RequestValidationError, _not_understood)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(AdhominemError, _ours)
    return app


async def _ours(_: Request, error: Exception) -> Answer:
    assert isinstance(error, AdhominemError)
    return refusal(error)


async def _http(_: Request, error: Exception) -> Answer:
    assert isinstance(error, HTTPException)
    if error.status_code == 400:  # invalid UTF-8, or thousands of nested brackets
        return Answer({"error": _NO_JSON}, 422)
    return Answer({"error": str(error.detail)}, error.status_code, error.headers)


async def _not_understood(_: Request, error: Exception) -> Answer:
    """The first validation error, without the value that was sent."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    place = ".".join(str(part)[:60] for part in first["loc"][1:] if part != "body")
    message = first["msg"] if first["type"] != "json_invalid" else _NO_JSON
    return Answer({"error": f"{place}: {message}" if place else message}, 422)
