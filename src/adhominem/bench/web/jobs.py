"""Long work beside the requests: one job at a time, with its progress; results are kept a while."""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from queue import SimpleQueue
from typing import Any

from adhominem.bench.web.complaint import complain
from adhominem.bench.web.queue import BusyError
from adhominem.bench.web.settings import Limits
from adhominem.bench.web.turns import Turns
from adhominem.errors import AdhominemError
from adhominem.pausing import pausing

_SECONDS_TO_END = 5.0  # after which a thread is left behind
Progress = Callable[[int, int], None]  # done, total
Work = Callable[[Progress], Any]


class State(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


_OPEN = (State.QUEUED, State.RUNNING)


class MissingJobError(AdhominemError):
    pass


class _CancelledError(Exception):
    pass


@dataclass(slots=True)
class Job:
    """The result is kept as JSON, which is a fraction of its objects and is written only once."""

    work: Work | None
    id: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    state: State = State.QUEUED
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
    """A job has the turn for the network while it runs, and passes it on at every progress."""

    def __init__(self, turns: Turns, limits: Limits) -> None:
        self._turns, self._limits = turns, limits
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()
        self._todo: SimpleQueue[Job | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="jobs", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        with self._lock:
            for job in self._jobs.values():
                job.cancelled = True
        self._todo.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout=_SECONDS_TO_END)

    def add(self, work: Work) -> Job:
        with self._lock:
            self._forget()
            n_open = sum(job.state in _OPEN for job in self._jobs.values())
            if n_open >= self._limits.max_jobs:
                raise BusyError(f"{n_open} jobs are waiting or running: try again later")
            job = Job(work)
            self._jobs[job.id] = job
        self._todo.put(job)
        return job

    def get(self, id: str) -> Job:
        with self._lock:
            self._forget()
            if id not in self._jobs:
                raise MissingJobError("there is no such job, or no more: start it again")
            job = self._jobs[id]
            job.asked = time.monotonic()
            return job

    def cancel(self, id: str) -> Job:
        """One that waits ends at once, one that runs at its next sign of life; a finished one is
        forgotten."""
        job = self.get(id)
        with self._lock:
            job.cancelled = True
            if job.state is State.QUEUED:
                job.state, job.work = State.CANCELLED, None
            elif job.state not in _OPEN:
                self._jobs.pop(id, None)
        return job

    def _forget(self) -> None:
        """Finished jobs that nobody asks for, and the oldest of too many."""
        closed = [job for job in self._jobs.values() if job.state not in _OPEN]
        closed.sort(key=lambda job: job.asked)
        last = time.monotonic() - self._limits.keep_seconds
        for place, job in enumerate(closed):
            if job.asked < last or place < len(closed) - self._limits.max_jobs:
                del self._jobs[job.id]

    def _run(self) -> None:
        while job := self._todo.get():
            with self._lock:
                if job.cancelled:
                    job.state, job.work = State.CANCELLED, None
                    continue
                job.state = State.RUNNING
            self._do(job)
            job.work, job.asked = None, time.monotonic()

    def _do(self, job: Job) -> None:
        assert job.work is not None

        def meanwhile() -> None:
            if job.cancelled:
                raise _CancelledError
            self._turns.pass_on()

        def progress(done: int, total: int) -> None:
            job.done, job.total = done, total
            meanwhile()

        try:
            with self._turns, pausing(meanwhile):
                job.result = json.dumps(job.work(progress), allow_nan=False).encode()
            job.state = State.DONE
        except _CancelledError:
            job.state = State.CANCELLED
        except AdhominemError as error:
            job.error, job.state = str(error), State.FAILED
        except Exception as error:
            job.error, job.state = complain(error), State.FAILED
