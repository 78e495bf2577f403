"""Several methods on the same pairs: files, tables, and what does not fit together."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from adhominem.errors import InputError
from adhominem.laboratory.evaluation import measures
from adhominem.laboratory.evaluation.answer_files import (
    read_answers,
    read_score_table,
    write_answers,
    write_score_table,
)
from adhominem.laboratory.evaluation.answers import Answers, align
from adhominem.laboratory.evaluation.evaluate import compare_methods
from adhominem.laboratory.report import comparison_tables

Make = Callable[..., Answers]


def same(one: Answers, other: Answers, *, rtol: float = 0) -> None:
    for name in Answers.__slots__:
        left, right = getattr(one, name), getattr(other, name)
        if name in ("score", "llr"):
            np.testing.assert_allclose(left, right, rtol=rtol, atol=rtol)
        else:
            np.testing.assert_array_equal(left, right)


def test_answers_survive_their_file(make_answers: Make, tmp_path: Path) -> None:
    answers = make_answers()
    write_answers(answers, tmp_path / "a.parquet")
    same(read_answers(tmp_path / "a.parquet"), answers)


def test_a_score_table_gives_the_same_figures(make_answers: Make, tmp_path: Path) -> None:
    answers = {"one": make_answers(seed=1), "two": make_answers(seed=2, skill=0.1)}
    write_score_table(answers, tmp_path / "t.parquet")
    read = read_score_table(tmp_path / "t.parquet")
    assert list(read) == ["one", "two"]
    before, after = compare_methods(answers), compare_methods(read)
    for form in ("text", "markdown", "latex", "html"):
        assert comparison_tables(before, form) == comparison_tables(after, form)


def test_the_order_of_a_file_does_not_matter(make_answers: Make) -> None:
    one, two = make_answers(seed=1), make_answers(seed=2)
    order = np.random.default_rng(0).permutation(len(two))
    aligned = align({"one": one, "two": two.select(order)})
    same(aligned["two"], two)


def test_files_of_other_pairs_are_refused(make_answers: Make) -> None:
    one = make_answers()
    for other in (make_answers(prefix="else"), one.select(np.arange(10))):
        with pytest.raises(InputError, match="do not answer the same pairs") as caught:
            align({"one": one, "other": other})
        assert "\n" not in str(caught.value)
    twice = one.select(np.zeros(5, dtype=np.int64))
    with pytest.raises(InputError, match="twice"):
        align({"one": twice, "other": twice})


def test_the_best_comes_first_and_the_others_are_measured_against_it(make_answers: Make) -> None:
    answers = {"weak": make_answers(seed=1, skill=0.02), "strong": make_answers(seed=2, skill=0.4)}
    found = compare_methods(answers)
    assert list(found["methods"]) == ["strong", "weak"]
    assert list(found["difference_to_best"]) == ["weak"]
    assert found["difference_to_best"]["weak"]["low"] > 0
    for name, row in found["methods"].items():
        a = answers[name]
        assert row["error"] == measures.error_rate(a.score, a.same_author)
        assert row["intervals"]["error"]["value"] == pytest.approx(row["error"])
        assert sum(cell["pairs"] for cell in row["cells"].values()) == len(a)
        assert sum(band["pairs"] for band in row["bands"]) == len(a)


def test_turns_of_a_cross_validation_are_told_apart(make_answers: Make) -> None:
    parts = [make_answers(100, seed=k, prefix=f"fold-{k}-test") for k in range(3)]
    found = compare_methods({"m": Answers.join(parts)})["methods"]["m"]["folds"]
    errors = [measures.error_rate(p.score, p.same_author) for p in parts]
    assert found["error"] == pytest.approx(errors)
    assert found["deviation"] == pytest.approx(np.std(errors, ddof=1))
    assert "± " in comparison_tables(compare_methods({"m": Answers.join(parts)}), "text")


def test_names_are_harmless_in_every_form(make_answers: Make) -> None:
    name = "<script>&|_%\x1b[31m"
    found = compare_methods({name: make_answers()})
    assert "<script>" not in comparison_tables(found, "html")
    assert "\x1b" not in comparison_tables(found, "text")
    assert r"\&" in comparison_tables(found, "latex") and r"\_\%" in comparison_tables(
        found, "latex"
    )
    assert r"\|" in comparison_tables(found, "markdown")


@pytest.fixture
def pan(tmp_path: Path) -> tuple[Path, Path]:
    truth, answers = tmp_path / "truth.jsonl", tmp_path / "answers_x.jsonl.gz"
    rows = [{"id": f"p{i}", "same": i % 2 == 0, "authors": ["1", "2"]} for i in range(6)]
    truth.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with gzip.open(answers, "wt") as file:
        for i in range(5):
            file.write(json.dumps({"id": f"p{i}", "value": 0.9 if i % 2 == 0 else 0.2}) + "\n")
    return answers, truth


def test_pan_answers_are_read_with_their_truth(pan: tuple[Path, Path]) -> None:
    answers, truth = pan
    read = read_answers(answers, truth=truth)
    assert read.score.tolist() == [0.9, 0.2, 0.9, 0.2, 0.9, 0.5]  # what is missing is left open
    assert read.same_author.tolist() == [True, False] * 3
    with pytest.raises(InputError, match="--truth"):
        read_answers(answers)


def test_pan_answers_to_other_problems_are_refused(pan: tuple[Path, Path], tmp_path: Path) -> None:
    answers, _ = pan
    other = tmp_path / "other.jsonl"
    other.write_text('{"id": "p0", "same": true}\n')
    with pytest.raises(InputError, match="do not match"):
        read_answers(answers, truth=other)
    other.write_text("no json\n")
    with pytest.raises(InputError, match="line 1 is not JSON"):
        read_answers(answers, truth=other)


def test_one_kind_of_pairs_alone_has_no_auc_and_no_warning(make_answers: Make) -> None:
    answers = make_answers()
    found = compare_methods({"m": answers.select(answers.same_author)})
    assert found["methods"]["m"]["auc"] is None
    json.dumps(found, allow_nan=False)
    assert " -" in comparison_tables(found, "text")
