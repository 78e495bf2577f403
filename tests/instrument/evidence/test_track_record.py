"""The row that a verdict quotes."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from adhominem.instrument.evidence.decision import track_record_of
from adhominem.laboratory.evaluation.answers import Answers
from adhominem.laboratory.evaluation.evaluate import track_records
from adhominem.records import Reading, TrackRecord

ROW = TrackRecord("hotels", 80, 150, 1000, 0.2, 0.3, 0.01, 0.18, 0.23)
ROWS = (ROW, replace(ROW, shortest=150, longest=None), replace(ROW, genre="blogs"))


@pytest.mark.parametrize(
    ("genre", "tokens", "expected"),
    [
        ("hotels", 79, None),
        ("hotels", 80, ROWS[0]),
        ("hotels", 149, ROWS[0]),
        ("hotels", 150, ROWS[1]),
        ("hotels", 9999, ROWS[1]),
        ("blogs", 100, ROWS[2]),
        ("blogs", 150, None),
        (None, 100, None),
    ],
)
def test_row_of_genre_and_length(
    genre: str | None, tokens: int, expected: TrackRecord | None
) -> None:
    shorter, longer = Reading(tokens, 0, genre=genre), Reading(tokens + 500, 0, genre=genre)
    assert track_record_of(ROWS, shorter, longer) == expected
    assert track_record_of(ROWS, longer, shorter) == expected


def make_answers(n: int, seed: int = 1) -> Answers:
    rng = np.random.default_rng(seed)
    same = rng.random(n) < 0.5
    score = np.clip(rng.normal(np.where(same, 0.7, 0.3), 0.2), 0.01, 0.99)
    return Answers(
        ids=np.array([str(i) for i in range(n)], dtype=object),
        score=score,
        llr=np.log10(score / (1 - score)),
        same_author=same,
        same_topic=None,
        reliable=np.abs(score - 0.5) > 0.3,
        undecided=np.zeros(n, dtype=bool),
        tokens=rng.integers(60, 400, n),
        authors=np.full((n, 2), "", dtype=object),
    )


def test_rows_cover_all_lengths_and_hold_enough_pairs_each() -> None:
    answers = make_answers(3000)
    rows = track_records(answers, "hotels")
    assert len(rows) > 3
    assert rows[0].shortest == answers.tokens.min()
    assert rows[-1].longest is None
    assert all(one.longest == other.shortest for one, other in pairwise(rows))
    assert sum(row.pairs for row in rows) == len(answers)
    assert all(row.pairs >= 100 for row in rows)
    wrong = (answers.score > 0.5) != answers.same_author
    assert sum(row.error * row.pairs for row in rows) == pytest.approx(wrong.sum())
    sure = sum(row.reliable_share * row.pairs for row in rows)
    assert sure == pytest.approx(answers.reliable.sum())


def test_few_pairs_make_one_row_and_very_few_none() -> None:
    assert len(track_records(make_answers(150), "blogs")) == 1
    assert track_records(make_answers(99), "blogs") == []
