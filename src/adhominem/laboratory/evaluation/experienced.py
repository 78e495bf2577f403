"""What a model may quote of its errors: a row for each length band of a genre."""

from __future__ import annotations

import numpy as np

from adhominem.laboratory.evaluation.answers import Answers
from adhominem.laboratory.evaluation.evaluate import BANDS
from adhominem.laboratory.evaluation.measures import error_rate
from adhominem.records import TrackRecord

_ENOUGH = 100  # pairs; of fewer the error says little


def experience_of(answers: Answers, genre: str | None) -> list[TrackRecord]:
    """By the tokens of the shorter side, in the bands of every evaluation, from the shortest text
    there was. A band with too few pairs is joined to its neighbour."""
    tokens = answers.tokens
    if len(answers) < _ENOUGH:
        return []
    edges = [int(tokens.min())]
    for edge in BANDS:
        below = np.sum((tokens >= edges[-1]) & (tokens < edge))
        if min(below, np.sum(tokens >= edge)) >= _ENOUGH:
            edges.append(edge)
    rows = []
    for shortest, longest in zip(edges, [*edges[1:], None], strict=True):
        chosen = tokens >= shortest
        if longest is not None:
            chosen &= tokens < longest
        part = answers.select(chosen)
        sure = part.select(part.reliable)
        rows.append(
            TrackRecord(
                genre=genre,
                shortest=shortest,
                longest=longest,
                pairs=len(part),
                error=error_rate(part.score, part.same_author),
                reliable_share=len(sure) / len(part),
                reliable_error=error_rate(sure.score, sure.same_author) if len(sure) else None,
            )
        )
    return rows
