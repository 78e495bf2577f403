"""Every format is known by looking, every file counts once, and an error names what is there."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow
import pytest
import zstandard
from pyarrow import parquet

from adhominem.errors import InputError
from adhominem.laboratory.corpus import Columns
from adhominem.laboratory.corpus.readers import READERS, find_sources, recognise_file
from adhominem.laboratory.corpus.readers.reader import Source
from adhominem.rows import Header

RECORDS: dict[str, dict[str, Any]] = {
    "amazon": {"reviewerID": "A1", "asin": "B1", "reviewText": "Good.", "overall": 5.0},
    "metadata": {"asin": "B1", "categories": [["Books"]], "title": "It"},
    "pan": {"id": "p1", "pair": ["a", "b"], "fandoms": ["x", "y"]},
    "truth": {"id": "p1", "same": True, "authors": ["1", "1"]},
    "jsonl": {"author": "bob", "text": "hello", "topic": "x"},
}
CSV = "author,topic,text\nbob,x,hello\n"
COMPRESS: list[Callable[[bytes], bytes]] = [
    *(bytes, gzip.compress, lzma.compress, bz2.compress, zstandard.compress)
]


def write_parquet(path: Path, columns: dict[str, list[Any]]) -> None:
    parquet.write_table(pyarrow.table(columns), path)


def refused(patterns: list[str], columns: Columns = Columns()) -> str:
    with pytest.raises(InputError) as caught:
        find_sources(patterns, columns)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600
    return str(caught.value)


@pytest.mark.parametrize("ending", ["jsonl", "csv", "gz"])
@pytest.mark.parametrize("compress", COMPRESS)
@pytest.mark.parametrize("kind", RECORDS)
def test_lines_are_known_by_looking_whatever_the_name(
    tmp_path: Path, kind: str, compress: Callable[[bytes], bytes], ending: str
) -> None:
    path = tmp_path / f"file.{ending}"
    path.write_bytes(compress(json.dumps(RECORDS[kind]).encode() + b"\n"))
    assert recognise_file(path) == Source(path, kind, path.name)
    assert READERS[kind].name == kind


@pytest.mark.parametrize("kind", RECORDS)
def test_python_dictionaries_and_a_byte_order_mark_are_looked_through(
    tmp_path: Path, kind: str
) -> None:
    path = tmp_path / "file"
    for line in (repr(RECORDS[kind]), "\ufeff" + json.dumps(RECORDS[kind])):
        path.write_text(line, encoding="utf-8")
        assert recognise_file(path).format == kind


@pytest.mark.parametrize("kind", RECORDS)
def test_broken_first_lines_decide_nothing(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "file.jsonl"
    broken = [b"", b"  ", b"oops, no json", b'{"author": "bob", "te', b"[1]", b"\xff", b'{"x": 1}']
    path.write_bytes(b"\r\n".join([*broken, json.dumps(RECORDS[kind]).encode()]))
    assert recognise_file(path).format == kind


def test_a_review_of_2023_is_no_general_record(tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl"
    path.write_text(json.dumps({"user_id": "A1", "parent_asin": "B1", "text": "Good."}))
    assert recognise_file(path).format == "amazon"
    columns = Columns(author="user_id")
    assert recognise_file(path, columns) == Source(path, "jsonl", path.name, columns)


@pytest.mark.parametrize("delimiter", [",", "\t", ";", "|"])
@pytest.mark.parametrize("begin", ["", "\ufeff", "\n\n"])
def test_tables_are_known_by_their_header(tmp_path: Path, delimiter: str, begin: str) -> None:
    path = tmp_path / "file.jsonl.gz"
    path.write_text(begin + CSV.replace(",", delimiter), encoding="utf-8")
    source = recognise_file(path)
    assert (source.format, source.header) == ("csv", Header(("author", "topic", "text"), delimiter))


def test_parquet_is_known_by_its_first_bytes(tmp_path: Path) -> None:
    path = tmp_path / "file.csv"
    write_parquet(path, {"author": ["a"], "text": ["b"]})
    assert recognise_file(path).format == "parquet"


def test_names_of_columns_given_by_the_user_count(tmp_path: Path) -> None:
    columns = Columns(author="who", text="body", topic="where")
    (tmp_path / "a.csv").write_text("where;body;who\nx;y;z\n")
    (tmp_path / "b.jsonl").write_text('{"who": "a", "body": "b"}')
    write_parquet(tmp_path / "c.parquet", {"who": ["a"], "body": ["b"], "where": ["c"]})
    found = find_sources([str(tmp_path)], columns)
    assert [source.format for source in found] == ["csv", "jsonl", "parquet"]
    assert columns.names == ("who", "where", "body")
    assert Columns(topic="").names == ("author", "", "text")


@pytest.mark.parametrize("data", [b"", b"\n\n \r\n", gzip.compress(b"", mtime=0)])
def test_a_file_without_lines_is_empty(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "file.jsonl"
    path.write_bytes(data)
    assert recognise_file(path).format == "empty"


def test_a_file_that_breaks_off_in_its_first_line_is_not_taken_for_empty(tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(RECORDS["jsonl"]).encode())[:-9])
    assert recognise_file(path).format == "jsonl"


def test_files_folders_and_globs_are_put_in_order_and_counted_once(tmp_path: Path) -> None:
    tmp_path = tmp_path / "alone"  # a pattern below looks into the folders beside it
    tmp_path.mkdir()
    for name in ("b.jsonl", "a.jsonl", ".hidden", "c.csv"):
        text = CSV if name == "c.csv" else json.dumps(RECORDS["jsonl"])
        (tmp_path / name).write_text(text)
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "a.jsonl")
    patterns = ["c.csv", "*.jsonl", "b.jsonl", ".", "../*/a.jsonl"]
    found = find_sources([str(tmp_path / pattern) for pattern in patterns])
    paths = {source.path.resolve().name for source in found}
    assert len(found) == 3 and paths == {"a.jsonl", "b.jsonl", "c.csv"}
    assert [source.name for source in found] == sorted(source.name for source in found)


def test_a_name_with_brackets_is_no_glob(tmp_path: Path) -> None:
    path = tmp_path / "a[1].jsonl"
    path.write_text(json.dumps(RECORDS["jsonl"]))
    assert [source.path for source in find_sources([str(path)])] == [path]


def test_a_file_name_that_is_no_utf8_gets_a_name_that_can_be_stored(tmp_path: Path) -> None:
    path = tmp_path / "\udcff.jsonl"
    path.write_text(json.dumps(RECORDS["jsonl"]))
    assert [source.name for source in find_sources([str(path)])] == ["\ufffd.jsonl"]


def test_files_of_one_name_are_told_apart_by_as_little_as_it_takes(tmp_path: Path) -> None:
    for folder in ("x/one", "y/one", "y/two", "z"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "file.jsonl").write_text(json.dumps(RECORDS["jsonl"]))
    (tmp_path / "z" / "other.jsonl").write_text(json.dumps(RECORDS["jsonl"]))
    found = find_sources([str(tmp_path / "**" / "*.jsonl")])
    names = [source.name for source in found]
    assert names == [
        *("x/one/file.jsonl", "y/one/file.jsonl", "y/two/file.jsonl"),
        *(f"{tmp_path.name}/z/file.jsonl", "other.jsonl"),
    ]
    two = find_sources([str(tmp_path / "y" / "*" / "file.jsonl")])
    assert [source.name for source in two] == ["one/file.jsonl", "two/file.jsonl"]


@pytest.mark.parametrize("inside", ["bob/1.txt", "bob/travel/1.txt"])
def test_a_folder_of_authors_is_one_source(tmp_path: Path, inside: str) -> None:
    (tmp_path / inside).parent.mkdir(parents=True)
    (tmp_path / inside).write_text("hello")
    assert find_sources([str(tmp_path)]) == [Source(tmp_path, "authors", tmp_path.name)]


@pytest.mark.parametrize("truth", [True, False])
def test_a_folder_of_problems_is_not_taken_for_authors(tmp_path: Path, truth: bool) -> None:
    (tmp_path / "EN01").mkdir()
    for name in ("known01.txt", "unknown.txt"):
        (tmp_path / "EN01" / name).write_text("hello")
    if truth:
        (tmp_path / "truth.txt").write_text("EN01 Y\n")
    assert [source.format for source in find_sources([str(tmp_path)])] == ["problems"]


@pytest.mark.parametrize("answers", ["truth.jsonl", "answers.jsonl"])
def test_problems_find_their_truth(tmp_path: Path, answers: str) -> None:
    (tmp_path / "pairs.jsonl").write_text(json.dumps(RECORDS["pan"]))
    assert find_sources([str(tmp_path / "pairs.jsonl")])[0].companions == ()
    (tmp_path / answers).write_text(json.dumps(RECORDS["truth"]))
    found = {source.format: source for source in find_sources([str(tmp_path)])}
    assert found["pan"].companions == (tmp_path / answers,)
    assert found["truth"].companions == ()


def test_a_json_file_with_other_fields_is_named_with_what_is_needed(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps(RECORDS["jsonl"]))
    (tmp_path / "b.jsonl").write_text('{"who": "bob", "bo\\ndy": "hello"}')
    error = refused([str(tmp_path)])
    assert "b.jsonl has the fields who, bo dy, not author, text" in error
    assert "--author" in error and "--text" in error
    assert "not name, text" in refused([str(tmp_path)], Columns(author="name"))


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_table_with_other_columns_is_named_with_what_is_needed(tmp_path: Path, kind: str) -> None:
    (tmp_path / "a.csv").write_text(CSV)
    if kind == "csv":
        (tmp_path / "b.csv").write_text("author,body\nbob,hello\n")
    else:
        write_parquet(tmp_path / "b.csv", {"author": ["bob"], "body": ["hello"]})
    error = refused([str(tmp_path)])
    assert "b.csv has no column text, only author, body" in error and "--text" in error
    assert "has no column place" in refused([str(tmp_path / "a.csv")], Columns(topic="place"))


def test_many_and_endless_names_are_shortened(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({f"{'x' * 1000}{i}": i for i in range(50)} | {"\ud800": 1}))
    assert "..." in refused([str(path)])
    path.write_text('{"\\ud800": 1}')
    refused([str(path)]).encode("utf-8")


@pytest.mark.parametrize(
    "data", [b"Dear diary\nToday\n", b"\x89PNG\r\n\x1a\n", b"PK\x03\x04", b"7"]
)
def test_unknown_content_is_shown(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "file.jsonl").write_bytes(data)
    assert "neither JSON lines nor a table" in refused([str(tmp_path / "file.jsonl")])


@pytest.mark.parametrize("data", [b"a,b\rc,d\re,f", b'"author,text\nbob,hello'])
def test_a_header_that_cannot_be_read_is_no_crash(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "file.csv").write_bytes(data)
    assert "file.csv" in refused([str(tmp_path / "file.csv")])


def test_a_damaged_parquet_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file.parquet").write_bytes(b"PAR1 and then nothing")
    assert "damaged parquet" in refused([str(tmp_path / "file.parquet")])


@pytest.mark.parametrize("pattern", ["missing", "missing/*.jsonl", "x" * 300, "[", "a\0b"])
def test_a_path_without_a_file_is_refused(tmp_path: Path, pattern: str) -> None:
    assert "no such file or folder" in refused([str(tmp_path / pattern)])


def test_an_empty_folder_and_a_file_without_documents_are_refused(tmp_path: Path) -> None:
    assert "is an empty folder" in refused([str(tmp_path)])
    (tmp_path / "meta.jsonl").write_text(json.dumps(RECORDS["metadata"]))
    assert "no documents there, only metadata" in refused([str(tmp_path)])


def test_prose_is_not_taken_for_a_table(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("We spent five nights here, in late September, and " + "so on " * 20 + ".\n")
    with pytest.raises(InputError, match=r"folder author/\*\.txt") as caught:
        find_sources([str(path)])
    assert "column" not in str(caught.value)
