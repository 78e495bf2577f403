"""Checks of the texts that a caller gives: what is not a text is an error of one line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from adhominem.errors import InputError


def check_side(value: Any, name: str) -> Sequence[Any]:
    """One text as a list of one, and a list of texts as it is; anything else is an InputError."""
    if isinstance(value, str) or _is_document(value):
        return [value]
    if is_column(value):
        raise InputError(
            f"{name} is a column of {len(value):,} values: verify_pairs compares columns row by "
            f"row, and list({name}) makes one side of it"
        )
    if isinstance(value, bytes | bytearray) or not isinstance(value, Sequence):
        raise InputError(f"{name} is {_found(value)}: give a text or a list of texts")
    for number, text in enumerate(value):
        if not isinstance(text, str) and not _is_document(text):
            raise InputError(f"text {number} of {name} is {_found(text)}: give a text")
    return value


def check_column(values: Any, name: str) -> Sequence[Any]:
    """Values that can be counted: a list, an array or a column of a table."""
    if isinstance(values, str) or _is_document(values):
        raise InputError(f"{name} is one text: give a list of texts, as in [text]")
    if len(getattr(values, "shape", (0,))) > 1:
        raise InputError(f"{name} is a table of shape {values.shape}: give one of its columns")
    if isinstance(values, bytes | bytearray | dict) or not isinstance(values, Iterable):
        raise InputError(f"{name} is {_found(values)}: give a list or a column of texts")
    return values if isinstance(values, list | tuple) else list(values)


def check_texts(values: Any, name: str = "texts") -> Sequence[str]:
    """A list, an array or a column that holds texts and nothing else."""
    column = check_column(values, name)
    for number, text in enumerate(column):
        if not isinstance(text, str):
            raise InputError(f"{name}[{number}] is {_found(text)}: give a text, or leave it out")
    return column


def is_column(value: Any) -> bool:
    """True for columns of pandas and polars and for arrays, which all have a dtype."""
    return hasattr(value, "dtype") and hasattr(value, "__len__")


def _is_document(value: Any) -> bool:
    from adhominem.records import Document

    return isinstance(value, Document)


def _found(value: Any) -> str:
    is_nan = isinstance(value, float) and value != value
    if value is None or is_nan or type(value).__name__ in ("NAType", "NaTType"):
        return f"missing ({value})"
    if isinstance(value, bytes | bytearray):
        return "bytes, to be decoded first"
    return f"of type {type(value).__name__}"
