"""csv and tsv records that keep their lines: a quoted field may hold line breaks."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from adhominem.corpus.readers.lines import MAX_LINE, Line
from adhominem.corpus.readers.rows import RecordError, decode

DELIMITERS = (",", "\t", ";", "|")
_MOST_LINES = 1_000  # a quote that stays open for longer was never meant to
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
    while True:
        line = ahead.pop(0) if ahead else next(lines, None)
        if line is not None and line.problem is None:
            waiting.append(line)
            if (len(waiting) == 1 or b'"' in line.data) and not _is_open(waiting, delimiter):
                yield Line(waiting[0].number, b"\n".join(part.data for part in waiting))
                waiting = []
            if len(waiting) < _MOST_LINES:
                continue
            line = None
        if waiting:
            yield Line(waiting[0].number, waiting[0].data, "its quote is never closed")
            ahead = [*waiting[1:], *([line] if line else []), *ahead]
            waiting = []
        elif line is None:
            return
        else:
            yield line


def _is_open(lines: Sequence[Line], delimiter: str) -> bool:
    """Whether a record ends inside quotes; a quote opens only where a field begins."""
    data = b"\n".join(line.data for line in lines)
    if b'"' not in data:
        return False
    begin = rb"(?:\A|" + re.escape(delimiter.encode()) + rb')"'
    return re.search(begin, re.sub(begin + rb'(?:[^"]|"")*+"', b"", data)) is not None


def parse_record(data: bytes, header: Header) -> dict[str, str]:
    text = decode(data).replace("\0", "\ufffd")
    try:
        fields = next(csv.reader(io.StringIO(text, newline=""), delimiter=header.delimiter), [])
    except csv.Error as error:
        raise RecordError("not csv", str(error)) from None
    if len(fields) != len(header.columns):
        raise RecordError(
            "wrong number of columns", f"{len(fields)} fields, expected {len(header.columns)}"
        )
    return dict(zip(header.columns, fields, strict=True))
