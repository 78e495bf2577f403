"""The server process: listens, says where, opens the browser and ends cleanly."""

from __future__ import annotations

import webbrowser
from collections.abc import Callable

import uvicorn

from adhominem.errors import InputError
from adhominem.web.app import create_app
from adhominem.web.settings import Settings


class _Server(uvicorn.Server):
    """Calls back once it listens."""

    def __init__(self, config: uvicorn.Config, on_start: Callable[[int], None]) -> None:
        super().__init__(config)
        self._on_start = on_start

    async def startup(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]
        await super().startup(sockets)  # type: ignore[arg-type]
        if self.started:
            self._on_start(self.servers[0].sockets[0].getsockname()[1])


def serve(
    settings: Settings, *, port: int, opens_browser: bool, say: Callable[[str], None]
) -> None:
    def started(real_port: int) -> None:
        address = f"http://{_shown(settings.host)}:{real_port}/"
        if settings.token is not None:
            address += f"?token={settings.token}"
        say(f"adhominem: {address}  (Ctrl-C ends it)")
        if opens_browser:
            webbrowser.open(address)

    config = uvicorn.Config(
        create_app(settings),
        host=settings.host,
        port=port,
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=3,
        h11_max_incomplete_event_size=16 * 1024,
    )
    server = _Server(config, started)
    try:
        server.run()
    except SystemExit:
        raise InputError(f"port {port} of {settings.host} is taken: give another --port") from None
    except KeyboardInterrupt:
        pass
    say("adhominem: stopped")


def _shown(host: str) -> str:
    if host in ("0.0.0.0", "::"):
        return "127.0.0.1" if host == "0.0.0.0" else "[::1]"
    return f"[{host}]" if ":" in host else host
