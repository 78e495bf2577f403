"""More than it can do: some are answered, the others told when to come again, and it goes on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from adhominem.bench.web.app import create_app
from adhominem.bench.web.settings import Limits, Settings

Sides = dict[str, list[str]]


@pytest.fixture(scope="module")
def small(opens: Callable[..., httpx.Client]) -> httpx.Client:
    limits = Limits(max_waiting=3, max_slow=1, max_batch=2, max_jobs=1)
    return opens(create_app(Settings(limits=limits)), **{"X-Adhominem": "1"})


@pytest.mark.parametrize("path", ["verify", "explain"])
def test_a_crowd(small: httpx.Client, pair: Sides, path: str) -> None:
    def ask(n: int) -> httpx.Response:
        return small.post(f"/api/{path}", json={**pair, "right": [f"{n} {pair['right'][0]}"]})

    with ThreadPoolExecutor(16) as crowd:
        answers = list(crowd.map(ask, range(16)))
    statuses = Counter(answer.status_code for answer in answers)
    assert set(statuses) == {200, 503}
    for answer in answers:
        if answer.status_code == 503:
            assert int(answer.headers["retry-after"]) > 0
            assert "again" in answer.json()["error"]
    assert ask(0).status_code == 200


def test_one_job_too_many(small: httpx.Client, samples: tuple[str, str]) -> None:
    texts = [{"name": str(n), "text": f"{n} {samples[0]}"} for n in range(200)]
    first = small.post("/api/cases", json={"texts": texts})
    second = small.post("/api/cases", json={"texts": texts})
    assert (first.status_code, second.status_code) == (200, 503)
    assert "retry-after" in second.headers
    assert small.delete(f"/api/jobs/{first.json()['job']}").is_success
