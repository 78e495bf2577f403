"""The page needs the extra `bench` alone: no package of the laboratory is installed here."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from adhominem.errors import PACKAGES

SCRIPT = """
import asyncio, json, sys
for name in {blocked}:
    sys.modules[name] = None

import httpx
from adhominem.bench.web.app import create_app

HEADERS = {{"X-Adhominem": "1"}}


async def finished(client, job):
    while True:
        found = (await client.get(f"/api/jobs/{{job}}")).json()
        if found["state"] not in ("queued", "running"):
            return found
        await asyncio.sleep(0.02)


async def main():
    app = create_app()
    transport = httpx.ASGITransport(app)
    async with app.router.lifespan_context(app), httpx.AsyncClient(
        transport=transport, base_url="http://127.0.0.1", headers=HEADERS, timeout=60
    ) as client:
        assert (await client.get("/")).is_success
        assert (await client.get("/static/fragments.css")).is_success
        sample = (await client.get("/api/sample")).json()
        pair = {{side: sample[side] for side in ("left", "right")}}
        html = {{"Accept": "text/html"}}
        for path, body in (
            ("explain", pair),
            ("edits", {{"text": pair["left"][0]}}),
            ("attack", {{**pair, "budget": 1}}),
            ("report", pair),
            ("bundle", {{**pair, "kind": "pair"}}),
        ):
            answer = await client.post(f"/api/{{path}}", json=body, headers=html)
            assert answer.is_success, (path, answer.text)
        twice = [*sample["case"], *sample["case"]]
        texts = [{{**one, "name": f"text {{n}}"}} for n, one in enumerate(twice)]
        started = await client.post("/api/cases", json={{"texts": texts}})
        case = await finished(client, started.json()["job"])
        assert case["state"] == "done", case
        headers = {{"Content-Type": "application/octet-stream", "X-Name": "rows.csv"}}
        rows = b"author,text\\nsmith,one\\n"
        assert (await client.post("/api/read", content=rows, headers=headers)).is_success
        asked = {{"name": "new", "rows": [{{"author": "a", "text": "b"}}]}}
        answer = await client.post("/api/adaptations", json=asked)
        print(json.dumps([answer.status_code, answer.json()["error"]]))

asyncio.run(main())
"""


@pytest.mark.parametrize("missing", [["pyarrow"], list(PACKAGES["lab"])])
def test_the_page_without_the_laboratory(missing: list[str]) -> None:
    script = SCRIPT.format(blocked=missing)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    status, error = json.loads(done.stdout)
    assert status == 501
    assert re.fullmatch(
        r'(pyarrow|torch|scipy) is not installed: pip install "adhominem\[lab\]"', error
    )
