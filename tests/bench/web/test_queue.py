"""Pairs that wait together are read together, what is too much is refused, and nobody starves."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from adhominem.bench.web.queue import NetworkQueue, Turns
from adhominem.bench.web.settings import Limits
from adhominem.laboratory.verifiers.cosine import Chance
from adhominem.pausing import pause
from adhominem.records import Decision, Pair

TEXT = "one two three " * 10


class Watched(Chance):
    """Remembers how many pairs it was asked at a time; may be held up, and refuses "bad"."""

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[int] = []
        self.open = threading.Event()
        self.open.set()

    def decide(self, pairs: Sequence[Pair], *, distinct: bool = False) -> list[Decision]:
        self.open.wait(10)
        self.batches.append(len(pairs))
        if any("bad" in pair.left[0].text for pair in pairs):
            raise ValueError("bad")
        return super().decide(pairs, distinct=distinct)


@pytest.fixture
def verifier(train_pairs: list[Pair], dev_pairs: list[Pair]) -> Watched:
    return Watched().fit(train_pairs, dev_pairs)


@pytest.fixture
def queue() -> Iterator[NetworkQueue]:
    made = NetworkQueue(Turns(), Limits(max_waiting=8, max_slow=2, max_queued=2000, max_batch=5))
    yield made
    made.close()


def asked(text: str = TEXT) -> Pair:
    return Pair.of_texts(text, TEXT)


def test_pairs_that_wait_together_are_read_together(queue: NetworkQueue, verifier: Watched) -> None:
    async def many() -> list[Decision]:
        verifier.open.clear()
        first = asyncio.ensure_future(queue.decide(verifier, asked()))
        await asyncio.sleep(0.1)  # it is being answered
        others = [asyncio.ensure_future(queue.decide(verifier, asked())) for _ in range(7)]
        await asyncio.sleep(0.1)
        verifier.open.set()
        return await asyncio.gather(first, *others)

    decisions = asyncio.run(many())
    assert verifier.batches == [1, 5, 2]
    assert {decision.score for decision in decisions} == {decisions[0].score}


def test_a_bad_one_spoils_no_other(queue: NetworkQueue, verifier: Watched) -> None:
    async def many() -> list[object]:
        verifier.open.clear()
        texts = [TEXT, TEXT, "bad", TEXT]
        waiting = [asyncio.ensure_future(queue.decide(verifier, asked(text))) for text in texts]
        await asyncio.sleep(0.1)
        verifier.open.set()
        return list(await asyncio.gather(*waiting, return_exceptions=True))

    kinds = [type(answer) for answer in asyncio.run(many())]
    assert kinds == [Decision, Decision, ValueError, Decision]


@pytest.mark.parametrize(("n", "size"), [(12, 1), (6, 900)])
def test_what_is_too_much_is_refused_at_once(
    queue: NetworkQueue, verifier: Watched, n: int, size: int
) -> None:
    """Too many, or too long together."""

    async def many() -> list[object]:
        verifier.open.clear()
        first = asyncio.ensure_future(queue.decide(verifier, asked()))
        await asyncio.sleep(0.1)
        pair = Pair.of_texts("x" * size, "y")
        others = [asyncio.ensure_future(queue.decide(verifier, pair)) for _ in range(n)]
        await asyncio.sleep(0.1)
        refused = [other for other in others if other.done()]
        assert all(getattr(other.exception(), "status", 0) == 503 for other in refused)
        verifier.open.set()
        answers = await asyncio.gather(first, *others, return_exceptions=True)
        assert len(refused) == 4
        return list(answers)

    answers = asyncio.run(many())
    assert sum(isinstance(answer, Decision) for answer in answers) == n + 1 - 4


def test_a_verdict_waits_for_the_next_pause_only(queue: NetworkQueue, verifier: Watched) -> None:
    order: list[str] = []

    def slow() -> None:
        for _ in range(20):
            time.sleep(0.02)
            pause()
        order.append("slow")

    async def both() -> None:
        waiting = asyncio.ensure_future(queue.call(slow, size=1))
        await asyncio.sleep(0.05)
        await queue.decide(verifier, asked())
        order.append("quick")
        await waiting

    asyncio.run(both())
    assert order == ["quick", "slow"]


def test_slow_work_that_nobody_waits_for_ends(queue: NetworkQueue) -> None:
    steps: list[int] = []

    def slow() -> None:
        for step in range(1000):
            steps.append(step)
            time.sleep(0.01)
            pause()

    async def impatient() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await queue.call(slow, size=1)
        await queue.call(lambda: None, size=1)

    asyncio.run(impatient())
    assert 0 < len(steps) < 50


def test_a_question_taken_back_is_not_answered(queue: NetworkQueue, verifier: Watched) -> None:
    async def some() -> None:
        verifier.open.clear()
        first = asyncio.ensure_future(queue.decide(verifier, asked()))
        await asyncio.sleep(0.05)
        second = asyncio.ensure_future(queue.decide(verifier, asked()))
        await asyncio.sleep(0.05)
        second.cancel()
        await asyncio.sleep(0.05)
        verifier.open.set()
        await first

    asyncio.run(some())
    assert verifier.batches == [1]


def test_turns_are_taken_in_order() -> None:
    turns, order = Turns(), []

    def take(name: int) -> None:
        with turns:
            order.append(name)

    with turns:
        threads = [threading.Thread(target=take, args=(name,)) for name in range(5)]
        for thread in threads:
            thread.start()
            time.sleep(0.02)
        turns.pass_on()
        assert order == list(range(5))
    for thread in threads:
        thread.join()


def test_only_one_has_the_turn() -> None:
    turns = Turns()
    inside = np.zeros(1, dtype=int)
    most: list[int] = []

    def work() -> None:
        for _ in range(50):
            with turns:
                inside[0] += 1
                most.append(int(inside[0]))
                time.sleep(0)
                inside[0] -= 1
                turns.pass_on()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert max(most) == 1 and len(most) == 200
