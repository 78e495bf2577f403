"""What the routes share: settings, models, the queue for the network and the jobs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request
from starlette.concurrency import run_in_threadpool

from adhominem.verifier import Verifier
from adhominem.web.guard import Refusal
from adhominem.web.jobs import Jobs
from adhominem.web.models import Models
from adhominem.web.queue import NetworkQueue
from adhominem.web.settings import Settings
from adhominem.web.turns import Turns


@dataclass(frozen=True, slots=True)
class Workbench:
    settings: Settings
    models: Models
    queue: NetworkQueue
    jobs: Jobs

    @classmethod
    def of(cls, settings: Settings) -> Workbench:
        turns = Turns()
        return cls(
            settings,
            Models(settings),
            NetworkQueue(turns, settings.limits),
            Jobs(turns, settings.limits),
        )

    def start(self) -> None:
        self.queue.start()
        self.jobs.start()

    def close(self) -> None:
        self.jobs.close()
        self.queue.close()
        self.models.close()

    async def verifier(self, name: str | None) -> Verifier:
        """Loading another model holds up nobody who uses one that is loaded."""
        return self.models.loaded(name) or await run_in_threadpool(self.models.load, name)

    def measure(self, texts: Iterable[str], *, most: int | None = None) -> int:
        """The characters of all texts, if they are not too many."""
        most = most or self.settings.limits.max_characters
        lengths = [len(text) for text in texts]
        if len(lengths) > self.settings.limits.max_texts:
            allowed = self.settings.limits.max_texts
            raise Refusal(413, f"{len(lengths):,} texts: at most {allowed:,} can be given")
        if sum(lengths) > most:
            raise Refusal(413, f"{sum(lengths):,} characters: at most {most:,} can be given")
        return sum(lengths)


def _of_request(request: Request) -> Workbench:
    bench: Workbench = request.app.state.bench
    return bench


Bench = Annotated[Workbench, Depends(_of_request)]
