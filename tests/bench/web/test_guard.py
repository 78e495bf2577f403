"""The door, with a trivial house behind it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from adhominem.bench.web.guard import CSP, Guard, is_ours
from adhominem.bench.web.settings import Limits, Settings

TOKEN = "a-long-secret"
LIMITS = Limits(max_body=1000, max_bodies=1500, seconds=0.5)
JSON = {"X-Adhominem": "1", "Content-Type": "application/json"}


async def house(scope: Scope, receive: Receive, send: Send) -> None:
    request = Request(scope, receive)
    if scope["path"] == "/slow":
        await asyncio.sleep(30)
    if scope["path"] == "/broken":
        raise ValueError("the secret text")
    body = await request.body()
    response: Response = PlainTextResponse(f"{len(body)} bytes")
    await response(scope, receive, send)


@pytest.fixture(scope="module")
def local(opens: Callable[..., httpx.Client]) -> httpx.Client:
    return opens(Guard(house, Settings(limits=LIMITS)))


@pytest.fixture
def open_to_others(opens: Callable[..., httpx.Client]) -> httpx.Client:
    settings = Settings(host="0.0.0.0", token=TOKEN, limits=LIMITS)
    return opens(Guard(house, settings), "http://192.0.2.7:8017")


@pytest.mark.parametrize(
    ("host", "ours"),
    [
        ("127.0.0.1:8017", True),
        ("localhost:8017", True),
        ("LOCALHOST", True),
        ("[::1]:8017", True),
        ("bench.example.org", True),
        ("rebound.example.org:8017", False),
        ("192.0.2.7:8017", False),
        ("127.0.0.1.example.org", False),
        ("localhost:8017:1", False),
        ("localhost@example.org", False),
        ("", False),
    ],
)
def test_names_on_this_machine_alone(host: str, ours: bool) -> None:
    assert is_ours(host, Settings(names=("bench.example.org",))) is ours


@pytest.mark.parametrize(
    ("host", "ours"),
    [("192.0.2.7:8017", True), ("[2001:db8::7]", True), ("rebound.example.org", False)],
)
def test_names_where_others_may_ask(host: str, ours: bool) -> None:
    assert is_ours(host, Settings(host="0.0.0.0")) is ours


def test_a_rebound_name_is_refused(local: httpx.Client) -> None:
    answer = local.get("/", headers={"Host": "evil.example.org"})
    assert answer.status_code == 421 and set(answer.json()) == {"error"}


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example.org"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"X-Adhominem": "0"},
        {"X-Adhominem": ""},
    ],
)
def test_another_site_is_refused(local: httpx.Client, headers: dict[str, str]) -> None:
    assert local.post("/api/verify", headers={**JSON, **headers}).status_code == 403


def test_our_own_page_is_let_in(local: httpx.Client) -> None:
    own = {"Origin": "http://127.0.0.1:8017", "Sec-Fetch-Site": "same-origin"}
    assert local.post("/api/verify", headers={**JSON, **own}).text == "0 bytes"
    link = {"Sec-Fetch-Site": "cross-site"}  # somebody follows a link to the page
    assert local.get("/", headers=link).is_success


@pytest.mark.parametrize("method", ["POST", "DELETE", "PUT", "PATCH"])
def test_what_changes_something_needs_the_header(local: httpx.Client, method: str) -> None:
    kind = {"Content-Type": "application/json"}
    assert local.request(method, "/api/x", headers=kind).status_code == 403


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_forms_are_refused(local: httpx.Client, kind: str) -> None:
    headers = {"X-Adhominem": "1", "Content-Type": kind}
    assert local.post("/api/verify", content=b"{}", headers=headers).status_code == 415
    assert local.post("/api/read", content=b"{}", headers=JSON).status_code == 415


def test_a_body_is_counted_while_it_comes(local: httpx.Client) -> None:
    assert local.post("/api/verify", content=b"x" * 1000, headers=JSON).text == "1000 bytes"
    taken = 0

    def endless() -> Iterator[bytes]:
        nonlocal taken
        while True:
            taken += 100
            yield b"x" * 100

    refused = local.post("/api/verify", content=b"x" * 1001, headers=JSON)
    assert refused.status_code == 413
    claimed = {**JSON, "Content-Length": "99999999999999999999"}
    assert local.post("/api/verify", content=b"x", headers=claimed).status_code == 413
    assert asyncio.run(_send(endless())) == 413
    assert taken <= 1200


async def _send(body: Iterator[bytes]) -> int:
    """By hand, so that it shows how much was taken before the refusal."""
    sent: list[dict[str, object]] = []

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": next(body), "more_body": True}

    async def send(message: object) -> None:
        assert isinstance(message, dict)
        sent.append(message)

    headers = [(b"host", b"localhost"), (b"x-adhominem", b"1")]
    headers.append((b"content-type", b"application/json"))
    scope = {"type": "http", "method": "POST", "path": "/api/x", "headers": headers}
    await Guard(house, Settings(limits=LIMITS))({**scope, "query_string": b""}, receive, send)  # type: ignore[arg-type]
    status = sent[0]["status"]
    assert isinstance(status, int)
    return status


def test_all_bodies_together_are_bounded() -> None:
    """Two of a thousand bytes at a time are more than fifteen hundred."""
    guard = Guard(house, Settings(limits=LIMITS))

    async def ask() -> int:
        sent: list[int] = []
        parts = iter([(b"x" * 500, True), (b"x" * 500, False)])

        async def receive() -> dict[str, object]:
            await asyncio.sleep(0)
            part = next(parts, None)
            if part is None:
                await asyncio.sleep(30)
                return {"type": "http.disconnect"}
            return {"type": "http.request", "body": part[0], "more_body": part[1]}

        async def send(message: object) -> None:
            assert isinstance(message, dict)
            sent.append(message.get("status", 0))

        headers = [(name.lower().encode(), value.encode()) for name, value in JSON.items()]
        headers.append((b"host", b"localhost"))
        scope = {"type": "http", "method": "POST", "path": "/api/x", "headers": headers}
        await guard({**scope, "query_string": b""}, receive, send)  # type: ignore[arg-type]
        return sent[0]

    async def both() -> list[int]:
        return [*await asyncio.gather(ask(), ask()), await ask()]

    assert sorted(asyncio.run(both())) == [200, 200, 503]


def test_a_slow_answer_is_given_up(local: httpx.Client) -> None:
    answer = local.get("/slow")
    assert answer.status_code == 504 and "0" in answer.json()["error"]


def test_work_for_somebody_who_has_gone_is_given_up() -> None:
    ended = asyncio.Event()

    async def patient(scope: Scope, receive: Receive, send: Send) -> None:
        del scope, receive, send
        try:
            await asyncio.sleep(30)
        finally:
            ended.set()

    async def gone() -> None:
        messages = iter(
            [{"type": "http.request", "body": b"", "more_body": False}, {"type": "http.disconnect"}]
        )

        async def receive() -> dict[str, object]:
            return next(messages)

        async def send(message: object) -> None:
            raise AssertionError(message)

        scope = {"type": "http", "method": "GET", "path": "/", "query_string": b""}
        headers = [(b"host", b"localhost")]
        guard = Guard(patient, Settings(limits=LIMITS))
        await guard({**scope, "headers": headers}, receive, send)  # type: ignore[arg-type]

    asyncio.run(gone())
    assert ended.is_set()


def test_an_error_nobody_foresaw_says_nothing_of_the_text(
    local: httpx.Client, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = local.get("/broken")
    assert answer.status_code == 500
    said = capsys.readouterr().err
    assert "ValueError" in said and "secret" not in said + answer.text


def test_every_answer_has_the_headers(local: httpx.Client) -> None:
    for answer in (local.get("/"), local.get("/slow"), local.get("/", headers={"Host": "x.y"})):
        assert answer.headers["content-security-policy"] == CSP
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in answer.headers


def test_a_stranger_needs_the_token(open_to_others: httpx.Client) -> None:
    asked = open_to_others
    for headers in (
        {},
        {"Authorization": "Bearer wrong"},
        {"Authorization": f"Basic {TOKEN}"},
        {"Authorization": TOKEN},
        {"Cookie": "adhominem=wrong"},
        {"Cookie": f"other={TOKEN}"},
    ):
        assert asked.get("/", headers=headers).status_code == 401
        assert asked.post("/api/verify", headers={**JSON, **headers}).status_code == 401
    assert asked.get("/?token=wrong").status_code == 401
    assert asked.get(f"/static/x?token={TOKEN}").status_code == 401
    assert asked.get("/", headers={"Authorization": f"Bearer {TOKEN}"}).is_success


def test_the_printed_address_logs_in(open_to_others: httpx.Client) -> None:
    answer = open_to_others.get(f"/?token={TOKEN}", follow_redirects=False)
    assert answer.status_code == 303 and answer.headers["location"] == "./"
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "samesite=strict" in cookie.lower()
    assert open_to_others.get("/").is_success
    assert open_to_others.post("/api/verify", headers=JSON).is_success
    evil = {**JSON, "Origin": "http://evil.example.org"}
    assert open_to_others.post("/api/verify", headers=evil).status_code == 403


@pytest.mark.parametrize("path", ["/bench/api/verify", "/api/verify"])
def test_below_a_path_of_a_proxy(opens: Callable[..., httpx.Client], path: str) -> None:
    """A proxy may pass its path on, or leave it out."""
    asked = opens(Guard(house, Settings(limits=LIMITS, root="/bench", token=TOKEN)))
    assert asked.post(path, headers=JSON).status_code == 401
    bearer = {**JSON, "Authorization": f"Bearer {TOKEN}"}
    assert asked.post(path, headers=bearer, json={}).text == "2 bytes"
    bare = asked.get("/bench", follow_redirects=False)
    assert bare.is_redirect and bare.headers["location"] == "/bench/"
    entry = asked.get(f"/bench/?token={TOKEN}", follow_redirects=False)
    assert entry.headers["location"] == "./" and "Path=/bench/" in entry.headers["set-cookie"]
    assert asked.get("/benches/", headers=bearer).is_success  # another path


def test_the_log_has_a_line_for_each_request_and_no_text(
    opens: Callable[..., httpx.Client],
) -> None:
    lines: list[str] = []
    asked = opens(Guard(house, Settings(limits=LIMITS, token=TOKEN, log=lines.append)))
    bearer = {**JSON, "Authorization": f"Bearer {TOKEN}"}
    asked.post("/api/verify", headers=bearer, json={"left": ["the secret text"]})
    asked.get("/api/jobs/secretid", headers=bearer)
    asked.get("/the-secret-text?token=secret")
    asked.get("/api/the%20secret%20text", headers=bearer)
    asked.get("/broken", headers=bearer)
    assert [line.split(" ", 1)[1].rpartition(" ")[0].rpartition(" ")[0] for line in lines] == [
        "POST /api/verify 200",
        "GET /api/jobs 200",
        "GET / 401",
        "GET / 200",
        "GET / 500",
    ]
    assert not any("secret" in line or TOKEN in line for line in lines)
