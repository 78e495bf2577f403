"""The server process: binds its port, prints its address, opens the browser and ends cleanly."""

import asyncio
import signal
import threading
import webbrowser
from collections.abc import Callable
from contextlib import closing, suppress
from typing import Any, ClassVar

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from adhominem.bench.web.app import create_app
from adhominem.bench.web.settings import Settings
from adhominem.errors import InputError
from adhominem.instrument.network.cores import one_blas_thread

_MAX_CONNECTIONS = 500
_MAX_IDLE = 200  # connections that have not sent all headers of a request
_IDLE_SECONDS = 10.0
_MAX_HEAD = 16 * 1024  # bytes of all headers of a request


class _Connection(H11Protocol):
    """Closes connections that are idle or send headers too slowly, and the oldest of too many."""

    _idle: ClassVar[dict["_Connection", asyncio.TimerHandle]] = {}

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def handle_events(self) -> None:
        super().handle_events()
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.cycle.response_complete and not self.transport.is_closing():
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._stop_waiting()
        self._idle[self] = self.loop.call_later(_IDLE_SECONDS, self.transport.abort)
        if len(self._idle) > _MAX_IDLE:
            oldest = next(iter(self._idle))
            oldest._stop_waiting()
            oldest.transport.abort()

    def _stop_waiting(self) -> None:
        if timer := self._idle.pop(self, None):
            timer.cancel()


class _Server(uvicorn.Server):
    """Calls back once it answers."""

    def __init__(self, config: uvicorn.Config, on_start: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_start = on_start

    async def startup(self, *arguments: Any, **options: Any) -> None:
        await super().startup(*arguments, **options)
        if self.started:
            self._on_start()


def serve(
    settings: Settings, *, port: int, opens_browser: bool, say: Callable[[str], None]
) -> None:
    """Serve until interrupted. BLAS has one thread: batches are small, so that a second one would
    gain little, and cost much beside a busy process."""
    app = create_app(settings)
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=port,
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        http=_Connection,
        limit_concurrency=_MAX_CONNECTIONS,
        proxy_headers=False,
        timeout_graceful_shutdown=3,
        h11_max_incomplete_event_size=_MAX_HEAD,
    )
    try:
        taken = config.bind_socket()
    except SystemExit:
        busy = f"port {port} of {settings.host} is not available"
        raise InputError(f"{busy}: close the program that has it, or give another --port") from None
    # A browser cannot open the addresses that stand for all interfaces.
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)
    host = f"[{host}]" if ":" in host else host
    token = "" if settings.token is None else f"?token={settings.token}"
    address = f"http://{host}:{taken.getsockname()[1]}/{token}"

    def started() -> None:
        say(f"adhominem: {address}  (Ctrl-C ends it)")
        if opens_browser:
            # In a thread, because without a display the browser may run in the terminal.
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    say("adhominem: loading the model")
    with closing(taken), suppress(KeyboardInterrupt):
        app.state.bench.models.load(None)  # an error here is still shown to the user
        with one_blas_thread():
            _Server(config, started).run(sockets=[taken])
    say("adhominem: stopped")
