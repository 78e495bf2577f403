"""Parses rows of JSON lines, csv and tsv files, and reads the fields of a document from them."""

import ast
import csv
import json
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from adhominem.lines import MAX_LINE, Line

DELIMITERS = (",", "\t", ";", "|")
_MAX_NAME = 60  # characters of a column's name
_MAX_LINES = 1_000  # of a quoted field; the quote of a longer one counts as never closed
_MAX_LITERAL = 256 * 1024  # characters; parsing a Python literal takes 500 bytes for each
csv.field_size_limit(MAX_LINE)


class RecordError(Exception):
    """A row holds no document; `reason` is one of a few fixed phrases, `detail` says more."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(reason, detail)
        self.reason, self.detail = reason, detail


def decode(data: bytes) -> str:
    """Decode UTF-8; the error of invalid bytes names the first one and its position."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        detail = f"byte 0x{data[error.start]:02x} at {error.start}: {error.reason}"
        raise RecordError("invalid UTF-8", detail) from None


def parse_object(data: bytes) -> dict[str, Any]:
    """Parse a JSON object, or a Python dictionary of an old dump, without executing anything."""
    text = decode(data)
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        content = _parse_literal(text, error)
    if not isinstance(content, dict):
        raise RecordError("not an object", f"expected an object, found {type_name(content)}")
    return content


def _parse_literal(text: str, json_error: Exception) -> Any:
    is_dictionary = text.lstrip().startswith(("{'", '{"', "{u'", '{u"'))
    if is_dictionary and len(text) <= _MAX_LITERAL:
        try:
            with warnings.catch_warnings(action="ignore"):  # about odd escapes
                return ast.literal_eval(text.strip())
        except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
            pass
    raise RecordError("not JSON", str(json_error)) from None


def text_field(record: dict[str, Any], name: str) -> str:
    value = _required(record, name, "text")
    if not isinstance(value, str):
        raise RecordError("wrong type", f"'{name}' is {type_name(value)}, expected a text")
    return storable(value)


def author_field(record: dict[str, Any], name: str) -> str:
    """Return a required field that must be a name and not empty."""
    author = to_name(_required(record, name, "author"), name)
    if not author:
        raise RecordError("missing author", f"'{name}' is empty")
    return author


def topic_field(record: dict[str, Any], name: str) -> str | None:
    """Return an optional name; None if the field is missing or empty."""
    value = record.get(name)
    return None if value is None else to_name(value, name) or None


def to_name(value: Any, field: str) -> str:
    """Return a string or an integer as a name; an integer of more than 1,000 bits is refused."""
    if isinstance(value, str):
        return storable(value).strip()
    if isinstance(value, bool) or not isinstance(value, int) or value.bit_length() > 1000:
        raise RecordError("wrong type", f"'{field}' is {type_name(value)}, expected a name")
    return str(value)


def _required(record: dict[str, Any], name: str, role: str) -> Any:
    if record.get(name) is None:
        problem = f"'{name}' is null" if name in record else f"no field '{name}'"
        raise RecordError(f"missing {role}", problem)
    return record[name]


def storable(text: str) -> str:
    """Replace lone surrogates, which UTF-8 cannot store, by the replacement character."""
    if text.isascii():  # saves time
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def type_name(value: Any) -> str:
    """Return the type of a JSON value in plain words."""
    names = {bool: "true or false", int: "a number", float: "a number", str: "a text"}
    names |= {list: "a list", dict: "an object", type(None): "null", tuple: "a list"}
    return names.get(type(value), type(value).__name__)


@dataclass(frozen=True, slots=True)
class Header:
    columns: tuple[str, ...]
    delimiter: str


def read_header(line: bytes, needed: Sequence[str]) -> Header | None:
    """Return the header if one of the usual delimiters gives all needed columns."""
    headers = (Header(_columns(line, delimiter), delimiter) for delimiter in DELIMITERS)
    return next((h for h in headers if len(h.columns) > 1 and set(needed) <= set(h.columns)), None)


def guess_header(line: bytes) -> Header | None:
    """Return the header by the most frequent delimiter; None for one column and for prose."""
    delimiter = max(DELIMITERS, key=line.decode("utf-8-sig", "replace").count)
    columns = _columns(line, delimiter)
    is_header = len(columns) > 1 and max(map(len, columns)) <= _MAX_NAME
    return Header(columns, delimiter) if is_header else None


def _columns(line: bytes, delimiter: str) -> tuple[str, ...]:
    try:
        text = line.decode("utf-8-sig", "replace")
        return tuple(next(csv.reader([text], delimiter=delimiter), []))
    except csv.Error:
        return ()


def join_records(lines: Iterator[Line], delimiter: str) -> Iterator[Line]:
    """Join the lines of each record. If the quote of a record is never closed, its first line has a
    problem, and the others are read as records of their own."""
    waiting: list[Line] = []  # lines of a record with an open quote
    again: list[Line] = []  # lines to be processed again
    while True:
        line = again.pop(0) if again else next(lines, None)
        if line is not None and line.problem is None:
            waiting.append(line)
            state = _state(waiting, delimiter) if len(waiting) == 1 or b'"' in line.data else "open"
            if state == "closed":
                yield Line(waiting[0].number, b"\n".join(part.data for part in waiting))
                waiting = []
            if state != "torn" and len(waiting) < _MAX_LINES:
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
    """The state of a record after these lines: "open" inside a quoted field, "torn" if a quote
    closes on a later line in the middle of a field, otherwise "closed"."""
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
    text = decode(data).replace("\0", "\ufffd")
    try:
        fields = next(csv.reader([text], delimiter=header.delimiter), [])
    except csv.Error as error:
        raise RecordError("not csv", str(error)) from None
    if len(fields) != len(header.columns):
        detail = f"{len(fields)} fields, expected {len(header.columns)}"
        raise RecordError("wrong number of columns", detail)
    return dict(zip(header.columns, fields, strict=True))
