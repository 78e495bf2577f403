"""Long work in the background: one job at a time, with progress. Results are kept for a while."""

import json
import secrets
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Literal

from adhominem.bench.web.queue import AbandonedError, Turns
from adhominem.bench.web.replies import RefusedError, complain
from adhominem.bench.web.settings import Limits
from adhominem.errors import AdhominemError

Progress = Callable[[int, int], None]  # done, total
Work = Callable[[Progress], Any]
State = Literal["queued", "running", "done", "failed", "cancelled"]
_OPEN = ("queued", "running")


@dataclass(slots=True)
class Job:
    """A job. `result` is JSON, which takes less memory than objects; `page` renders it as HTML."""

    page: Callable[[Any], str] | None = None
    id: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    state: State = "queued"
    done: int = 0
    total: int = 0
    error: str | None = None
    result: bytes = b"null"
    cancelled: bool = False
    asked: float = field(default_factory=time.monotonic)

    def as_json(self) -> bytes:
        names = ("state", "done", "total", "error")
        head = json.dumps({name: getattr(self, name) for name in names})
        return b'%s, "result": %s}' % (head[:-1].encode(), self.result)


class Jobs:
    """Runs jobs one after another. A job lets other work use the network at every progress."""

    def __init__(self, turns: Turns, limits: Limits) -> None:
        self._turns, self._limits = turns, limits
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()
        self._thread = ThreadPoolExecutor(1, "jobs")

    def close(self) -> None:
        for job in list(self._jobs.values()):
            job.cancelled = True
        self._thread.shutdown(cancel_futures=True)

    def add(self, work: Work, page: Callable[[Any], str] | None = None) -> Job:
        with self._lock:
            self._forget()
            n_open = sum(job.state in _OPEN for job in self._jobs.values())
            if n_open >= self._limits.max_jobs:
                raise RefusedError(503, f"{n_open} jobs are waiting or running: try again later")
            job = Job(page)
            self._jobs[job.id] = job
        self._thread.submit(self._run, job, work)
        return job

    def get(self, id: str) -> Job:
        with self._lock:
            self._forget()
            if id not in self._jobs:
                raise RefusedError(404, "there is no such job any more: start it again")
            job = self._jobs[id]
            job.asked = time.monotonic()
            return job

    def cancel(self, id: str) -> Job:
        """End a waiting job at once, a running one at its next progress; forget a finished one."""
        job = self.get(id)
        with self._lock:
            job.cancelled = True
            if job.state == "queued":
                job.state = "cancelled"
            elif job.state not in _OPEN:
                self._jobs.pop(id, None)
        return job

    def _forget(self) -> None:
        """Drop finished jobs that were not asked for recently, and the oldest of too many."""
        closed = [job for job in self._jobs.values() if job.state not in _OPEN]
        closed.sort(key=lambda job: job.asked)
        last = time.monotonic() - self._limits.keep_seconds
        for position, job in enumerate(closed):
            if job.asked < last or position < len(closed) - self._limits.max_jobs:
                del self._jobs[job.id]

    def _run(self, job: Job, work: Work) -> None:
        with self._lock:
            if job.cancelled:
                job.state = "cancelled"
                return
            job.state = "running"

        state: State = "failed"
        try:
            with self._turns.taken(lambda: job.cancelled) as pass_on:

                def progress(done: int, total: int) -> None:
                    job.done, job.total = done, total
                    pass_on()

                job.result = json.dumps(work(progress), allow_nan=False).encode()
            state = "done"
        except AbandonedError:
            state = "cancelled"
        except AdhominemError as error:
            job.error = str(error)
        except Exception as error:
            job.error = complain(error)
        job.asked, job.state = time.monotonic(), state
