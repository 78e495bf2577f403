"""Cooperative yield points for long jobs.

Code that runs for seconds calls `pause()` between steps. This does nothing, unless the caller, such
as a server, has set a function with `pausing`; the function may raise an exception to end the job.
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
    """Set the function that `pause` calls in this context until the block ends."""
    token = _meanwhile.set(meanwhile)
    try:
        yield
    finally:
        _meanwhile.reset(token)
