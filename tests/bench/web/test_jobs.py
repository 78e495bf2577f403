"""Long work: progress, cancelling, bounds, and results that are not kept for ever."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from adhominem.bench.web.jobs import Job, Jobs, Progress
from adhominem.bench.web.queue import Turns
from adhominem.bench.web.replies import RefusedError
from adhominem.bench.web.settings import Limits
from adhominem.errors import InputError


@pytest.fixture
def jobs() -> Iterator[Jobs]:
    made = Jobs(Turns(), Limits(max_jobs=2, keep_seconds=0.3))
    yield made
    made.close()


def wait_for(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.005)


def endless(progress: Progress) -> None:
    for step in range(10_000):
        progress(step, 10_000)
        time.sleep(0.005)


def over(job: Job) -> bool:
    return job.state not in ("queued", "running")


def test_a_job_ends_with_its_result(jobs: Jobs) -> None:
    def work(progress: Progress) -> str:
        progress(3, 4)
        return "found"

    job = jobs.add(work)
    wait_for(lambda: over(job))
    expected = {"state": "done", "done": 3, "total": 4, "error": None, "result": "found"}
    assert json.loads(jobs.get(job.id).as_json()) == expected


def test_cancelling_one_that_runs_and_one_that_waits(jobs: Jobs) -> None:
    running, waiting = jobs.add(endless), jobs.add(endless)
    wait_for(lambda: running.done > 1)
    assert jobs.cancel(waiting.id).state == "cancelled"
    jobs.cancel(running.id)
    wait_for(lambda: over(running))
    assert running.state == "cancelled" and running.result == b"null"


def test_too_many_are_refused(jobs: Jobs) -> None:
    open_jobs = [jobs.add(endless) for _ in range(2)]
    with pytest.raises(RefusedError, match="try again later"):
        jobs.add(endless)
    for job in open_jobs:
        jobs.cancel(job.id)
    wait_for(lambda: all(map(over, open_jobs)))
    jobs.add(lambda _: None)


def test_failures_are_told_without_the_text(jobs: Jobs, capsys: pytest.CaptureFixture[str]) -> None:
    def expected(_: Progress) -> None:
        raise InputError("give another file")

    def unforeseen(_: Progress) -> None:
        raise ValueError("the secret text")

    one = jobs.add(expected)
    other = jobs.add(unforeseen)
    wait_for(lambda: over(one) and over(other))
    assert (one.state, one.error) == ("failed", "give another file")
    assert other.state == "failed"
    assert "secret" not in str(other.error) + capsys.readouterr().err


def test_results_are_dropped_after_a_while(jobs: Jobs) -> None:
    job = jobs.add(lambda _: "text")
    wait_for(lambda: over(job))
    assert jobs.get(job.id)
    time.sleep(0.4)
    with pytest.raises(RefusedError, match="no such job"):
        jobs.get(job.id)


def test_of_too_many_results_the_oldest_goes(jobs: Jobs) -> None:
    made = []
    for _ in range(4):
        job = jobs.add(lambda _: "text")
        wait_for(lambda job=job: over(job))
        made.append(job)
    jobs.get(made[-1].id)
    with pytest.raises(RefusedError, match="no such job"):
        jobs.get(made[0].id)


def test_a_job_gives_way(jobs: Jobs) -> None:
    """Whoever wants the network meanwhile gets it before the job ends."""
    turns = jobs._turns
    job = jobs.add(endless)
    wait_for(lambda: job.done > 1)
    served = threading.Event()

    def ask() -> None:
        with turns:
            served.set()

    threading.Thread(target=ask).start()
    assert served.wait(2)
    assert job.state == "running"
    jobs.cancel(job.id)


def poll(client: httpx.Client, id: str) -> dict[str, Any]:
    found: dict[str, Any] = {}

    def is_over() -> bool:
        found.update(client.get(f"/api/jobs/{id}").json())
        return found["state"] not in ("queued", "running")

    wait_for(is_over)
    return found


def test_a_case(client: httpx.Client) -> None:
    sample = client.get("/api/sample").json()
    asked = {"texts": sample["case"], "questioned": sample["questioned"]}
    started = client.post("/api/cases", json=asked).json()
    found = poll(client, started["job"])
    assert (found["state"], found["done"]) == ("done", found["total"])
    result, n = found["result"], len(sample["case"])
    assert result["names"] == [text["name"] for text in sample["case"]]
    assert all(result["llr"][i][i] is None for i in range(n))
    assert result["llr"][0][1] == result["llr"][1][0]
    assert sorted(result["order"]) == list(range(n)) and len(result["merges"]) == n - 1
    assert result["ranking"]["candidates"]
    one, other = sample["case"][0]["text"], sample["case"][1]["text"]
    decision = client.post("/api/verify", json={"left": [one], "right": [other]}).json()["decision"]
    assert result["llr"][0][1] == pytest.approx(decision["llr"], abs=1e-5)
    assert client.delete(f"/api/jobs/{started['job']}").json()["state"] == "done"
    assert client.get(f"/api/jobs/{started['job']}").status_code == 404


def test_a_case_that_makes_no_sense_fails_in_a_line(client: httpx.Client) -> None:
    texts = [{"name": "a", "text": "one"}, {"name": "a", "text": "two"}]
    started = client.post("/api/cases", json={"texts": texts}).json()
    found = poll(client, started["job"])
    assert found["state"] == "failed" and "'a'" in found["error"]


def test_a_case_is_cancelled(client: httpx.Client, samples: tuple[str, str]) -> None:
    texts = [{"name": str(n), "text": f"{n} {samples[0]}"} for n in range(300)]
    job = client.post("/api/cases", json={"texts": texts}).json()["job"]
    client.delete(f"/api/jobs/{job}")
    assert poll(client, job)["state"] == "cancelled"
