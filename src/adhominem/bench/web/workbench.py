"""The state that all routes share: settings, models, the queue for the network, and jobs."""

from collections.abc import Callable, Iterable
from typing import Annotated, TypeVar

from fastapi import Depends, Request
from starlette.concurrency import run_in_threadpool

from adhominem.bench.web.apart import end_readers
from adhominem.bench.web.jobs import Jobs
from adhominem.bench.web.models import Models, References
from adhominem.bench.web.queue import NetworkQueue, Turns
from adhominem.bench.web.replies import RefusedError
from adhominem.bench.web.settings import Settings
from adhominem.bench.web.wire import ModelRequest
from adhominem.errors import InputError
from adhominem.instrument.report.as_json import explanation_dict
from adhominem.instrument.verifier import Verifier
from adhominem.records import Pair

T = TypeVar("T")
Work = Callable[[Verifier], T]
_FEW_WORDS = "It is not the first time that we have been here, and it will not be the last."


class Workbench:
    def __init__(self, settings: Settings) -> None:
        turns, limits = Turns(), settings.limits
        self.settings, self.models = settings, Models(settings)
        self.queue, self.jobs = NetworkQueue(turns, limits), Jobs(turns, limits)
        self.references = References(limits.max_references)

    def start(self) -> None:
        """Load the model and all modules, so that the first request need not wait for them."""
        explanation_dict(self.models.load(None).explain(Pair.of_texts(_FEW_WORDS, _FEW_WORDS)))

    def close(self) -> None:
        end_readers()
        self.jobs.close()
        self.queue.close()
        self.models.close()

    async def verifier(self, name: str | None) -> Verifier:
        """A model by name. Requests for loaded models do not wait while another is loaded."""
        loaded = self.models.loaded(name)
        return loaded if loaded is not None else await run_in_threadpool(self.models.load, name)

    async def verifier_for(self, request: ModelRequest) -> Verifier:
        """The model of a request, with its reference texts; an unknown genre is refused."""
        if request.reference is not None:
            if request.genre is not None:
                raise InputError("state the kind of the texts or give reference texts, not both")
            return self.references.get(request.model or self.models.current, request.reference)
        verifier = await self.verifier(request.model)
        if request.genre is not None:
            verifier.check_genre(request.genre)
        return verifier

    async def ask(
        self, request: ModelRequest, work: Work[T], *, most: int | None = None, quick: bool = False
    ) -> T:
        """Run `work` with the model of a request when the network is free; return its result."""
        size = self.measure(request.strings, most=most)
        verifier = await self.verifier_for(request)
        return await self.queue.call(lambda: work(verifier), size=size, quick=quick)

    def measure(self, texts: Iterable[str], *, most: int | None = None) -> int:
        """The number of characters of all texts; too many texts or characters are refused."""
        limits, lengths = self.settings.limits, [len(text) for text in texts]
        check_most(len(lengths), limits.max_texts, "texts")
        check_most(sum(lengths), most or limits.max_characters, "characters")
        return sum(lengths)


def check_most(n: int, most: int, name: str) -> None:
    if n > most:
        raise RefusedError(413, f"{n:,} {name}: at most {most:,} can be given")


def _of_request(request: Request) -> Workbench:
    bench: Workbench = request.app.state.bench
    return bench


Bench = Annotated[Workbench, Depends(_of_request)]
