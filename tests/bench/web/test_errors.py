"""Whatever is sent: one line, the right status, and the server goes on."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

Sides = dict[str, list[str]]
CANDIDATES = [{"name": "x", "texts": ["b"]}]
JSON = {"Content-Type": "application/json"}


def refused(answer: httpx.Response, status: int) -> str:
    assert answer.status_code == status, answer.text
    assert set(answer.json()) == {"error"}
    line: str = answer.json()["error"]
    assert line and "\n" not in line
    return line


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"text"',
        b"\xff\xfe",
        b'{"left": ["caf\xe9"], "right": ["b"]}',
        b"[" * 100_000,
        b'{"left": ' + b"[" * 50_000 + b"]" * 50_000 + b"}",
        b'{"left": ["half a pair: \\ud800"], "right": ["b"]}',
        b'{"left": NaN, "right": ["b"]}',
        b'{"left": ["a"], "right": ["b"], "model": 1e999}',
        b'{"left": ' + b"1" * 10_000 + b', "right": ["b"]}',
    ],
)
def test_bodies_that_are_no_question(client: httpx.Client, body: bytes) -> None:
    refused(client.post("/api/verify", content=body, headers=JSON), 422)


@pytest.mark.parametrize(
    ("path", "asked", "word"),
    [
        ("verify", {"left": [], "right": ["b"]}, "left"),
        ("verify", {"left": ["a"]}, "right"),
        ("verify", {"left": "a", "right": ["b"]}, "left"),
        ("verify", {"left": ["a"], "right": [5]}, "right.0"),
        ("verify", {"left": ["a"], "right": ["b"], "secret": 1}, "secret"),
        ("verify", {"left": ["a"], "right": ["b"], "model": "nobody"}, "adhominem"),
        ("verify", {"left": ["a"], "right": ["b"], "model": "/etc"}, "adhominem"),
        ("verify", {"left": ["a"], "right": ["b"], "model": "../models/adhominem"}, "adhominem"),
        ("verify", {"left": ["a"] * 1001, "right": ["b"]}, "left"),
        ("explain", {"left": ["a"], "right": ["b"], "habits": "yes"}, "habits"),
        ("rank", {"questioned": ["a"], "candidates": []}, "candidates"),
        ("rank", {"questioned": ["a"], "candidates": [{"name": "x", "texts": []}]}, "texts"),
        ("attack", {"left": ["a"], "right": ["b"], "index": 1}, "text 1"),
        ("verify", {"left": ["a"], "right": ["b"], "genre": "sonnets"}, "'sonnets'"),
        ("rank", {"questioned": ["a"], "candidates": CANDIDATES, "genre": "x"}, "'x'"),
        ("cases", {"texts": [{"name": "a", "text": "b"}] * 2, "genre": "x"}, "'x'"),
        ("bundle", {"kind": "pair", "left": ["a"], "right": ["b"], "genre": "x"}, "'x'"),
        ("attack", {"left": ["a"], "right": ["b"], "budget": 0}, "budget"),
        ("attack", {"left": ["a"], "right": ["b"], "side": "up"}, "side"),
        ("attack", {"left": ["a"], "right": ["b"]}, "no verdict"),
        ("cases", {"texts": [{"name": "a", "text": "b"}]}, "texts"),
        ("cases", {"texts": [{"name": "", "text": "b"}] * 2}, "name"),
        ("report", {"left": ["a"], "right": ["b"], "form": "exe"}, "form"),
        ("bundle", {"kind": "other", "left": ["a"], "right": ["b"]}, "kind"),
        ("adaptations", {"name": "../up", "rows": [{"author": "a", "text": "b"}]}, "name"),
        ("adaptations", {"name": "adhominem", "rows": [{"author": "a", "text": "b"}]}, "already"),
        ("adaptations", {"name": "x", "rows": []}, "rows"),
    ],
)
def test_questions_that_are_not_understood(
    client: httpx.Client, path: str, asked: dict[str, Any], word: str
) -> None:
    assert word in refused(client.post(f"/api/{path}", json=asked), 422)


def test_two_candidates_of_one_name(client: httpx.Client) -> None:
    candidates = [{"name": "x", "texts": ["a"]}] * 2
    asked = {"questioned": ["a"], "candidates": candidates}
    assert "same name" in refused(client.post("/api/rank", json=asked), 422)


def test_too_large(client: httpx.Client) -> None:
    asked: dict[str, Any] = {"left": ["a" * 600_000], "right": ["b" * 600_000]}
    assert "1,200,000" in refused(client.post("/api/verify", json=asked), 413)
    asked = {"left": ["a"] * 600, "right": ["b"] * 600}
    assert "1,200" in refused(client.post("/api/verify", json=asked), 413)
    asked = {"left": ["a" * 30_000], "right": ["b"]}
    assert "20,000" in refused(client.post("/api/attack", json=asked), 413)
    texts = [{"name": str(n), "text": "a" * 6_000_000} for n in range(2)]
    assert "12,000,000" in refused(client.post("/api/cases", json={"texts": texts}), 413)
    rows = [{"author": str(n), "text": "a" * 6_000_000} for n in range(2)]
    asked = {"name": "large", "rows": rows}
    assert "12,000,000" in refused(client.post("/api/adaptations", json=asked), 413)


def test_a_hundred_megabytes(client: httpx.Client) -> None:
    body = b"x" * (100 << 20)
    refused(client.post("/api/verify", content=body, headers=JSON), 413)
    headers = {"Content-Type": "application/octet-stream", "X-Name": "x.txt"}
    refused(client.post("/api/read", content=body, headers=headers), 413)


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script> " * 30,
        "\0\x01\x1b[31m " * 30,
        "\u202e\u2066 turned around " * 30,
        "😀" * 400,
        "a" * 50_000,
        "\n" * 5_000,
        "{{ 7 * 7 }} {% raw %} " * 30,
    ],
)
def test_strange_texts_are_texts(client: httpx.Client, text: str) -> None:
    other = "Another text, which has no words in common with this one."
    asked = json.dumps({"left": [text], "right": [other], "contributions": False})
    answer = client.post("/api/explain", content=asked.encode(), headers=JSON)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()["explanation"]["left"][0]["text"] == text
    asked = json.dumps({"left": [text], "right": [text], "form": "html"})
    page = client.post("/api/report", content=asked.encode(), headers=JSON)
    assert page.status_code == 200 and "<script" not in page.text


def test_names_that_are_strange(client: httpx.Client, pair: Sides) -> None:
    name = "<img src=x onerror=alert(1)>\r\nSet-Cookie: a=b"
    candidates = [{"name": name, "texts": pair["right"]}]
    asked = {"questioned": pair["left"], "candidates": candidates}
    answer = client.post("/api/rank", json=asked)
    assert answer.json()["candidates"][0]["name"] == name
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/nothing", 404),
        ("GET", "/static/../app.py", 404),
        ("GET", "/static/%2e%2e/app.py", 404),
        ("GET", "/static/..%2f..%2fsettings.py", 404),
        ("GET", "/api/jobs/unknown", 404),
        ("DELETE", "/api/jobs/unknown", 404),
        ("GET", "/api/jobs/%00", 422),
        ("GET", "/api/verify", 405),
        ("OPTIONS", "/api/verify", 405),
        ("PUT", "/api/verify", 405),
        ("TRACE", "/", 405),
    ],
)
def test_paths_that_lead_nowhere(client: httpx.Client, method: str, path: str, status: int) -> None:
    refused(client.request(method, path), status)


def test_nothing_is_said_on_the_terminal(
    client: httpx.Client, capfd: pytest.CaptureFixture[str]
) -> None:
    secret = "xyzzy plugh frobnicate " * 20
    for path in ("verify", "explain", "report"):
        client.post(f"/api/{path}", json={"left": [secret], "right": [secret]})
    client.post("/api/verify", json={"left": [secret], "wrong": secret})
    said = capfd.readouterr()
    assert "xyzzy" not in said.out + said.err
