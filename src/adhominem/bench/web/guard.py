"""Middleware that protects the server: who may ask, how much at a time and for how long.

Pages of other sites in the same browser are refused: `Host` must be one of our names, `Origin` our
own, and every request that computes or changes something needs a header that no form can send.
Users of other machines need a token. A body is measured while it comes in. No text is logged.
"""

import asyncio
import ipaddress
import platform
import re
import secrets
import time
from datetime import UTC, datetime

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from adhominem.bench.web.replies import Answer, RefusedError, complain, refusal
from adhominem.bench.web.settings import LOOPBACK, Settings

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
_COOKIE = "adhominem"
_LOGGED = re.compile(r"/(?:(?:api|static)/[a-z_-]{1,20}(?=[/.]|$))?")  # part of a path
_SILENCE = 10.0  # seconds that a client may take between two parts of a body
_HOST = re.compile(r"(?:\[([0-9a-fA-F:.]{2,45})\]|([A-Za-z0-9._-]{1,253}))(?::[0-9]{1,5})?")


class Guard:
    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app, self._settings, self._limits = app, settings, settings.limits
        self._held = 0  # bytes of all bodies that are being read or answered

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        begin, root, path = time.monotonic(), self._settings.root, scope["path"]
        status = 0  # of an answer that has begun

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        if root and f"{path}/".startswith(f"{root}/"):  # a proxy may pass it on or leave it out
            scope = {**scope, "path": path.removeprefix(root)}
        instead = await self._pass(scope, receive, answer)
        if instead is not None and not status:
            await instead(scope, receive, answer)
        if self._settings.log is not None:
            shown = _LOGGED.match(scope["path"])
            route = shown[0] if shown else "-"
            took = f"{1000 * (time.monotonic() - begin):.0f} ms"
            now = datetime.now(UTC).isoformat(timespec="seconds")
            self._settings.log(f"{now} {scope['method'][:9]} {route} {status} {took}")

    async def _pass(self, scope: Scope, receive: Receive, send: Send) -> Response | None:
        """Let the application answer, or return another response instead."""
        if not scope["path"]:  # relative addresses in the page need the slash
            return RedirectResponse(f"{self._settings.root}/")
        try:
            async with asyncio.timeout(self._limits.seconds):
                return await self._admit(scope, receive, send)
        except RefusedError as error:
            return refusal(error)
        except TimeoutError:
            return Answer({"error": f"no answer within {self._limits.seconds:.0f} s"}, 504)
        except Exception as error:
            return Answer({"error": complain(error)}, 500)

    async def _admit(self, scope: Scope, receive: Receive, send: Send) -> Response | None:
        request = HTTPConnection(scope)
        self._check_origin(request)
        if (redirect := self._log_in(request)) is not None:
            return redirect
        if scope["method"] not in ("GET", "HEAD"):
            _check_intent(request)
        length = request.headers.get("content-length", "")
        self._check_size(int(length) if length.isascii() and length.isdigit() else 0, 0)
        body, more = bytearray(), True
        try:
            while more:
                async with asyncio.timeout(_SILENCE):
                    message = await receive()
                if message["type"] == "http.disconnect":
                    return None
                chunk = message.get("body", b"")
                self._check_size(len(body) + len(chunk), len(chunk))
                body += chunk
                self._held += len(chunk)
                more = message.get("more_body", False)
            await self._ask(scope, bytes(body), receive, send)
            return None
        finally:
            self._held -= len(body)

    async def _ask(self, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
        """Run the application on the whole body, and give up when the client has gone."""
        gone = asyncio.Event()
        messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def replay() -> Message:
            if messages:
                return messages.pop()
            await gone.wait()
            return {"type": "http.disconnect"}

        async def watch() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            gone.set()

        app = asyncio.ensure_future(self._app(scope, replay, send))
        watcher = asyncio.ensure_future(watch())
        try:
            await asyncio.wait((app, watcher), return_when=asyncio.FIRST_COMPLETED)
            if app.done():
                app.result()
        finally:
            for task in (app, watcher):
                task.cancel()
            await asyncio.gather(app, watcher, return_exceptions=True)

    def _check_origin(self, request: HTTPConnection) -> None:
        headers = request.headers
        host = headers.get("host", "")
        if len(headers.getlist("host")) != 1 or not is_ours(host, self._settings):
            raise RefusedError(421, "unknown host name: open the address that the server printed")
        origin, site = headers.get("origin"), headers.get("sec-fetch-site", "none")
        is_foreign = origin is not None and origin.partition("://")[2] != host
        is_api = request.scope["path"].startswith("/api/")
        if is_foreign or (is_api and site not in ("none", "same-origin")):
            raise RefusedError(403, "another site may not ask this server")

    def _log_in(self, request: HTTPConnection) -> Response | None:
        """Check the token. `/?token=...` sets a cookie and redirects, so no history keeps it."""
        token = self._settings.token
        if token is None or request.scope["path"] == "/api/health":
            return None
        if request.scope["path"] == "/" and _same(request.query_params.get("token", ""), token):
            redirect = RedirectResponse("./", 303)
            path = f"{self._settings.root}/"
            redirect.set_cookie(_COOKIE, token, path=path, httponly=True, samesite="strict")
            return redirect
        scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and _same(bearer.strip(), token):
            return None
        if not _same(request.cookies.get(_COOKIE, ""), token):
            raise RefusedError(401, "a token is needed: open the address that the server printed")
        return None

    def _check_size(self, size: int, chunk: int) -> None:
        if size > self._limits.max_body:
            most = self._limits.max_body >> 20
            raise RefusedError(413, f"the request is larger than {most} MB: send less at a time")
        if self._held + chunk > self._limits.max_bodies:
            raise RefusedError(503, "too many large requests at a time: try again")


def is_ours(host: str, settings: Settings) -> bool:
    """Whether a `Host` header names this server. Unless the server is local, any IP address does:
    unlike a name, it cannot be rebound to another machine."""
    match = _HOST.fullmatch(host)
    if match is None:
        return False
    name = (match[1] or match[2]).lower()
    ours = {*LOOPBACK, *settings.names}
    if not settings.is_local:
        ours |= {settings.host, platform.node()}
    if name in {known.lower() for known in ours}:
        return True
    try:
        return not settings.is_local and bool(ipaddress.ip_address(name))
    except ValueError:
        return False


def _check_intent(request: HTTPConnection) -> None:
    """Check the header that a page of another site cannot set without a preflight request."""
    if request.headers.get("x-adhominem") != "1":
        raise RefusedError(403, "the header X-Adhominem: 1 is missing")
    is_upload = request.scope["path"] == "/api/read"
    wanted = "application/octet-stream" if is_upload else "application/json"
    given = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if request.scope["method"] == "POST" and given != wanted:
        raise RefusedError(415, f"Content-Type must be {wanted}")


def _same(given: str, token: str) -> bool:
    return secrets.compare_digest(given.encode("utf-8", "replace"), token.encode())
