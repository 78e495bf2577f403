"""Files of lines, split and read; JSON lines, the general format of them.

A plain file is split into ranges of whole lines. A compressed file is unpacked once and written as
pieces.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow
from pyarrow import parquet

from adhominem.instrument.lines import Line, compression, iterate_lines, open_bytes
from adhominem.instrument.rows import RecordError, parse_object, storable
from adhominem.laboratory.corpus.readers import reader as base
from adhominem.laboratory.corpus.store import write_table

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_PIECE = pyarrow.schema(
    [("number", pyarrow.int64()), ("data", pyarrow.binary()), ("problem", pyarrow.string())]
)
_LINE_BYTES = 16  # of a line in addition to its data


class JsonLines(base.Reader):
    """One JSON object per line, with the author and the text in fields of the usual or given
    names."""

    name = "jsonl"

    def sniffs(self, path: Path, head: base.Head) -> bool:
        author, _, text = head.columns.names
        return head.record is not None and {author, text} <= set(head.record)

    def split(self, source: base.Source, folder: Path, shard_bytes: int) -> Iterator[base.Shard]:
        return split_lines(source, folder, shard_bytes)

    def read(self, shard: base.Shard) -> base.Records:
        columns = shard.source.columns
        return read_objects(
            shard, lambda record, line: [base.general_document(record, line, columns)]
        )


class EmptyFile(base.Reader):
    """A file without lines. It has one shard, so that it is reported."""

    name = "empty"

    def sniffs(self, path: Path, head: base.Head) -> bool:
        return head.line == b""

    def split(self, source: base.Source, folder: Path, shard_bytes: int) -> Iterator[base.Shard]:
        yield base.Shard(source, source.path, 0)

    def read(self, shard: base.Shard) -> base.Records:
        yield base.Rejected(0, "empty file", "the file holds no line", "")


def split_lines(source: base.Source, folder: Path, shard_bytes: int) -> Iterator[base.Shard]:
    """Split a file into ranges of whole lines if it is plain, else into pieces."""
    if compression(source.path) is None:
        yield from _split_plain(source, shard_bytes)
    else:
        with open_bytes(source.path) as stream:
            yield from write_pieces(source, iterate_lines(stream), folder, shard_bytes)


def _split_plain(source: base.Source, shard_bytes: int) -> Iterator[base.Shard]:
    size = source.path.stat().st_size
    start, first = 0, 1
    with source.path.open("rb") as file:
        while start < size or start == 0:
            lines = file.read(shard_bytes).count(b"\n")
            while (rest := file.read(1 << 16)) and b"\n" not in rest:
                pass
            if rest:
                file.seek(rest.index(b"\n") + 1 - len(rest), 1)
                lines += 1
            stop = file.tell()
            yield base.Shard(source, source.path, stop - start, start, stop, first)
            if stop == start:
                return
            start, first = stop, first + lines


def write_pieces(
    source: base.Source, lines: Iterator[Line], folder: Path, shard_bytes: int
) -> Iterator[base.Shard]:
    """Write lines with their numbers and problems as parquet files, one for each shard."""
    number, line = 0, next(lines, None)
    while line is not None or number == 0:
        rows, size = [], 0
        while line is not None and size < shard_bytes:
            rows.append((line.number, line.data, line.problem))
            size += len(line.data) + _LINE_BYTES
            line = next(lines, None)
        path = folder / f"{source.number:06d}-{number:06d}.lines"
        columns = [list(column) for column in zip(*rows, strict=True)] or [[], [], []]
        write_table(pyarrow.table(columns, schema=_PIECE), path)
        yield base.Shard(source, path, size, is_piece=True)
        number += 1


def lines_of(shard: base.Shard) -> Iterator[Line]:
    """Yield the lines of a shard, under their numbers in the source."""
    if shard.is_piece:
        for batch in parquet.ParquetFile(shard.path).iter_batches():
            yield from (Line(**row) for row in batch.to_pylist())
        return
    with shard.path.open("rb") as stream:
        stream.seek(shard.start)
        for line in iterate_lines(stream, first=shard.first):
            yield line
            if stream.tell() >= shard.stop:
                return


def read_lines(
    shard: base.Shard, documents: Callable[[bytes, int], list[base.RawDocument]]
) -> base.Records:
    """Yield what `documents` makes of each line and its number; a line is rejected if this raises a
    RecordError, or if it is damaged or empty."""
    for line in lines_of(shard):
        if line.problem:
            yield _reject(line, _reason(line.problem), line.problem)
        elif not line.data.strip():
            yield _reject(line, "empty line", "the line holds nothing")
        else:
            is_first = line.number == 1
            data = line.data.removeprefix(BYTE_ORDER_MARK) if is_first else line.data
            try:
                yield from documents(data, line.number)
            except RecordError as error:
                yield _reject(line, error.reason, error.detail)


def read_objects(
    shard: base.Shard, documents: Callable[[dict[str, Any], int], list[base.RawDocument]]
) -> base.Records:
    """As `read_lines`, with a JSON object on each line."""
    return read_lines(shard, lambda data, line: documents(parse_object(data), line))


def _reason(problem: str) -> str:
    if "quote" in problem:
        return "not csv"
    return "damaged file" if problem.startswith("the file") else "line too long"


def _reject(line: Line, reason: str, detail: str) -> base.Rejected:
    excerpt = line.data[: 4 * base.EXCERPT].decode("utf-8", "replace")[: base.EXCERPT]
    return base.Rejected(line.number, reason, storable(detail[: base.EXCERPT]), excerpt)
