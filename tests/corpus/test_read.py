"""Corpora in three formats, and files that are none."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from adhominem.corpus.read import read_corpus
from adhominem.errors import InputError
from adhominem.records import Document

Rows = list[dict[str, Any]]

ROWS: Rows = [
    {"author": "A", "topic": "Rome", "text": "Größe, “so” 日本 👍", "stars": 5},
    {"author": "B", "topic": "Oslo", "text": 'two\nlines, a "quote", and a comma', "stars": 1},
    {"author": "A", "topic": "Oslo", "text": "", "stars": 3},
]
SOUND = st.characters(exclude_categories=["Cs"], exclude_characters="\r\0")


def as_parquet(path: Path, rows: Rows) -> Path:
    parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    return path


def as_jsonl(path: Path, rows: Rows) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def as_csv(path: Path, rows: Rows) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


WRITERS: dict[str, Callable[[Path, Rows], Path]] = {
    ".parquet": as_parquet,
    ".jsonl": as_jsonl,
    ".csv": as_csv,
}


def refusal(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        read_corpus(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("ending", WRITERS)
def test_what_was_written_is_read(tmp_path: Path, ending: str) -> None:
    path = WRITERS[ending](tmp_path / f"reviews{ending}", ROWS)
    assert read_corpus(path) == [
        Document(r["text"], author=r["author"], topic=r["topic"], id=f"reviews{ending}:{number}")
        for number, r in enumerate(ROWS, 1)
    ]


@given(st.lists(st.tuples(st.text(SOUND, min_size=1), st.text(SOUND)), min_size=1, max_size=5))
@settings(max_examples=40, deadline=None)
def test_the_formats_agree_on_any_text(
    tmp_path_factory: pytest.TempPathFactory, values: list[tuple[str, str]]
) -> None:
    folder = tmp_path_factory.mktemp("formats")
    rows = [{"author": author, "text": text} for author, text in values]
    for ending, write in WRITERS.items():
        documents = read_corpus(write(folder / f"a{ending}", rows))
        assert [(d.author, d.text, d.topic) for d in documents] == [(a, t, None) for a, t in values]


@pytest.mark.parametrize("ending", WRITERS)
def test_columns_have_the_names_that_are_asked_for(tmp_path: Path, ending: str) -> None:
    rows = [{"user": 7, "body": "text", "hotel": 12, "topic": "not this"}]
    path = WRITERS[ending](tmp_path / f"a{ending}", rows)
    [document] = read_corpus(path, author="user", text="body", topic="hotel")
    assert (document.author, document.text, document.topic) == ("7", "text", "12")
    [document] = read_corpus(path, author="user", text="body", topic=None)
    assert document.topic is None


@pytest.mark.parametrize("ending", WRITERS)
@pytest.mark.parametrize("column", ["author", "text"])
def test_a_missing_column_is_named(tmp_path: Path, ending: str, column: str) -> None:
    rows = [{name: value for name, value in row.items() if name != column} for row in ROWS]
    path = WRITERS[ending](tmp_path / f"a{ending}", rows)
    assert f"row 1: no value in column '{column}'" in refusal(path)


@pytest.mark.parametrize("ending", [".parquet", ".jsonl"])
@pytest.mark.parametrize("column", ["author", "text"])
def test_a_missing_value_is_named_with_its_row(tmp_path: Path, ending: str, column: str) -> None:
    rows = [ROWS[0], {**ROWS[1], column: None}]
    path = WRITERS[ending](tmp_path / f"a{ending}", rows)
    assert f"row 2: no value in column '{column}'" in refusal(path)


@pytest.mark.parametrize("ending", WRITERS)
def test_nobody_is_no_author(tmp_path: Path, ending: str) -> None:
    path = WRITERS[ending](tmp_path / f"a{ending}", [ROWS[0], {**ROWS[1], "author": ""}])
    assert "row 2: no value in column 'author'" in refusal(path)


def test_a_csv_row_that_ends_early_lacks_its_text(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("author,topic,text\nA,Rome,good\nB,Oslo\n")
    assert "row 2: no value in column 'text'" in refusal(path)


@pytest.mark.parametrize("ending", [".parquet", ".jsonl"])
def test_a_missing_topic_is_none(tmp_path: Path, ending: str) -> None:
    path = WRITERS[ending](tmp_path / f"a{ending}", [ROWS[0], {**ROWS[1], "topic": None}])
    assert [document.topic for document in read_corpus(path)] == ["Rome", None]


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("a.jsonl", b'{"author": "A", "text": "x"}\n{"author": \n', "line 2 is not JSON"),
        ("a.jsonl", b"\n[1, 2]\n", "line 2 is not a JSON object"),
        ("a.jsonl", b"[" * 100_000, "line 1 is not JSON"),
        ("a.jsonl", b'{"author": "A", "text": "\xff"}\n', "is not UTF-8"),
        ("a.csv", "author,text\nA,é\n".encode("cp1252"), "is not UTF-8"),
        ("a.csv", b"author,text\nA," + b"x" * 200_000, "field larger"),
        ("a.parquet", b"", "is not a parquet file"),
        ("a.parquet", b"author,text\nA,x\n", "is not a parquet file"),
        ("a.txt", b"author,text\nA,x\n", "has the ending '.txt': expected .parquet"),
        ("corpus", b"author,text\nA,x\n", "has the ending '': expected .parquet"),
    ],
)
def test_what_is_no_corpus_is_refused_in_one_line(
    tmp_path: Path, name: str, data: bytes, says: str
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    assert says in refusal(path)


def test_a_damaged_parquet_file_is_refused(tmp_path: Path) -> None:
    rows = [{"author": str(i), "text": f"{i * i} reviews " * 9} for i in range(1000)]
    path = as_parquet(tmp_path / "a.parquet", rows)
    data = bytearray(path.read_bytes())
    quarter = len(data) // 4
    data[quarter : 2 * quarter] = bytes(byte ^ 0x55 for byte in data[quarter : 2 * quarter])
    path.write_bytes(data)
    assert "damaged" in refusal(path)


def test_folders_and_missing_files_are_refused(tmp_path: Path) -> None:
    assert "is not a file" in refusal(tmp_path)
    assert "is not a file" in refusal(tmp_path / "missing.csv")


@pytest.mark.parametrize("ending", [".jsonl", ".csv"])
def test_a_byte_order_mark_and_blank_lines_are_passed_over(tmp_path: Path, ending: str) -> None:
    path = WRITERS[ending](tmp_path / f"a{ending}", ROWS[:1])
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes() + b"\n\n")
    assert [document.author for document in read_corpus(path)] == ["A"]
