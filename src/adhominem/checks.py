"""Checks of the texts that a caller passes; anything else raises InputError."""

from collections.abc import Iterable, Sequence
from typing import Any

from adhominem.errors import InputError


def check_side(value: Any, name: str) -> Sequence[Any]:
    """Return a side as a list of texts."""
    if _is_text(value):
        return [value]
    if hasattr(value, "dtype") and hasattr(value, "__len__"):  # of pandas, polars or NumPy
        raise InputError(
            f"{name} is a column of {len(value):,} values: verify_pairs compares columns row by "
            f"row, and list({name}) makes one side of it"
        )
    if isinstance(value, bytes | bytearray) or not isinstance(value, Sequence):
        raise InputError(f"{name} is {_found(value)}: give a text or a list of texts")
    for number, text in enumerate(value):
        if not _is_text(text):
            raise InputError(f"text {number} of {name} is {_found(text)}: give a text")
    return value


def check_sides(values: Any, name: str) -> list[Any]:
    """Return the sides of a list, an array or a column; none may be empty."""
    column = _column(values, name)
    for number, side in enumerate(column):
        if not check_side(side, f"{name}[{number}]"):
            raise InputError(f"{name}[{number}] is an empty list: give at least one text")
    return column


def check_texts(values: Any, name: str = "texts") -> list[str]:
    """Return the texts of a list, an array or a column."""
    texts = _column(values, name)
    for number, text in enumerate(texts):
        if not isinstance(text, str):
            raise InputError(f"{name}[{number}] is {_found(text)}: give a text, or leave it out")
    return texts


def _column(values: Any, name: str) -> list[Any]:
    if _is_text(values):
        raise InputError(f"{name} is one text: give a list of texts, as in [text]")
    if len(getattr(values, "shape", ())) > 1:
        raise InputError(f"{name} is a table of shape {values.shape}: give one of its columns")
    if isinstance(values, bytes | bytearray | dict) or not isinstance(values, Iterable):
        raise InputError(f"{name} is {_found(values)}: give a list or a column of texts")
    return list(values)


def _is_text(value: Any) -> bool:
    from adhominem.records import Document

    return isinstance(value, str | Document)


def _found(value: Any) -> str:
    is_nan = isinstance(value, float) and value != value
    if value is None or is_nan or type(value).__name__ in ("NAType", "NaTType"):
        return f"missing ({value})"
    is_bytes = isinstance(value, bytes | bytearray)
    return "bytes, to be decoded first" if is_bytes else f"of type {type(value).__name__}"
