"""Parquet files, split into ranges of rows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow
from pyarrow import parquet

from adhominem.errors import InputError
from adhominem.instrument.rows import RecordError
from adhominem.laboratory.corpus.readers.reader import (
    EXCERPT,
    Head,
    RawDocument,
    Reader,
    Records,
    Rejected,
    Shard,
    Source,
    check_columns,
    general_document,
)
from adhominem.laboratory.corpus.settings import Columns

_MOST_ROWS = 20_000  # of a shard
_BATCH = 2048  # rows


class ParquetTable(Reader):
    """A parquet file with the author and the text in columns of the usual or given names."""

    name = "parquet"

    def sniffs(self, path: Path, head: Head) -> bool:
        return head.raw.startswith(b"PAR1")

    def source(self, path: Path, head: Head) -> Source:
        try:
            available = parquet.ParquetFile(path).schema_arrow.names
        except (pyarrow.ArrowException, OSError) as error:
            raise _damaged(path, error) from None
        check_columns(path, head.columns, available)
        return super().source(path, head)

    def split(self, source: Source, folder: Path, shard_bytes: int) -> Iterator[Shard]:
        data = parquet.ParquetFile(source.path).metadata
        size = sum(data.row_group(i).total_byte_size for i in range(data.num_row_groups))
        n_rows = max(data.num_rows, 1)
        step = max(1, min(_MOST_ROWS, data.num_rows * shard_bytes // max(size, 1)))
        for start in range(0, n_rows, step):
            stop = min(start + step, data.num_rows)
            yield Shard(source, source.path, size * (stop - start) // n_rows, start, stop)

    def read(self, shard: Shard) -> Records:
        file, columns = parquet.ParquetFile(shard.path), shard.source.columns
        wanted = [name for name in columns.names if name in file.schema_arrow.names]
        if shard.stop == shard.start:
            yield Rejected(0, "empty file", "the file holds no row", "")
        row = 0
        for group in range(file.num_row_groups):
            n_rows = file.metadata.row_group(group).num_rows
            if row + n_rows <= shard.start or row >= shard.stop:
                row += n_rows
                continue
            try:
                for batch in file.iter_batches(_BATCH, row_groups=[group], columns=wanted):
                    first, row = row, row + len(batch)
                    begin, end = max(shard.start - first, 0), min(shard.stop - first, len(batch))
                    rows = _records(batch.slice(begin, end - begin)) if begin < end else []
                    for number, record in enumerate(rows, first + begin + 1):
                        yield _read_row(record, number, columns)
            except (pyarrow.ArrowException, OSError) as error:
                raise _damaged(shard.path, error) from None


def _damaged(path: Path, error: Exception) -> InputError:
    return InputError(f"{path} is a damaged parquet file: {error}")


def _records(batch: Any) -> list[dict[str, Any] | None]:
    """Return the rows of a batch, with None for a row that is not valid UTF-8."""
    try:
        return list(batch.to_pylist())
    except UnicodeDecodeError:
        if len(batch) == 1:
            return [None]
        return [row for i in range(len(batch)) for row in _records(batch.slice(i, 1))]


def _read_row(
    record: dict[str, Any] | None, number: int, columns: Columns
) -> RawDocument | Rejected:
    if record is None:
        return Rejected(number, "invalid UTF-8", "a field of the row is no UTF-8", "")
    try:
        return general_document(record, number, columns)
    except RecordError as error:
        return Rejected(number, error.reason, error.detail, str(record)[:EXCERPT])
