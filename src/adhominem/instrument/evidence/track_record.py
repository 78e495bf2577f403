"""What a model has shown it can do: its errors on held-out pairs, by genre and length.

A verdict quotes the row for texts like its own, so that nobody takes the error rate of long reviews
for that of short comments.
"""

from __future__ import annotations

from collections.abc import Iterable

from adhominem.records import TrackRecord


def track_record_for(
    rows: Iterable[TrackRecord], genre: str | None, tokens: int
) -> TrackRecord | None:
    """The row for a pair of one genre whose shorter side has so many tokens."""
    for row in rows:
        if (
            row.genre == genre
            and row.shortest <= tokens
            and (row.longest is None or tokens < row.longest)
        ):
            return row
    return None
