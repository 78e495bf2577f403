"""Bars on stderr for long work; silent where nobody watches."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from adhominem.laboratory.training.loop import Step


class Bar:
    """A bar on a terminal; elsewhere a line now and then."""

    def __init__(self, title: str, *, enabled: bool = True) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        console = Console(stderr=True)
        self._plain = enabled and not console.is_terminal
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[note]}"),
            console=console,
            disable=not enabled or self._plain,
        )
        self._title = title
        self._task = self._progress.add_task(title, total=None, note="")
        self._last = 0.0
        self._began = (time.monotonic(), 0)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._progress.stop()

    def update(self, done: int, total: int | None, note: str = "") -> None:
        self._progress.update(self._task, completed=done, total=total, note=note)
        now = time.monotonic()
        if self._plain and (now - self._last > 10 or done == total):
            self._last = now
            print(f"{self._title}: {done}/{total or '?'} {note}", file=sys.stderr, flush=True)

    def stage(self, title: str, done: int, total: int) -> None:
        """Work in several stages, each with a count of its own."""
        self._title = title
        self._progress.update(self._task, description=title)
        self.update(done, total)

    def step(self, step: Step) -> None:
        """One training step: loss, error and pairs per second of this epoch."""
        if step.record:
            record = step.record
            self._progress.console.print(
                f"epoch {record.epoch}: loss {record.loss:.4f}, error {record.error:.2%}, "
                f"development loss {record.dev_loss:.4f}, error {record.dev_error:.2%}, "
                f"{record.pairs_per_second:.0f} pairs/s",
                highlight=False,
                soft_wrap=True,
            )
        note = f"loss {step.loss:.4f}  error {step.error:.2%}  {step.pairs_per_second:.0f} pairs/s"
        self._progress.update(self._task, description=f"epoch {step.epoch}")
        self.update(step.step, step.n_steps, note)
