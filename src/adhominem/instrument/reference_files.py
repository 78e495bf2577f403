"""Reads reference texts: unlabelled texts of the same kind as those compared, by many authors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from adhominem.errors import InputError
from adhominem.extras import optional_imports
from adhominem.instrument.lines import iterate_lines, open_bytes
from adhominem.instrument.rows import (
    RecordError,
    join_records,
    parse_object,
    parse_record,
    read_header,
    text_field,
)
from adhominem.instrument.text.read import read_text

_FIELD = "text"
_MOST_TEXTS = 2_000  # more say nothing new of a kind


def read_references(paths: Sequence[Path], *, encoding: str = "utf-8") -> list[str]:
    """The texts of folders of .txt files, and of .jsonl, .csv and .parquet files with a column
    `text`; at most 2,000, the first of them."""
    texts: list[str] = []
    for path in paths:
        for text in _texts(path, encoding):
            texts.append(text)
            if len(texts) == _MOST_TEXTS:
                return texts
    return texts


def _texts(path: Path, encoding: str) -> Iterator[str]:
    if path.is_dir():
        files = sorted(path.rglob("*.txt"))
        if not files:
            raise InputError(f"{path} has no .txt files: give a folder of reference texts")
        yield from (read_text(file, encoding=encoding) for file in files)
    elif path.suffix == ".parquet":
        with optional_imports():
            from pyarrow import parquet
        try:
            column = parquet.read_table(path, columns=[_FIELD])[_FIELD]
        except (OSError, ValueError, KeyError) as error:
            problem = str(error).splitlines()[0][:100]
            raise InputError(f"{path} cannot be read ({problem}): give a column 'text'") from None
        yield from (value for value in column.to_pylist() if isinstance(value, str))
    elif path.suffix == ".txt":
        yield read_text(path, encoding=encoding)
    else:
        yield from _rows(path)


def _rows(path: Path) -> Iterator[str]:
    """The texts of JSON lines or of rows below a header; a row without a text is an error."""
    with open_bytes(path) as stream:
        lines = iterate_lines(stream)
        first = next(lines, None)
        if first is None:
            raise InputError(f"{path} is empty: give reference texts")
        header = read_header(first.data, [_FIELD])
        rows = chain([first], lines) if header is None else join_records(lines, header.delimiter)
        for row in rows:
            try:
                if row.problem is not None:
                    raise RecordError("incomplete", row.problem)
                record = (
                    parse_object(row.data) if header is None else parse_record(row.data, header)
                )
                yield text_field(record, _FIELD)
            except RecordError as error:
                raise InputError(f"{path}, line {row.number}: {error.detail}") from None
