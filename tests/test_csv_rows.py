"""Tables: the csv module is the witness, and one bad quote costs one line."""

from __future__ import annotations

import csv
import io
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adhominem import rows as module
from adhominem.lines import Line, iterate_lines
from adhominem.rows import (
    DELIMITERS,
    Header,
    RecordError,
    guess_header,
    join_records,
    parse_record,
    read_header,
)

HEADER = Header(("author", "topic", "text"), ",")
PROPERTY = settings(max_examples=120)
FIELD = st.text(st.sampled_from('ab,;\t|"\n\r é😀'), max_size=8)
TABLE = st.lists(st.lists(FIELD, min_size=3, max_size=3), max_size=6)
SOUND = st.from_regex(r'[a-z]([a-z ,;\n"]{0,8}[a-z])?', fullmatch=True)  # begins with a letter
SOUND_TABLE = st.lists(st.lists(SOUND, min_size=3, max_size=3), max_size=5)
QUOTING = st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])


def write(table: list[list[str]], delimiter: str, quoting: int, end: str = "\r\n") -> str:
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=delimiter, quoting=quoting, lineterminator=end).writerows(table)
    return file.getvalue()


def records(data: bytes, delimiter: str = ",") -> list[Line]:
    return list(join_records(iterate_lines(io.BytesIO(data)), delimiter))


def fields(line: Line, header: Header = HEADER) -> list[str]:
    return list(parse_record(line.data, header).values())


@given(TABLE, st.sampled_from(DELIMITERS), QUOTING)
@PROPERTY
def test_any_table_is_read_as_the_csv_module_reads_it(
    table: list[list[str]], delimiter: str, quoting: int
) -> None:
    """Line breaks inside quotes become plain ones; the numbers are those of the first lines."""
    text = write(table, delimiter, quoting)
    assert list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)) == table
    lines = records(text.encode(), delimiter)
    header = Header(HEADER.columns, delimiter)
    expected = [[re.sub(r"\r*\n", "\n", field) for field in row] for row in table]
    assert [fields(line, header) for line in lines] == expected
    starts = [1 + write(table[:i], delimiter, quoting).count("\n") for i in range(len(table))]
    assert [line.number for line in lines] == starts


@given(SOUND_TABLE, SOUND_TABLE, QUOTING, st.sampled_from(["\n", "\r\n"]))
@settings(max_examples=50)
def test_an_unclosed_quote_costs_its_own_line_and_no_other(
    before: list[list[str]], after: list[list[str]], quoting: int, end: str
) -> None:
    broken = 'x,y,"never closed'
    text = write(before, ",", quoting, end) + broken + end + write(after, ",", quoting, end)
    lines = records(text.encode())
    assert lines[len(before)].problem == "its quote is never closed"
    assert lines.pop(len(before)).data == broken.encode()
    assert [fields(line) for line in lines] == before + after


def test_the_quote_of_the_next_record_closes_nothing() -> None:
    data = b'a,t,"open\nb,t,plain\nc,t,"quoted, with a comma"\nd,t,"two\nlines"\n'
    broken, *whole = records(data)
    assert broken == Line(1, b'a,t,"open', "its quote is never closed")
    assert [line.number for line in whole] == [2, 3, 4]
    assert [fields(line)[2] for line in whole] == ["plain", "quoted, with a comma", "two\nlines"]


def test_a_quote_is_not_looked_for_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MAX_LINES", 5)
    broken, *whole = records(b'a,t,"open\n' + b"b,t,text\n" * 50 + b'c,t,"x"\n')
    assert broken.problem is not None
    assert [line.number for line in whole] == list(range(2, 53))
    assert all(line.problem is None for line in whole)


def test_a_line_that_is_not_whole_ends_the_search_for_a_quote() -> None:
    data = b'a,t,"open\nb,t,x\n' + b"c" * 40 + b"\nd,t,x\n"
    lines = list(join_records(iterate_lines(io.BytesIO(data), max_line=20), ","))
    assert [(line.number, line.problem is None) for line in lines] == [
        *((1, False), (2, True), (3, False), (4, True))
    ]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (b'a,t,say "hi" now', 'say "hi" now'),
        (b'a,t,5" wide', '5" wide'),
        (b'a,t,"say ""hi"""', 'say "hi"'),
        (b'a,t,"quoted" and more', "quoted and more"),
        (b'a,t,""', ""),
        (b'a,t,""""', '"'),
        (b"a,t,", ""),
        (b"a,t,x\0y", "x\ufffdy"),
    ],
)
def test_quotes_inside_and_around_a_field(line: bytes, text: str) -> None:
    first, second = records(line + b"\nb,t,next")
    assert fields(first) == next(csv.reader([line.decode().replace("\0", "\ufffd")]))
    assert fields(first)[2] == text
    assert fields(second)[2] == "next"


@pytest.mark.parametrize("line", [b"a,t", b"a", b"a,t,x,more", b"a,t,x,", b""])
def test_a_wrong_number_of_columns_is_refused(line: bytes) -> None:
    with pytest.raises(RecordError) as caught:
        parse_record(line, HEADER)
    assert caught.value.reason == "wrong number of columns"
    assert caught.value.detail.endswith("expected 3")


@pytest.mark.parametrize(
    ("line", "reason"), [(b"a,t,x\ry,t,z", "not csv"), (b"a,t,\xff", "invalid UTF-8")]
)
def test_a_record_that_cannot_be_read_is_refused(line: bytes, reason: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse_record(line, HEADER)
    assert caught.value.reason == reason


@pytest.mark.parametrize("delimiter", DELIMITERS)
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_the_header_says_what_divides_the_columns(delimiter: str, mark: bytes) -> None:
    columns = ("text", "author", "a,b;c")
    line = mark + write([list(columns)], delimiter, csv.QUOTE_ALL).rstrip().encode()
    assert read_header(line, ["author", "text"]) == Header(columns, delimiter)
    assert read_header(line, ["author", "body"]) is None


@pytest.mark.parametrize("delimiter", DELIMITERS)
def test_unknown_columns_are_guessed_by_the_most_frequent_delimiter(delimiter: str) -> None:
    line = delimiter.join(["name", "body", "more"]).encode()
    assert guess_header(line) == Header(("name", "body", "more"), delimiter)


@pytest.mark.parametrize("line", [b"hello", b"\xef\xbb\xbf", b"a,b\rc,d", b'"a,b'])
def test_what_is_no_header_gives_none(line: bytes) -> None:
    assert guess_header(line) is read_header(line, ["author", "text"]) is None


@given(st.binary(max_size=60))
@PROPERTY
def test_no_line_of_bytes_breaks_the_reader(data: bytes) -> None:
    read_header(data, ["author", "text"])
    guess_header(data)
    numbers = [line.number for line in records(data)]
    assert numbers == sorted(set(numbers))


@pytest.mark.parametrize("line", [b'a,t,"open', b'a,t,"o""', b'"', b'a"b'])
def test_bad_quotes_in_every_line_cost_no_quadratic_time(line: bytes) -> None:
    begin = time.process_time()
    records((line + b"\n") * 5_000)
    assert time.process_time() - begin < 3
