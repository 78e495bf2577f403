"""bench compare: a stored table of scores, in which a method is replaced."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from adhominem.laboratory.evaluation.answer_files import (
    read_score_table,
    write_answers,
    write_score_table,
)
from adhominem.laboratory.evaluation.answers import Answers, llr_of

Run = Callable[..., Any]


def answers(seed: int, n: int = 40) -> Answers:
    """Random answers to pairs that do not depend on the seed."""
    score = np.random.default_rng(seed).uniform(0.1, 0.9, n)
    score[seed] = 0.5
    numbers = np.arange(n)
    return Answers(
        ids=np.array([f"pair-{i}" for i in numbers], dtype=object),
        score=score,
        llr=llr_of(score),
        reliable=score > 0.8,
        undecided=score == 0.5,
        same_author=numbers % 2 == 0,
        same_topic=numbers % 4 < 2,
        authors=np.array([[f"a{i}", f"a{i + i % 2}"] for i in numbers], dtype=object),
        tokens=np.full(n, 100),
    )


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.parquet"
    write_score_table({"one": answers(1), "two": answers(2)}, path)
    return path


def test_a_method_in_a_table_is_replaced(run: Run, table: Path, tmp_path: Path) -> None:
    new = tmp_path / "two.parquet"
    order = np.random.default_rng(0).permutation(40)
    write_answers(answers(3).select(order), new)
    done = run("bench", "compare", table, new, "--replace", "--scores", table, "--force")
    assert done.code == 0, done.err
    written = read_score_table(table)
    assert list(written) == ["one", "two"]
    np.testing.assert_allclose(written["one"].score, answers(1).score, rtol=1e-6)
    np.testing.assert_allclose(written["two"].score, answers(3).score, rtol=1e-6)
    np.testing.assert_array_equal(written["two"].reliable, answers(3).reliable)
    np.testing.assert_array_equal(written["two"].undecided, answers(3).undecided)


def test_nothing_is_replaced_unasked(run: Run, table: Path, tmp_path: Path) -> None:
    write_answers(answers(3), tmp_path / "two.parquet")
    before = table.read_bytes()
    done = run("bench", "compare", table, tmp_path / "two.parquet", "--scores", table, "--force")
    assert done.code == 1
    assert "two answers are called 'two'" in done.err
    assert "--replace" in done.err
    assert table.read_bytes() == before
