"""Access to the network: one user at a time, bounded queues, pairs read in batches.

Two lanes with a thread each, for quick and for slow work, take turns: a verdict waits at most for
the next pause of a slow explanation. Pairs that wait at the same time are read as one batch. A full
lane refuses new work.
"""

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, TypeVar

from adhominem.bench.web.replies import RefusedError
from adhominem.bench.web.settings import Limits
from adhominem.instrument.verifier import Verifier
from adhominem.pausing import pausing
from adhominem.records import Decision, Pair

T = TypeVar("T")


class AbandonedError(Exception):
    """The client that asked has gone, or the job was cancelled."""


class Turns:
    """A fair lock (first come, first served); long work calls `pass_on` at intervals."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._next_ticket = 0
        self._serving = 0

    def __enter__(self) -> None:
        with self._changed:
            ticket = self._next_ticket
            self._next_ticket += 1
            self._changed.wait_for(lambda: self._serving == ticket)

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self._serving += 1
            self._changed.notify_all()

    def pass_on(self) -> None:
        """Let all waiting threads go first; the caller must have the lock."""
        with self._changed:
            if self._next_ticket == self._serving + 1:  # no thread waits
                return
        self.__exit__()
        self.__enter__()

    @contextmanager
    def taken(self, is_abandoned: Callable[[], bool]) -> Iterator[Callable[[], None]]:
        """Take the lock for long work. Every `pause()`, and every call of the yielded function,
        passes the lock on, or raises an AbandonedError if the work is abandoned."""

        def meanwhile() -> None:
            if is_abandoned():
                raise AbandonedError
            self.pass_on()

        with self, pausing(meanwhile):
            yield meanwhile


@dataclass(slots=True, eq=False)
class _Question:
    """A pair for a verifier; `size` in characters."""

    verifier: Verifier
    pair: Pair
    size: int
    answer: Future[Decision] = field(default_factory=Future)


class _Lane:
    """A thread that does one piece of work after another, each with the lock of `Turns`."""

    def __init__(self, name: str, turns: Turns, max_waiting: int, max_size: int) -> None:
        self.questions: list[_Question] = []
        self._turns, self._max_waiting, self._max_size = turns, max_waiting, max_size
        self._sizes: dict[object, int] = {}  # of waiting work
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._thread = ThreadPoolExecutor(1, name)

    def close(self) -> None:
        """Drop waiting work; running work ends at its next pause."""
        self._closing.set()
        self._thread.shutdown(cancel_futures=True)

    async def run(
        self, work: Callable[[], T], size: int, is_done: Callable[[], bool] = lambda: False
    ) -> T:
        """Do the work and return its result; it is abandoned if the caller stops waiting."""
        ticket, abandoned = object(), threading.Event()
        with self._lock:
            waiting = sum(self._sizes.values())
            is_full = len(self._sizes) >= self._max_waiting
            if is_full or (waiting and waiting + size > self._max_size):
                raise RefusedError(503, "too many requests are waiting: try again in a moment")
            self._sizes[ticket] = size

        def leave() -> None:
            with self._lock:
                self._sizes.pop(ticket, None)

        def begin() -> Any:
            leave()
            if is_done():
                return None
            with self._turns.taken(lambda: abandoned.is_set() or self._closing.is_set()):
                return work()

        try:
            result: T = await asyncio.wrap_future(self._thread.submit(begin))
            return result
        finally:
            abandoned.set()
            leave()


class NetworkQueue:
    def __init__(self, turns: Turns, limits: Limits) -> None:
        self._limits = limits
        self._quick = _Lane("quick", turns, limits.max_waiting, limits.max_queued)
        self._slow = _Lane("slow", turns, limits.max_slow, limits.max_queued)

    def close(self) -> None:
        self._quick.close()
        self._slow.close()

    async def call(self, work: Callable[[], T], *, size: int, quick: bool = False) -> T:
        """Run work that needs the network or reads texts of `size` characters."""
        return await self._lane(size, quick=quick).run(work, size)

    async def decide(self, verifier: Verifier, pair: Pair) -> Decision:
        """The decision about a pair, which may be read together with other pairs."""
        size = sum(len(document.text) for document in (*pair.left, *pair.right))
        question, lane = _Question(verifier, pair, size), self._lane(size, quick=True)
        lane.questions.append(question)
        try:
            await lane.run(lambda: self._answer(question, lane), size, question.answer.done)
        finally:
            with suppress(ValueError):
                lane.questions.remove(question)
        return question.answer.result()

    def _lane(self, size: int, *, quick: bool) -> _Lane:
        return self._quick if quick and size <= self._limits.max_quick else self._slow

    def _answer(self, first: _Question, lane: _Lane) -> None:
        """Answer the first question together with others that wait for the same verifier."""
        alike = [q for q in list(lane.questions) if q.verifier is first.verifier and q is not first]
        sizes = accumulate(question.size for question in alike)
        n_more = sum(size <= self._limits.max_quick for size in sizes)
        batch = [first, *alike[: min(n_more, self._limits.max_batch - 1)]]
        for question in batch:
            with suppress(ValueError):
                lane.questions.remove(question)
        _decide(batch)


def _decide(batch: list[_Question]) -> None:
    """Read all pairs together; after an error, each pair alone."""
    try:
        decisions = batch[0].verifier.decide([one.pair for one in batch], distinct=True)
    except Exception as error:
        if len(batch) == 1:
            batch[0].answer.set_exception(error)
            return
        for question in batch:
            _decide([question])
    else:
        for question, decision in zip(batch, decisions, strict=True):
            question.answer.set_result(decision)
