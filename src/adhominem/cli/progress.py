"""Progress of long jobs on stderr."""

import sys
import time
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from adhominem.laboratory.training.loop import TrainingStep

is_quiet = False  # set by --quiet


class Bar:
    """A progress bar on a terminal; elsewhere a line every ten seconds."""

    def __init__(self, title: str, *, enabled: bool = True) -> None:
        from rich import progress
        from rich.console import Console

        console = Console(stderr=True)
        enabled = enabled and not is_quiet
        self._prints_lines = enabled and not console.is_terminal
        self._progress = progress.Progress(
            progress.TextColumn("{task.description}"),
            progress.BarColumn(),
            progress.MofNCompleteColumn(),
            progress.TimeRemainingColumn(),
            progress.TextColumn("{task.fields[note]}"),
            console=console,
            disable=not enabled or self._prints_lines,
        )
        self._title = title
        self._task = self._progress.add_task(title, total=None, note="")
        self._last_line = 0.0

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def update(self, done: int, total: int | None, note: str = "") -> None:
        """Show the amount done; the total is None if unknown."""
        self._progress.update(self._task, completed=done, total=total, note=note)
        now = time.monotonic()
        if self._prints_lines and (now - self._last_line > 10 or done == total):
            self._last_line = now
            print(f"{self._title}: {done}/{total or '?'} {note}", file=sys.stderr, flush=True)

    def stage(self, title: str, done: int, total: int) -> None:
        """Show the amount done of a stage, with the title of the stage."""
        self._title = title
        self._progress.update(self._task, description=title)
        self.update(done, total)

    def step(self, step: "TrainingStep") -> None:
        """Show loss, error and speed of a training step; print a line for a finished epoch."""
        if record := step.record:
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
