"""PAN's problems of all years: who wrote what, and what happens without the truth."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from adhominem.errors import InputError
from adhominem.laboratory.corpus.readers.pan import (
    find_truth,
    folder_truth,
    is_problem,
    is_problem_folder,
    is_truth,
    read_problem,
    read_truth,
)
from adhominem.laboratory.corpus.readers.reader import RawDocument
from adhominem.rows import RecordError

PAIR = {"id": "p1", "fandoms": ["Naruto", "Glee"], "pair": ["one", "two"]}
TRUTH = {"id": "p1", "same": False, "authors": ["11", "22"]}
KNOWN = {"id": "EN01", "known": ["a", "b"], "unknown": "c"}


def reason(record: dict[str, Any], truth: dict[str, Any]) -> str:
    with pytest.raises(RecordError) as caught:
        read_problem(record, 1, truth)
    assert caught.value.detail
    return caught.value.reason


def test_problems_and_truths_are_told_apart() -> None:
    assert is_problem(PAIR) and is_problem(KNOWN) and not is_problem(TRUTH)
    assert is_truth(TRUTH) and not is_truth(PAIR) and not is_truth({**PAIR, "same": True})


def test_a_pair_has_its_authors_and_fandoms() -> None:
    expected = [RawDocument("11", "Naruto", "one", 4, 0), RawDocument("22", "Glee", "two", 4, 1)]
    assert read_problem(PAIR, 4, {"p1": TRUTH}) == expected
    types = {"id": "p1", "pair": ["one", "two"], "discourse_types": ["email", "memo"]}
    assert [found.topic for found in read_problem(types, 4, {"p1": TRUTH})] == ["email", "memo"]


def test_the_answer_may_stand_in_the_problem_itself() -> None:
    assert [f.author for f in read_problem({**PAIR, **TRUTH}, 1, {})] == ["11", "22"]


@pytest.mark.parametrize("fandoms", [None, "x", ["x"], ["x", 1], [["x"], "y"], ["x", "y", "z"]])
def test_odd_fandoms_are_no_topics(fandoms: Any) -> None:
    problem = {**PAIR, "fandoms": fandoms}
    assert [found.topic for found in read_problem(problem, 1, {"p1": TRUTH})] == [None, None]


@pytest.mark.parametrize(("same", "other"), [(True, "p1"), (False, "p1 (unknown)")])
@pytest.mark.parametrize("authors", [None, "ab", ["a"], ["a", "b", "c"]])
def test_without_names_the_problem_names_its_authors(same: bool, other: str, authors: Any) -> None:
    truth = {"p1": {"id": "p1", "same": same, "authors": authors}}
    assert [found.author for found in read_problem(PAIR, 1, truth)] == ["p1", other]


@pytest.mark.parametrize(("same", "other"), [(True, "EN01"), (False, "EN01 (unknown)")])
def test_known_texts_are_of_one_author_and_the_unknown_one_of_whom_the_truth_says(
    same: bool, other: str
) -> None:
    truth = {"EN01": {"id": "EN01", "same": same}}
    assert read_problem(KNOWN, 2, truth) == [
        RawDocument("EN01", None, "a", 2, 0, is_local=True),
        RawDocument("EN01", None, "b", 2, 1, is_local=True),
        RawDocument(other, None, "c", 2, 2, is_local=True),
    ]
    several = {"id": "EN01", "known": "a", "unknown": ["b", "c"]}
    assert [f.author for f in read_problem(several, 2, truth)] == ["EN01", other, other]


@pytest.mark.parametrize("answer", [{}, {"p2": TRUTH}, {"p1": {"id": "p1", "same": "Y"}}])
def test_a_problem_without_truth_is_refused(answer: dict[str, Any]) -> None:
    assert reason(PAIR, answer) == "no truth"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"pair": ["one"]}, "wrong type"),
        ({"pair": "one"}, "wrong type"),
        ({"pair": ["one", 2]}, "wrong type"),
        ({"pair": None}, "wrong type"),
        ({"pair": {"a": "b"}}, "wrong type"),
        ({"authors": [None, "22"]}, "wrong type"),
        ({"authors": [["11"], "22"]}, "wrong type"),
        ({"authors": ["", "22"]}, "missing author"),
        ({"id": ["p1"]}, "wrong type"),
        ({"id": None}, "wrong type"),
    ],
)
def test_a_problem_of_the_wrong_shape_is_refused(change: dict[str, Any], expected: str) -> None:
    assert reason({**PAIR, **TRUTH, **change}, {}) == expected


def test_a_line_among_problems_that_is_none_is_refused() -> None:
    assert reason({"id": "p1"}, {"p1": TRUTH}) == "missing text"
    assert reason({"id": "p1", "known": "a"}, {"p1": TRUTH}) == "missing text"


def test_problems_without_a_name_do_not_become_one_author() -> None:
    assert reason({"pair": ["one", "two"], "same": True}, {}) == "missing author"
    named = {"pair": ["one", "two"], "same": False, "authors": [1, 2]}
    assert [found.author for found in read_problem(named, 1, {})] == ["1", "2"]


def test_half_surrogates_do_not_get_through() -> None:
    half = {"id": "\ud800", "pair": ["\ud800", "b"], "fandoms": ["\ud800", ""], "same": True}
    assert read_problem(half, 1, {}) == [
        RawDocument("\ufffd", "\ufffd", "\ufffd", 1, 0, is_local=True),
        RawDocument("\ufffd", None, "b", 1, 1, is_local=True),
    ]


def test_a_deeply_nested_name_is_refused_at_any_depth() -> None:
    for depth in [10, *range(850, 1050, 5)]:
        line = '{"pair": ["a", "b"], "same": true, "id": ' + "[" * depth + "]" * depth + "}"
        try:
            record = json.loads(line)
        except RecursionError:
            continue
        assert reason(record, {}) == "wrong type"


def test_the_truth_is_read_around_broken_lines(tmp_path: Path) -> None:
    lines = ["oops", "[1]", '{"id": "p0"}', json.dumps(TRUTH), "[" * 100_000]
    lines += ['{"id": [1], "same": true}', '{"id": 7, "same": true}']
    path = tmp_path / "truth.jsonl"
    path.write_text("\n".join(lines))
    expected = {"p1": TRUTH, "7": {"id": 7, "same": True}}
    assert read_truth(path) == expected
    path.write_bytes(gzip.compress(path.read_bytes()))
    assert read_truth(path) == expected


@pytest.mark.parametrize(
    ("problems", "truth"),
    [
        ("pairs.jsonl", "truth.jsonl"),
        ("pairs.jsonl.gz", "truth.jsonl.gz"),
        ("pairs-train.jsonl", "truth-train.jsonl"),
        ("pan20-small.jsonl", "pan20-small-truth.jsonl"),
        ("pan20.jsonl", "pan20_truth.jsonl"),
        ("problems.jsonl", "truth.jsonl"),
    ],
)
def test_the_truth_beside_the_problems_is_found(tmp_path: Path, problems: str, truth: str) -> None:
    (tmp_path / problems).touch()
    (tmp_path / "other.jsonl").touch()
    assert find_truth(tmp_path / problems) is None
    (tmp_path / truth).touch()
    assert find_truth(tmp_path / problems) == tmp_path / truth


def test_an_unpacked_copy_of_the_problems_is_not_their_truth(tmp_path: Path) -> None:
    for name in ("pan20.jsonl", "pan20.jsonl.gz", "pan20-truth.jsonl"):
        (tmp_path / name).touch()
    assert find_truth(tmp_path / "pan20.jsonl.gz") == tmp_path / "pan20-truth.jsonl"


def test_a_folder_of_problems_has_its_answers_in_one_file(tmp_path: Path) -> None:
    (tmp_path / "EN01").mkdir()
    (tmp_path / "EN01" / "known01.txt").write_text("a")
    assert not is_problem_folder(tmp_path)
    (tmp_path / "EN01" / "unknown.txt").write_text("b")
    assert is_problem_folder(tmp_path)
    with pytest.raises(InputError, match=r"without their truth\.txt"):
        folder_truth(tmp_path)
    (tmp_path / "truth.txt").write_bytes(
        b"\xef\xbb\xbfEN01 Y\r\nEN02  N \n\nEN03\nEN04 maybe\n\xff\n"
    )
    assert is_problem_folder(tmp_path)
    assert folder_truth(tmp_path) == {"EN01": True, "EN02": False}


def test_a_truth_without_answers_is_refused(tmp_path: Path) -> None:
    (tmp_path / "truth.txt").write_text("same\n")
    with pytest.raises(InputError, match="expected lines like 'EN01 Y'"):
        folder_truth(tmp_path)
