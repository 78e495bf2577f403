"""One workbench with the shipped model for all tests of this room, asked without a socket."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import numpy as np
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from fastapi import FastAPI
from starlette.types import ASGIApp

from adhominem.bench.web.app import create_app
from adhominem.bench.web.settings import Settings
from adhominem.bench.web.workbench import Workbench

ADDRESS = "http://127.0.0.1:8017"
Opens = Callable[..., httpx.Client]


class _InProcess(httpx.BaseTransport):
    def __init__(self, app: ASGIApp, portal: BlockingPortal) -> None:
        self._transport, self._portal = httpx.ASGITransport(app), portal

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        return self._portal.call(self._ask, request, request.read())

    async def _ask(self, request: httpx.Request, body: bytes) -> httpx.Response:
        asked = httpx.Request(request.method, request.url, headers=request.headers, content=body)
        answer = await self._transport.handle_async_request(asked)
        content = httpx.ByteStream(await answer.aread())
        return httpx.Response(answer.status_code, headers=answer.headers, stream=content)


@pytest.fixture(scope="session")
def opens() -> Iterator[Opens]:
    """A client for an application, which is started and ended where it can be."""
    with ExitStack() as stack:
        portal = stack.enter_context(start_blocking_portal())

        def open_client(app: ASGIApp, address: str = ADDRESS, **headers: str) -> httpx.Client:
            if isinstance(app, FastAPI):
                life = app.router.lifespan_context(app)
                stack.enter_context(portal.wrap_async_context_manager(life))
            transport = _InProcess(app, portal)
            client = httpx.Client(transport=transport, base_url=address, headers=headers)
            return stack.enter_context(client)

        yield open_client


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> FastAPI:
    return create_app(Settings(models=tmp_path_factory.mktemp("models")))


@pytest.fixture(scope="session")
def client(app: FastAPI, opens: Opens) -> httpx.Client:
    return opens(app, **{"X-Adhominem": "1"})


@pytest.fixture(scope="session")
def bench(app: FastAPI, client: httpx.Client) -> Workbench:
    del client  # by which it was started
    found: Workbench = app.state.bench
    return found


@pytest.fixture(scope="session")
def pair(samples: tuple[str, str]) -> dict[str, list[str]]:
    left, right = samples
    return {"left": [left], "right": [right]}


@pytest.fixture(scope="session")
def references(samples: tuple[str, str]) -> list[str]:
    """Texts of the words of the samples, as many as reference texts must be and a few more."""
    rng = np.random.default_rng(0)
    words = " ".join(samples).split()
    return [" ".join(rng.choice(words, 50)) + "." for _ in range(55)]


@pytest.fixture
def _no_new_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever is uploaded, nothing is written where the server runs."""
    monkeypatch.chdir(tmp_path)
    yield
    assert not list(tmp_path.iterdir())
    assert not list(tmp_path.parent.glob("evil*"))
