"""One record of a dump: a document with its author, or the reason why it is none."""

from __future__ import annotations

import ast
import json
import warnings
from dataclasses import dataclass
from typing import Any

from adhominem.instrument.lines import Line

_EXCERPT = 160  # characters of a rejected line that the quarantine keeps
_MAX_LITERAL = 256 * 1024  # characters; reading a Python literal takes 500 bytes for each


@dataclass(frozen=True, slots=True)
class Found:
    """`line` is where it stood in its source, `part` which document of that line it is;
    `is_local` says that the author's name means something in this source alone."""

    author: str
    topic: str | None
    text: str
    line: int
    part: int = 0
    is_local: bool = False


@dataclass(frozen=True, slots=True)
class Rejected:
    """`reason` is one of a few fixed words, `detail` says what was found."""

    line: int
    reason: str
    detail: str
    excerpt: str


class RecordError(Exception):
    """Raised by a reader for a record that holds no document: reason, then detail."""

    @property
    def reason(self) -> str:
        return str(self.args[0])

    @property
    def detail(self) -> str:
        return str(self.args[1])


def reject(line: Line, reason: str, detail: str) -> Rejected:
    shown = line.data[: 4 * _EXCERPT].decode("utf-8", "replace")[:_EXCERPT]
    return Rejected(line.number, reason, sound(detail[:_EXCERPT]), shown)


def decode(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RecordError(
            "invalid UTF-8", f"byte 0x{data[error.start]:02x} at {error.start}: {error.reason}"
        ) from None


def parse_object(data: bytes) -> dict[str, Any]:
    """A JSON object, or the same written as a Python dictionary (the oldest dumps are). The
    latter is read as a literal: nothing in it is ever called."""
    text = decode(data)
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        content = _python_literal(text, error)
    if not isinstance(content, dict):
        raise RecordError("not an object", f"expected an object, found {name_of(content)}")
    return content


def _python_literal(text: str, problem: Exception) -> Any:
    begins = text.lstrip().startswith(("{'", '{"', "{u'", '{u"'))
    if not begins or len(text) > _MAX_LITERAL:
        raise RecordError("not JSON", str(problem)) from None
    try:
        with warnings.catch_warnings(action="ignore"):  # of odd escapes, on the user's terminal
            return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        raise RecordError("not JSON", str(problem)) from None


def text_field(record: dict[str, Any], name: str) -> str:
    value = _present(record, name, "text")
    if not isinstance(value, str):
        raise RecordError("wrong type", f"'{name}' is {name_of(value)}, expected a text")
    return sound(value)


def author_field(record: dict[str, Any], name: str) -> str:
    author = as_name(_present(record, name, "author"), name)
    if not author:
        raise RecordError("missing author", f"'{name}' is empty")
    return author


def topic_field(record: dict[str, Any], name: str) -> str | None:
    value = record.get(name)
    if value is None or value == "":
        return None
    return as_name(value, name) or None


def as_name(value: Any, field: str) -> str:
    """A text or a number; one of thousands of digits cannot be written and names nobody."""
    if isinstance(value, str):
        return sound(value).strip()
    if isinstance(value, bool) or not isinstance(value, int) or value.bit_length() > 1000:
        raise RecordError("wrong type", f"'{field}' is {name_of(value)}, expected a name")
    return str(value)


def _present(record: dict[str, Any], name: str, role: str) -> Any:
    if name not in record:
        raise RecordError(f"missing {role}", f"no field '{name}'")
    if record[name] is None:
        raise RecordError(f"missing {role}", f"'{name}' is null")
    return record[name]


def sound(text: str) -> str:
    """Half a surrogate pair cannot be stored; it becomes the replacement character."""
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def name_of(value: Any) -> str:
    kinds = {bool: "true or false", int: "a number", float: "a number", str: "a text"}
    kinds |= {list: "a list", dict: "an object", type(None): "null", tuple: "a list"}
    return kinds.get(type(value), type(value).__name__)
