"""csv and tsv records that keep their lines: a quoted field may hold line breaks."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from adhominem.corpus.readers.lines import MAX_LINE, Line
from adhominem.corpus.readers.rows import BadRecord, decode

DELIMITERS = (",", "\t", ";", "|")
_MOST_LINES = 20_000  # a quote that stays open for longer was never meant to
csv.field_size_limit(MAX_LINE)


@dataclass(frozen=True, slots=True)
class Header:
    columns: tuple[str, ...]
    delimiter: str


def read_header(line: bytes, needed: Sequence[str]) -> Header | None:
    """The columns, if one of the usual delimiters gives those that are needed."""
    text = line.decode("utf-8-sig", "replace")
    for delimiter in DELIMITERS:
        columns = next(csv.reader([text], delimiter=delimiter), [])
        if len(columns) > 1 and set(needed) <= set(columns):
            return Header(tuple(columns), delimiter)
    return None


def guess_header(line: bytes) -> Header | None:
    """The columns that the most frequent delimiter gives, whatever they are called."""
    text = line.decode("utf-8-sig", "replace")
    delimiter = max(DELIMITERS, key=text.count)
    if not text.count(delimiter):
        return None
    return Header(tuple(next(csv.reader([text], delimiter=delimiter))), delimiter)


def join_records(lines: Iterator[Line], delimiter: str) -> Iterator[Line]:
    """Lines to records; a line whose quote is never closed stands alone."""
    waiting: list[Line] = []  # lines of a record whose quote is open
    ahead: list[Line] = []  # lines to be looked at again
    source = iter(lines)
    while True:
        line = ahead.pop(0) if ahead else next(source, None)
        if line is not None and line.problem is None:
            waiting.append(line)
            data = b"\n".join(part.data for part in waiting)
            if not _is_open(data, delimiter):
                yield Line(waiting[0].number, data)
                waiting = []
            if len(waiting) < _MOST_LINES and len(data) < MAX_LINE:
                continue
        if waiting:
            broken = waiting[0]
            yield Line(broken.number, broken.data, "the quote that opens here is never closed")
            ahead = [*waiting[1:], *([line] if line and line.problem else []), *ahead]
            waiting = []
        elif line is None:
            return
        else:
            yield line


def _is_open(data: bytes, delimiter: str) -> bool:
    """Whether the record ends inside quotes; a quote opens only where a field begins."""
    if data.count(b'"') % 2 == 0 and b'"' not in data:
        return False
    mark, is_open, at_start = delimiter.encode()[0], False, True
    i = 0
    while i < len(data):
        char = data[i]
        if is_open:
            if char == 0x22:
                if data[i + 1 : i + 2] == b'"':
                    i += 1
                else:
                    is_open = False
        elif char == 0x22 and at_start:
            is_open = True
        at_start = not is_open and char == mark
        i += 1
    return is_open


def parse_record(data: bytes, header: Header) -> dict[str, str]:
    text = decode(data).replace("\0", "\ufffd")
    try:
        fields = next(csv.reader(io.StringIO(text, newline=""), delimiter=header.delimiter), [])
    except csv.Error as error:
        raise BadRecord("not csv", str(error)) from None
    if len(fields) != len(header.columns):
        raise BadRecord(
            "wrong number of columns", f"{len(fields)} fields, expected {len(header.columns)}"
        )
    return dict(zip(header.columns, fields, strict=True))
