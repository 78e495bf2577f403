"""The page itself."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from fastapi import APIRouter
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse

from adhominem import __version__

FOLDER = Path(__file__).parents[1] / "page"
router = APIRouter()


@router.get("/", response_class=HTMLResponse, include_in_schema=False)
async def index() -> HTMLResponse:
    return HTMLResponse(_environment().get_template("index.html.jinja").render(version=__version__))


@cache
def _environment() -> Environment:
    loader = FileSystemLoader(FOLDER / "templates")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
