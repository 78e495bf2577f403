"""Cooperative yield points for long jobs.

Work that takes seconds calls `pause()` between its parts. That does nothing unless whoever started
the work, a server for one, has said what to do meanwhile; it may raise to end the work.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_meanwhile: ContextVar[Callable[[], None] | None] = ContextVar("meanwhile", default=None)


def pause() -> None:
    if (meanwhile := _meanwhile.get()) is not None:
        meanwhile()


@contextmanager
def pausing(meanwhile: Callable[[], None]) -> Iterator[None]:
    """What `pause` does in this thread until the block ends."""
    token = _meanwhile.set(meanwhile)
    try:
        yield
    finally:
        _meanwhile.reset(token)
