"""Error rates that a model quotes beside its verdicts: one for each length band of a genre."""

from __future__ import annotations

import numpy as np

from adhominem.laboratory.evaluation.answers import Answers
from adhominem.laboratory.evaluation.evaluate import BANDS, bands_of
from adhominem.laboratory.evaluation.measures import ERROR
from adhominem.records import TrackRecord

_ENOUGH = 100  # pairs of a band


def track_records(answers: Answers, genre: str | None) -> list[TrackRecord]:
    """A record for each length band, by the tokens of the shorter side. Bands are those of every
    evaluation, from the shortest text on; one with too few pairs is joined to its neighbour."""
    tokens = answers.tokens
    if len(answers) < _ENOUGH:
        return []
    edges = [int(tokens.min())]
    for edge in BANDS:
        below = np.sum((tokens >= edges[-1]) & (tokens < edge))
        if min(below, np.sum(tokens >= edge)) >= _ENOUGH:
            edges.append(edge)
    records = []
    for shortest, longest, band in bands_of(answers, tuple(edges)):
        sure = band.select(band.reliable)
        records.append(
            TrackRecord(
                genre=genre,
                shortest=shortest,
                longest=longest,
                pairs=len(band),
                error=ERROR.of(band),
                reliable_share=len(sure) / len(band),
                reliable_error=ERROR.of(sure) if len(sure) else None,
            )
        )
    return records
