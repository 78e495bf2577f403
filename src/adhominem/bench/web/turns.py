"""Who may use the network: one at a time, in the order in which they asked."""

from __future__ import annotations

import threading
from types import TracebackType


class Turns:
    """A lock that is fair: long work gives way to whoever waits by calling `pass_on` now and
    then."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._next_ticket = 0
        self._serving = 0

    def __enter__(self) -> None:
        with self._changed:
            ticket = self._next_ticket
            self._next_ticket += 1
            self._changed.wait_for(lambda: self._serving == ticket)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._changed:
            self._serving += 1
            self._changed.notify_all()

    def pass_on(self) -> None:
        """To be called by whoever has the turn."""
        with self._changed:
            if self._next_ticket == self._serving + 1:  # nobody waits
                return
        self.__exit__(None, None, None)
        self.__enter__()
