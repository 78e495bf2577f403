"""Documents out of parquet, jsonl and csv files with columns for author, topic and text."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from adhominem.errors import InputError
from adhominem.records import Document


def read_corpus(
    path: Path, *, author: str = "author", topic: str | None = "topic", text: str = "text"
) -> list[Document]:
    """Every row of the file, in order. The topic is optional; author and text are not."""
    rows = _rows(path, [author, text] + ([topic] if topic else []))
    try:
        return [
            Document(
                text=_field(row, text, path, number, may_be_empty=True),
                author=_field(row, author, path, number),
                topic=str(row[topic]) if topic and row.get(topic) is not None else None,
                id=f"{path.name}:{number}",
            )
            for number, row in enumerate(rows, 1)
        ]
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 text ({error.reason}): save it as UTF-8") from None
    except csv.Error as error:
        raise InputError(f"{path} cannot be read as csv: {error}; save it as .jsonl") from None


def _field(
    row: Mapping[str, Any], name: str, path: Path, number: int, *, may_be_empty: bool = False
) -> str:
    value = row.get(name)
    if value is None or (value == "" and not may_be_empty):
        raise InputError(f"{path}, row {number}: no value in column '{name}'; name another column")
    return str(value)


def _rows(path: Path, columns: list[str]) -> Iterator[Mapping[str, Any]]:
    if not path.is_file():
        raise InputError(f"{path} is not a file: give a .parquet, .jsonl or .csv corpus")
    match path.suffix:
        case ".parquet":
            return _parquet_rows(path, columns)
        case ".jsonl":
            return _json_rows(path)
        case ".csv":
            return _csv_rows(path)
    raise InputError(f"{path} has the ending '{path.suffix}': expected .parquet, .jsonl or .csv")


def _parquet_rows(path: Path, columns: list[str]) -> Iterator[Mapping[str, Any]]:
    import pyarrow
    from pyarrow import parquet

    try:
        file = parquet.ParquetFile(path)
        present = [name for name in columns if name in file.schema_arrow.names]
        for batch in file.iter_batches(columns=present):
            yield from batch.to_pylist()
    except (pyarrow.ArrowException, OSError) as error:
        raise InputError(f"{path} is not a parquet file, or damaged: {error}") from None


def _json_rows(path: Path) -> Iterator[Mapping[str, Any]]:
    with path.open(encoding="utf-8-sig") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise InputError(f"{path}, line {number} is not JSON: {error}") from None
            if not isinstance(row, dict):
                raise InputError(f"{path}, line {number} is not a JSON object")
            yield row


def _csv_rows(path: Path) -> Iterator[Mapping[str, Any]]:
    with path.open(encoding="utf-8-sig", newline="") as lines:
        yield from csv.DictReader(lines)
