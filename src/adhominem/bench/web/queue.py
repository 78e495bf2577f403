"""Requests on their way to the network: pairs that wait at the same time are read as one batch.

There are two lanes with a thread each, quick work and slow, which take turns: a verdict never waits
for more than the next pause of a slow explanation. A lane that is full refuses what comes.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate
from typing import Any, TypeVar

from adhominem.bench.web.settings import Limits
from adhominem.bench.web.turns import Turns
from adhominem.errors import AdhominemError
from adhominem.instrument.verifier import Verifier
from adhominem.pausing import pausing
from adhominem.records import Decision, Pair

T = TypeVar("T")
_SECONDS_TO_END = 5.0  # after which a thread is left behind


class BusyError(AdhominemError):
    """More is waiting than can be answered in good time."""


class _AbandonedError(Exception):
    """Nobody waits for the answer any more."""


@dataclass(slots=True, eq=False)
class _Question:
    """A pair for a verifier, which can be batched, or any other work; `size` in characters."""

    size: int
    work: Callable[[], Any] | None = None
    verifier: Verifier | None = None
    pair: Pair | None = None
    answer: Future[Any] = field(default_factory=Future)
    is_abandoned: bool = False

    def run(self) -> Any:
        if self.work is not None:
            return self.work()
        assert self.verifier is not None and self.pair is not None
        return self.verifier.decide([self.pair])[0]


class NetworkQueue:
    def __init__(self, turns: Turns, limits: Limits) -> None:
        self._max_quick = limits.max_quick
        self._quick = _Lane("quick", turns, limits, most=limits.max_waiting)
        self._slow = _Lane("slow", turns, limits, most=limits.max_slow)

    def start(self) -> None:
        self._quick.start()
        self._slow.start()

    def close(self) -> None:
        self._quick.close()
        self._slow.close()

    async def decide(self, verifier: Verifier, pair: Pair) -> Decision:
        size = sum(len(document.text) for document in (*pair.left, *pair.right))
        question = _Question(size, verifier=verifier, pair=pair)
        decision: Decision = await self._lane(size, quick=True).ask(question)
        return decision

    async def call(self, work: Callable[[], T], *, size: int, quick: bool = False) -> T:
        """Anything else that reads texts or needs the network."""
        result: T = await self._lane(size, quick=quick).ask(_Question(size, work=work))
        return result

    def _lane(self, size: int, *, quick: bool) -> _Lane:
        return self._quick if quick and size <= self._max_quick else self._slow


class _Lane:
    def __init__(self, name: str, turns: Turns, limits: Limits, *, most: int) -> None:
        self._turns, self._limits, self._most = turns, limits, most
        self._waiting: deque[_Question] = deque()
        self._changed = threading.Condition()
        self._is_closing = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """What waits is given up; what runs ends at its next pause."""
        with self._changed:
            self._is_closing = True
            for question in self._waiting:
                question.answer.cancel()
            self._waiting.clear()
            self._changed.notify()
        if self._thread.is_alive():
            self._thread.join(timeout=_SECONDS_TO_END)

    async def ask(self, question: _Question) -> Any:
        """A caller that stops waiting takes the question along."""
        with self._changed:
            queued = sum(other.size for other in self._waiting)
            is_full = len(self._waiting) >= self._most
            if is_full or (queued and queued + question.size > self._limits.max_queued):
                raise BusyError("too many requests are waiting: try again in a moment")
            self._waiting.append(question)
            self._changed.notify()
        try:
            return await asyncio.wrap_future(question.answer)
        except asyncio.CancelledError:
            question.is_abandoned = True
            with self._changed, suppress(ValueError):
                self._waiting.remove(question)
            raise

    def _run(self) -> None:
        while batch := self._take():
            with self._turns:
                self._answer(batch)

    def _take(self) -> list[_Question]:
        """The question that waits longest, and with a pair others for the same verifier; none when
        the lane closes."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._is_closing)
            if not self._waiting:
                return []
            first = self._waiting[0]
            batch = [first]
            if first.pair is not None:
                alike = [q for q in self._waiting if q.verifier is first.verifier]
                sizes = accumulate(question.size for question in alike[1:])
                n_more = sum(size <= self._limits.max_quick for size in sizes)
                batch = alike[: min(1 + n_more, self._limits.max_batch)]
            for question in batch:
                self._waiting.remove(question)
        return batch

    def _answer(self, batch: list[_Question]) -> None:
        asked = [q for q in batch if q.answer.set_running_or_notify_cancel()]
        if len(asked) > 1 and self._answer_together(asked):
            return
        for question in asked:
            try:
                with pausing(partial(self._meanwhile, question)):
                    question.answer.set_result(question.run())
            except Exception as error:
                question.answer.set_exception(error)

    def _answer_together(self, asked: list[_Question]) -> bool:
        """False where one of them is at fault: then each is asked alone."""
        verifier = asked[0].verifier
        assert verifier is not None
        try:
            decisions = verifier.decide([q.pair for q in asked if q.pair is not None])
        except Exception:
            return False
        for question, decision in zip(asked, decisions, strict=True):
            question.answer.set_result(decision)
        return True

    def _meanwhile(self, question: _Question) -> None:
        if question.is_abandoned or self._is_closing:
            raise _AbandonedError
        self._turns.pass_on()
