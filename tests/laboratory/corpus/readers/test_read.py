"""What the readers give for whole sources, however they are cut."""

from __future__ import annotations

import csv
import gzip
import io
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pyarrow
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from adhominem.errors import InputError
from adhominem.laboratory.corpus import Columns
from adhominem.laboratory.corpus.readers import READERS, find_sources, plain_files
from adhominem.laboratory.corpus.readers.reader import RawDocument, Rejected, Shard, Source
from adhominem.lines import Line
from adhominem.rows import RecordError

PROPERTY = settings(max_examples=30)
SIZES = st.integers(1, 120)
PACK: list[Callable[[bytes], bytes]] = [bytes, gzip.compress, zstandard.compress]
TEXT = st.text(st.sampled_from('ab, "\né😀'), max_size=8)
BAD = {
    "": "empty line",
    "oops": "not JSON",
    "[]": "not an object",
    '{"text": "x"}': "missing author",
    '{"author": "x"}': "missing text",
    '{"author": 1.5, "text": "x"}': "wrong type",
}


def read(
    *paths: Path, shard_bytes: int = 1 << 20, columns: Columns = Columns()
) -> list[RawDocument | Rejected]:
    """Every shard goes through JSON, as it does on its way to a worker."""
    found: list[RawDocument | Rejected] = []
    with tempfile.TemporaryDirectory() as folder:
        sources = find_sources([str(path) for path in paths], columns)
        for source in sources:
            reader = READERS[source.format]
            for shard in reader.split(source, Path(folder), shard_bytes):
                sent = Shard.from_dict(json.loads(json.dumps(shard.to_dict())))
                found += reader.read(sent)
    return found


def outcome(record: RawDocument | Rejected) -> tuple[Any, ...]:
    if isinstance(record, Rejected):
        return record.line, record.reason
    return record.line, record.author, record.topic, record.text


GOOD = st.tuples(st.integers(1, 3), TEXT).map(
    lambda row: json.dumps({"author": f"a{row[0]}", "text": row[1]})
)


@given(st.lists(GOOD | st.sampled_from(list(BAD)), max_size=12), SIZES, st.sampled_from(PACK))
@PROPERTY
def test_json_lines_are_read_alike_however_they_are_cut(
    lines: list[str], shard_bytes: int, pack: Callable[[bytes], bytes]
) -> None:
    lines = ['{"author": "first", "text": ""}', *lines]
    expected: list[tuple[Any, ...]] = []
    for number, line in enumerate(lines, 1):
        if line in BAD:
            expected.append((number, BAD[line]))
        else:
            expected.append((number, json.loads(line)["author"], None, json.loads(line)["text"]))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_bytes(pack("".join(line + "\n" for line in lines).encode()))
        assert [outcome(record) for record in read(path, shard_bytes=shard_bytes)] == expected


@given(st.lists(st.tuples(TEXT, TEXT), max_size=8), SIZES, st.sampled_from(PACK))
@PROPERTY
def test_tables_are_read_as_the_csv_module_reads_them_however_they_are_cut(
    rows: list[tuple[str, str]], shard_bytes: int, pack: Callable[[bytes], bytes]
) -> None:
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["author", "topic", "text"])
    writer.writerows([f"a{i}", topic, text] for i, (topic, text) in enumerate(rows))
    reader = csv.reader(io.StringIO(file.getvalue(), newline=""))
    next(reader)
    expected, number = [], 1
    for author, topic, text in reader:
        expected.append((number + 1, author, topic.strip() or None, text))
        number = reader.line_num
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_bytes(pack(file.getvalue().encode()))
        assert [outcome(record) for record in read(path, shard_bytes=shard_bytes)] == expected


@given(
    st.lists(st.tuples(st.sampled_from(["a", "b", None]), TEXT | st.none()), max_size=20),
    st.integers(1, 600),
    st.integers(1, 9),
)
@PROPERTY
def test_parquet_rows_are_read_alike_however_they_are_cut(
    rows: list[tuple[str | None, str | None]], shard_bytes: int, group: int
) -> None:
    table = pyarrow.table(
        {
            "other": pyarrow.array(range(len(rows))),
            "text": pyarrow.array([text for _, text in rows], pyarrow.string()),
            "author": pyarrow.array([author for author, _ in rows], pyarrow.string()),
        }
    )
    expected: list[tuple[Any, ...]] = []
    for number, (author, text) in enumerate(rows, 1):
        if author is None or text is None:
            expected.append((number, f"missing {'text' if author else 'author'}"))
        else:
            expected.append((number, author, None, text))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        parquet.write_table(table, path, row_group_size=group)
        found = [outcome(record) for record in read(path, shard_bytes=shard_bytes)]
    assert found == (expected or [(0, "empty file")])


@pytest.mark.parametrize("n_files", [1, 2, 3, 100])
def test_a_folder_of_authors_is_read_alike_however_it_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, n_files: int
) -> None:
    texts = {
        "ann/1.txt": b"one",
        "ann/travel/2.txt": b"\xef\xbb\xbftwo",
        "bob/a.txt": b"\xff",
        "bob/b.txt": "drei ü\r\n".encode(),
        "bob/home/deep/c.txt": b"",
    }
    for name, data in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    monkeypatch.setattr(plain_files, "_FILES", n_files)
    assert [outcome(record) for record in read(tmp_path)] == [
        (1, "ann", None, "one"),
        (2, "ann", "travel", "two"),
        (3, "invalid UTF-8"),
        (4, "bob", None, "drei ü\r\n"),
        (5, "bob", "home", ""),
    ]


def test_an_endless_text_file_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_files, "_MAX_FILE", 10)
    (tmp_path / "ann").mkdir()
    (tmp_path / "ann" / "1.txt").write_text("x" * 11)
    (tmp_path / "ann" / "2.txt").write_text("x" * 10)
    assert [outcome(r) for r in read(tmp_path)] == [
        *((1, "line too long"), (2, "ann", None, "x" * 10))
    ]


def test_a_folder_of_problems_follows_its_truth(tmp_path: Path) -> None:
    for problem in ("EN01", "EN02", "EN03"):
        (tmp_path / problem).mkdir()
        for name in ("known01.txt", "unknown.txt"):
            (tmp_path / problem / name).write_text(f"{problem} {name}")
    with pytest.raises(InputError, match=r"without their truth\.txt"):
        read(tmp_path)
    (tmp_path / "truth.txt").write_text("EN01 Y\nEN02 N\n")
    assert [outcome(record) for record in read(tmp_path)] == [
        (1, "EN01", None, "EN01 known01.txt"),
        (2, "EN01", None, "EN01 unknown.txt"),
        (3, "EN02", None, "EN02 known01.txt"),
        (4, "EN02 (unknown)", None, "EN02 unknown.txt"),
        (5, "no truth"),
        (6, "no truth"),
    ]


def test_problems_in_lines_follow_the_truth_beside_them(tmp_path: Path) -> None:
    pairs = [{"id": f"p{i}", "pair": ["a", "b"], "fandoms": ["x", "y"]} for i in range(3)]
    lines = [*map(json.dumps, pairs), '{"id": "p0"}', '{"id": "\\ud800", "pair": ["a", "b"]}']
    (tmp_path / "pairs.jsonl").write_text("\n".join(lines))
    truth = [{"id": f"p{i}", "same": i == 0, "authors": [str(i), "0"]} for i in range(2)]
    (tmp_path / "truth.jsonl").write_text("\n".join(map(json.dumps, truth)))
    found = read(tmp_path)
    assert [outcome(record) for record in found] == [
        (1, "0", "x", "a"),
        (1, "0", "y", "b"),
        (2, "1", "x", "a"),
        (2, "0", "y", "b"),
        (3, "no truth"),
        (4, "missing text"),
        (5, "no truth"),
    ]
    assert [record.part for record in found if isinstance(record, RawDocument)] == [0, 1, 0, 1]
    assert isinstance(found[-1], Rejected)
    found[-1].detail.encode("utf-8")


def test_reviews_get_the_category_of_product_or_file(tmp_path: Path) -> None:
    path = tmp_path / "reviews_Movies_and_TV_5.json.gz"
    reviews = [{"reviewerID": "A", "asin": asin, "reviewText": "x"} for asin in ("B1", "B2")]
    path.write_bytes(gzip.compress("\n".join(map(repr, reviews)).encode()))
    metadata = tmp_path / "meta.jsonl"
    lines = ['{"asin": "B1", "main_cat": "Books"}', "oops", '{"asin": "B1", "main_cat": "Toys"}']
    metadata.write_text("\n".join(lines))
    found = [outcome(record) for record in read(path, metadata)]
    assert found == [(1, "A", "Books", "x"), (2, "A", "Movies and TV", "x")]
    assert [outcome(record)[2] for record in read(path)] == ["Movies and TV"] * 2


@pytest.mark.parametrize("begin", [b"\xef\xbb\xbf", b"\n\r\n"])
@pytest.mark.parametrize(
    "data", [b'{"author": "ann", "text": "x"}\n', b"author,text\nann,x\n", b"text\tauthor\nx\tann"]
)
def test_what_stands_before_the_first_line_does_no_harm(
    tmp_path: Path, data: bytes, begin: bytes
) -> None:
    path = tmp_path / "file"
    path.write_bytes(begin + data)
    found = [record for record in read(path) if isinstance(record, RawDocument)]
    assert [(record.author, record.text) for record in found] == [("ann", "x")]


def test_bad_records_of_a_table_stop_no_other(tmp_path: Path) -> None:
    path = tmp_path / "file.csv"
    lines = ["author,text", "ann,x", "ann", 'bob,"open', "", "ann,x,y", ",x", 'ann,"a ""b"", c"']
    path.write_bytes("\n".join(lines).encode() + b"\nann,\xff\nann,last")
    assert [outcome(record) for record in read(path)] == [
        (2, "ann", None, "x"),
        (3, "wrong number of columns"),
        (4, "not csv"),
        (5, "empty line"),
        (6, "wrong number of columns"),
        (7, "missing author"),
        (8, "ann", None, 'a "b", c'),
        (9, "invalid UTF-8"),
        (10, "ann", None, "last"),
    ]


def test_a_damaged_file_gives_what_stands_before_the_break(tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"author": "ann", "text": "x"}\n' * 3)[:-8])
    *good, broken = [outcome(record) for record in read(path, shard_bytes=30)]
    assert good == [(i, "ann", None, "x") for i in (1, 2, 3)]
    assert broken == (4, "damaged file")
    path.write_bytes(path.read_bytes()[:14])
    assert [outcome(record) for record in read(path)] == [(1, "damaged file")]


def test_a_line_over_the_limit_is_named_as_such(tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl"
    good = b'{"author": "ann", "text": "x"}\n'
    path.write_bytes(good + b"x" * (17 << 20) + b"\n" + good)
    assert [outcome(record) for record in read(path)] == [
        *((1, "ann", None, "x"), (2, "line too long"), (3, "ann", None, "x"))
    ]


def test_an_empty_file_says_so(tmp_path: Path) -> None:
    (tmp_path / "file.jsonl").touch()
    assert [outcome(record) for record in read(tmp_path / "file.jsonl")] == [(0, "empty file")]
    (tmp_path / "file.jsonl").write_text("author,text\n")
    assert read(tmp_path / "file.jsonl") == []


def test_columns_may_have_other_names_and_topics_be_left_out(tmp_path: Path) -> None:
    path = tmp_path / "file.parquet"
    table = {"who": [1, 2], "text": ["x", "y"], "topic": ["s", "t"]}
    parquet.write_table(pyarrow.table(table), path)
    found = [outcome(record) for record in read(path, columns=Columns(author="who"))]
    assert found == [(1, "1", "s", "x"), (2, "2", "t", "y")]
    without = read(path, columns=Columns(author="who", topic=""))
    assert [outcome(record)[2] for record in without] == [None, None]


def test_a_parquet_row_that_is_no_utf8_stops_no_other(tmp_path: Path) -> None:
    raw = pyarrow.array([b"one", b"\xff\xfe", b"three"], pyarrow.binary())
    texts = pyarrow.StringArray.from_buffers(3, *raw.buffers()[1:])
    path = tmp_path / "file.parquet"
    parquet.write_table(pyarrow.table({"author": ["a", "b", "c"], "text": texts}), path)
    assert [outcome(record) for record in read(path)] == [
        *((1, "a", None, "one"), (2, "invalid UTF-8"), (3, "c", None, "three"))
    ]


def test_a_parquet_file_damaged_inside_is_one_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "file.parquet"
    table = pyarrow.table({"author": ["ann"] * 500, "text": [f"text {i}" for i in range(500)]})
    parquet.write_table(table, path, compression="zstd")
    data = bytearray(path.read_bytes())
    data[4:400] = b"\xff" * 396
    path.write_bytes(data)
    with pytest.raises(InputError, match="is a damaged parquet file"):
        read(path)


@given(st.binary(max_size=900), st.text(st.characters()))
@PROPERTY
def test_a_rejected_line_can_be_stored(data: bytes, detail: str) -> None:
    class Broken(plain_files.JsonLines):
        def record(self, data: bytes, source: Source) -> dict[str, Any]:  # noqa: ARG002
            raise RecordError("not JSON", detail)

    source = Source(Path("x"), "jsonl", "x")
    with patch.object(plain_files, "lines_of", lambda _: [Line(3, b"." + data)]):
        [rejected] = Broken().read(Shard(source, source.path, 0))
    assert isinstance(rejected, Rejected)
    assert (rejected.line, rejected.reason) == (3, "not JSON")
    assert len(rejected.detail) <= 160 and len(rejected.excerpt) <= 160
    (rejected.detail + rejected.excerpt).encode("utf-8")
