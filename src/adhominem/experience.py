"""What a model has shown it can do: its errors on held-out pairs, by genre and length.

A verdict quotes the row for texts like its own, so that nobody takes the error rate of long reviews
for that of short comments.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Experience:
    """`error` of all answers to `pairs` held-out pairs of one genre whose shorter side has at least
    `shortest` and fewer than `longest` tokens; `reliable_error` of those called reliable, None
    where none was. The genre is None for a model that knows of one kind of text only."""

    genre: str | None
    shortest: int
    longest: int | None
    pairs: int
    error: float
    reliable_share: float
    reliable_error: float | None


def experience_for(
    rows: Iterable[Experience], genre: str | None, tokens: int
) -> Experience | None:
    """The row for a pair of one genre whose shorter side has so many tokens."""
    for row in rows:
        if (
            row.genre == genre
            and row.shortest <= tokens
            and (row.longest is None or tokens < row.longest)
        ):
            return row
    return None
