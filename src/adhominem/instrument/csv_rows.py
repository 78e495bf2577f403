"""Rows of csv and tsv files with their line numbers; a quoted field may contain line breaks."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from adhominem.instrument.lines import MAX_LINE, Line
from adhominem.instrument.rows import RecordError, decode

DELIMITERS = (",", "\t", ";", "|")
_LONGEST_NAME = 60  # characters of a column's name
_MOST_LINES = 1_000  # a quoted field of more lines is taken for one whose quote is never closed
csv.field_size_limit(MAX_LINE)


@dataclass(frozen=True, slots=True)
class Header:
    """The names of the columns, and the character that separates them."""

    columns: tuple[str, ...]
    delimiter: str


def read_header(line: bytes, needed: Sequence[str]) -> Header | None:
    """Return the header if one of the usual delimiters gives all needed columns."""
    for delimiter in DELIMITERS:
        columns = _columns(line, delimiter)
        if len(columns) > 1 and set(needed) <= set(columns):
            return Header(columns, delimiter)
    return None


def guess_header(line: bytes) -> Header | None:
    """Return the header by the most frequent delimiter, whatever its columns are called; None for
    a line with one column, and for prose, whose commas give long columns."""
    text = line.decode("utf-8-sig", "replace")
    delimiter = max(DELIMITERS, key=text.count)
    columns = _columns(line, delimiter)
    is_header = len(columns) > 1 and max(map(len, columns)) <= _LONGEST_NAME
    return Header(columns, delimiter) if is_header else None


def _columns(line: bytes, delimiter: str) -> tuple[str, ...]:
    try:
        text = line.decode("utf-8-sig", "replace")
        return tuple(next(csv.reader([text], delimiter=delimiter), []))
    except csv.Error:
        return ()


def join_records(lines: Iterator[Line], delimiter: str) -> Iterator[Line]:
    """Join the lines of each record. A line whose quote is never closed is a record of its own
    with a problem, and the lines after it are read as usual."""
    waiting: list[Line] = []  # lines of a record whose quote is open
    again: list[Line] = []  # lines to be processed again
    while True:
        line = again.pop(0) if again else next(lines, None)
        if line is not None and line.problem is None:
            waiting.append(line)
            state = _state(waiting, delimiter) if len(waiting) == 1 or b'"' in line.data else "open"
            if state == "closed":
                yield Line(waiting[0].number, b"\n".join(part.data for part in waiting))
                waiting = []
            if state != "torn" and len(waiting) < _MOST_LINES:
                continue
            line = None
        if waiting:
            yield Line(waiting[0].number, waiting[0].data, "its quote is never closed")
            again = [*waiting[1:], *([line] if line else []), *again]
            waiting = []
        elif line is None:
            return
        else:
            yield line


def _state(lines: Sequence[Line], delimiter: str) -> str:
    """Return "open" if a record ends inside quotes, else "closed"; a quote opens only at the start
    of a field. A quote that is closed on a later line in the middle of a field belonged to that
    line: the record is "torn"."""
    data = b"\n".join(line.data for line in lines)
    if b'"' not in data:
        return "closed"
    mark = delimiter.encode()
    begin = rb"(?:\A|" + re.escape(mark) + rb')"'
    quoted = begin + rb'(?:[^"]|"")*+"'
    if re.search(begin, re.sub(quoted, b"", data)):
        return "open"
    fields = [field for field in re.finditer(quoted, data) if b"\n" in field[0]]
    after = {data[field.end() : field.end() + 1] for field in fields}
    return "closed" if after <= {b"", mark} else "torn"


def parse_record(data: bytes, header: Header) -> dict[str, str]:
    """Return the fields of a record by the names of their columns."""
    text = decode(data).replace("\0", "\ufffd")
    try:
        fields = next(csv.reader([text], delimiter=header.delimiter), [])
    except csv.Error as error:
        raise RecordError("not csv", str(error)) from None
    if len(fields) != len(header.columns):
        raise RecordError(
            "wrong number of columns", f"{len(fields)} fields, expected {len(header.columns)}"
        )
    return dict(zip(header.columns, fields, strict=True))
