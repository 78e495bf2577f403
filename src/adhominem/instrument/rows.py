"""Rows of JSON lines and tables: one object per row, and the fields that a document needs."""

from __future__ import annotations

import ast
import json
import warnings
from typing import Any

_MAX_LITERAL = 256 * 1024  # characters; parsing a Python literal takes 500 bytes for each


class RecordError(Exception):
    """Raised for a row that holds no document. `reason` is one of a few fixed phrases, `detail`
    says what was found."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(reason, detail)
        self.reason, self.detail = reason, detail


def decode(data: bytes) -> str:
    """Decode UTF-8; the error of invalid bytes names the first one and its position."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RecordError(
            "invalid UTF-8", f"byte 0x{data[error.start]:02x} at {error.start}: {error.reason}"
        ) from None


def parse_object(data: bytes) -> dict[str, Any]:
    """Parse a JSON object, or a Python dictionary as the oldest dumps have it. A dictionary is
    parsed as a literal: nothing in it is executed."""
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
    """Return a required field that must be a string."""
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
    if value is None or value == "":
        return None
    return to_name(value, name) or None


def to_name(value: Any, field: str) -> str:
    """Return a string or an integer as a name; an integer of thousands of digits is refused."""
    if isinstance(value, str):
        return storable(value).strip()
    if isinstance(value, bool) or not isinstance(value, int) or value.bit_length() > 1000:
        raise RecordError("wrong type", f"'{field}' is {type_name(value)}, expected a name")
    return str(value)


def _required(record: dict[str, Any], name: str, role: str) -> Any:
    if name not in record:
        raise RecordError(f"missing {role}", f"no field '{name}'")
    if record[name] is None:
        raise RecordError(f"missing {role}", f"'{name}' is null")
    return record[name]


def storable(text: str) -> str:
    """Replace lone surrogates, which UTF-8 cannot store, by the replacement character."""
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def type_name(value: Any) -> str:
    """Return the type of a JSON value in plain words."""
    names = {bool: "true or false", int: "a number", float: "a number", str: "a text"}
    names |= {list: "a list", dict: "an object", type(None): "null", tuple: "a list"}
    return names.get(type(value), type(value).__name__)
