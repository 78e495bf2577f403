"""Readers of tables: csv and tsv files with a header, parquet files, and built corpora."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow
from pyarrow import parquet

from adhominem import rows
from adhominem.errors import InputError
from adhominem.laboratory.corpus import Columns
from adhominem.laboratory.corpus.readers import reader as base
from adhominem.laboratory.corpus.readers.plain_files import LineFile, write_pieces
from adhominem.laboratory.corpus.store import MANIFEST, Corpus
from adhominem.lines import iterate_lines, open_bytes

_MOST_ROWS = 20_000  # per shard
_BATCH = 2048  # rows


class CsvTable(LineFile):
    """A csv or tsv file with a header; as records may span lines, they are written as pieces."""

    name = "csv"

    def sniffs(self, path: Path, head: base.Head) -> bool:
        return _header(head) is not None

    def source(self, path: Path, head: base.Head) -> base.Source:
        header = _header(head)
        assert header is not None
        base.check_columns(path, head.columns, header.columns)
        return replace(super().source(path, head), header=header)

    def split(self, source: base.Source, folder: Path, shard_bytes: int) -> Iterator[base.Shard]:
        assert source.header is not None
        with open_bytes(source.path) as stream:
            lines = iterate_lines(stream)
            next(line for line in lines if line.data.strip() and not line.problem)  # the header
            records = rows.join_records(lines, source.header.delimiter)
            yield from write_pieces(source, records, folder, shard_bytes)

    def record(self, data: bytes, source: base.Source) -> dict[str, Any]:
        assert source.header is not None
        return rows.parse_record(data, source.header)


def _header(head: base.Head) -> rows.Header | None:
    if not head.line or head.record is not None:
        return None
    author, _, text = head.columns.names
    return rows.read_header(head.line, [author, text]) or rows.guess_header(head.line)


class ParquetTable(base.Reader):
    """A parquet file with author and text in the source's columns. A shard is a range of rows."""

    name = "parquet"

    def sniffs(self, path: Path, head: base.Head) -> bool:
        return head.raw.startswith(b"PAR1")

    def source(self, path: Path, head: base.Head) -> base.Source:
        try:
            available = parquet.ParquetFile(path).schema_arrow.names
        except (pyarrow.ArrowException, OSError) as error:
            raise _damaged(path, error) from None
        base.check_columns(path, head.columns, available)
        return super().source(path, head)

    def split(self, source: base.Source, folder: Path, shard_bytes: int) -> Iterator[base.Shard]:
        data = parquet.ParquetFile(source.path).metadata
        size = sum(data.row_group(i).total_byte_size for i in range(data.num_row_groups))
        n_rows = max(data.num_rows, 1)
        step = max(1, min(_MOST_ROWS, data.num_rows * shard_bytes // max(size, 1)))
        for start in range(0, n_rows, step):
            stop = min(start + step, data.num_rows)
            yield base.Shard(source, source.path, size * (stop - start) // n_rows, start, stop)

    def read(self, shard: base.Shard) -> base.Records:
        file, columns = parquet.ParquetFile(shard.path), shard.source.columns
        wanted = [name for name in columns.names if name in file.schema_arrow.names]
        if shard.stop == shard.start:
            yield base.Rejected(0, "empty file", "the file holds no row", "")
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
                    chosen = _records(batch.slice(begin, end - begin)) if begin < end else []
                    for number, record in enumerate(chosen, first + begin + 1):
                        yield _read_row(record, number, columns)
            except (pyarrow.ArrowException, OSError) as error:
                raise _damaged(shard.path, error) from None


class CorpusFolder(ParquetTable):
    """A corpus built earlier. A shard is one of its files."""

    name, pattern = "corpus", "*.parquet"

    def sniffs(self, path: Path, head: base.Head) -> bool:
        return (path / MANIFEST).is_file()

    def source(self, path: Path, head: base.Head) -> base.Source:
        return base.Source(path, self.name, path.resolve().name)

    def split(self, source: base.Source, folder: Path, shard_bytes: int) -> Iterator[base.Shard]:
        corpus = Corpus.open(source.path)
        for path in corpus.files:
            n = len(corpus.read(path, ["author"]))  # also checks the hash of the file
            yield base.Shard(source, path, path.stat().st_size, 0, n)

    def document_id(self, shard: base.Shard, document: base.RawDocument) -> str:
        return f"{shard.path.name}:{document.line}"


def _damaged(path: Path, error: Exception) -> InputError:
    return InputError(f"{path} is a damaged parquet file: {error}")


def _records(batch: Any) -> list[dict[str, Any] | None]:
    """Return the rows of a batch, with None for rows that are not valid UTF-8."""
    try:
        return list(batch.to_pylist())
    except UnicodeDecodeError:
        if len(batch) == 1:
            return [None]
        return [row for i in range(len(batch)) for row in _records(batch.slice(i, 1))]


def _read_row(
    record: dict[str, Any] | None, number: int, columns: Columns
) -> base.RawDocument | base.Rejected:
    if record is None:
        return base.Rejected(number, "invalid UTF-8", "a field of the row is no UTF-8", "")
    try:
        return base.general_document(record, number, columns)
    except rows.RecordError as error:
        return base.Rejected(number, error.reason, error.detail, str(record)[: base.EXCERPT])
