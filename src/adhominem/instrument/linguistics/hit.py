"""What a detector finds: a stretch of the text, and the category that it stands for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hit:
    """`surface` is `text[start:end]`; `intended` the standard word for it, or where both are
    standard its counterpart; None where there is no such word."""

    start: int
    end: int
    category: str
    surface: str
    intended: str | None = None

    @property
    def places(self) -> range:
        return range(self.start, self.end)
