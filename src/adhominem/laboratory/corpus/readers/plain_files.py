"""Readers of files with one record per line and of folders with one text per file.

An uncompressed file is split into ranges of whole lines. A compressed file is unpacked once and
written as pieces. A folder is split into lists of files.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow
from pyarrow import parquet

from adhominem import rows
from adhominem.laboratory.corpus.readers import reader as base
from adhominem.laboratory.corpus.store import write_table
from adhominem.lines import Line, compression, iterate_lines, open_bytes

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_PIECE = pyarrow.schema(
    [("number", pyarrow.int64()), ("data", pyarrow.binary()), ("problem", pyarrow.string())]
)
_LINE_BYTES = 16  # size of a line in addition to its data
_FILES = 2000  # per shard
_MAX_FILE = 64 * 1024 * 1024  # bytes of a text


class LineFile(base.Reader):
    """A file with one record per line. By default a record is a JSON object with one document;
    subclasses override `record` for another syntax and `documents` for other fields."""

    def record(self, data: bytes, source: base.Source) -> dict[str, Any]:
        """Return the record on a line or raise RecordError."""
        return rows.parse_object(data)

    def documents(
        self, record: dict[str, Any], line: int, source: base.Source
    ) -> list[base.RawDocument]:
        """Return the documents of a record or raise RecordError."""
        return [base.general_document(record, line, source.columns)]

    def split(self, source: base.Source, folder: Path, shard_bytes: int) -> Iterator[base.Shard]:
        if compression(source.path) is not None:
            with open_bytes(source.path) as stream:
                yield from write_pieces(source, iterate_lines(stream), folder, shard_bytes)
            return
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

    def read(self, shard: base.Shard) -> base.Records:
        """Yield the documents of each line; a damaged, empty or invalid line is rejected."""
        for line in lines_of(shard):
            try:
                if problem := line.problem:
                    damage = "damaged file" if problem.startswith("the file") else "line too long"
                    raise rows.RecordError("not csv" if "quote" in problem else damage, problem)
                if not line.data.strip():
                    raise rows.RecordError("empty line", "the line holds nothing")
                data = line.data.removeprefix(BYTE_ORDER_MARK if line.number == 1 else b"")
                record = self.record(data, shard.source)
                yield from self.documents(record, line.number, shard.source)
            except rows.RecordError as error:
                excerpt = line.data[: 4 * base.EXCERPT].decode("utf-8", "replace")[: base.EXCERPT]
                detail = rows.storable(error.detail[: base.EXCERPT])
                yield base.Rejected(line.number, error.reason, detail, excerpt)


class JsonLines(LineFile):
    """One JSON object per line, with author and text in the fields of the source's columns."""

    name = "jsonl"

    def sniffs(self, path: Path, head: base.Head) -> bool:
        author, _, text = head.columns.names
        return head.record is not None and {author, text} <= set(head.record)


class EmptyFile(base.Reader):
    """A file without lines. It has one shard, in which it is reported as rejected."""

    name = "empty"

    def sniffs(self, path: Path, head: base.Head) -> bool:
        return head.line == b""

    def split(self, source: base.Source, folder: Path, shard_bytes: int) -> Iterator[base.Shard]:
        yield base.Shard(source, source.path, 0)

    def read(self, shard: base.Shard) -> base.Records:
        yield base.Rejected(0, "empty file", "the file holds no line", "")


def write_pieces(
    source: base.Source, lines: Iterator[Line], folder: Path, shard_bytes: int
) -> Iterator[base.Shard]:
    """Write lines with their numbers and problems as parquet files, one per shard."""
    number, line = 0, next(lines, None)
    while line is not None or number == 0:
        held, size = [], 0
        while line is not None and size < shard_bytes:
            held.append({name: getattr(line, name) for name in _PIECE.names})
            size += len(line.data) + _LINE_BYTES
            line = next(lines, None)
        path = folder / f"{source.number:06d}-{number:06d}.lines"
        write_table(pyarrow.Table.from_pylist(held, schema=_PIECE), path)
        yield base.Shard(source, path, size, is_piece=True)
        number += 1


def lines_of(shard: base.Shard) -> Iterator[Line]:
    """Yield the lines of a shard, numbered as in the source."""
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


class AuthorFolders(base.Reader):
    """A folder with one folder per author, which may have one folder per topic."""

    name = "authors"

    def sniffs(self, path: Path, head: base.Head) -> bool:
        return path.is_dir() and (any(path.glob("*/*.txt")) or any(path.glob("*/*/*.txt")))

    def split(self, source: base.Source, folder: Path, shard_bytes: int) -> Iterator[base.Shard]:
        files = sorted(
            path.relative_to(source.path).as_posix()
            for path in source.path.rglob("*.txt")
            if path.is_file() and len(path.relative_to(source.path).parts) > 1
        )
        for i in range(0, len(files), _FILES):
            part = tuple(files[i : i + _FILES])
            size = sum((source.path / name).stat().st_size for name in part)
            yield base.Shard(source, source.path, size, first=i + 1, files=part)

    def read(self, shard: base.Shard) -> base.Records:
        def document(name: str, text: str, number: int) -> base.RawDocument:
            author, *topics, _ = map(rows.storable, name.split("/"))
            return base.RawDocument(author, topics[0] if topics else None, text, number)

        return read_files(shard, document)


def read_files(
    shard: base.Shard, document: Callable[[str, str, int], base.RawDocument | base.Rejected]
) -> base.Records:
    """Yield `document(name, text, number)` for each readable file; other files are rejected."""
    for number, name in enumerate(shard.files, shard.first):
        path = shard.path / name
        try:
            with path.open("rb") as file:
                data = file.read(_MAX_FILE + 1)
            if len(data) <= _MAX_FILE:
                yield document(name, rows.storable(data.decode("utf-8-sig")), number)
                continue
            reason, detail = "line too long", f"over {_MAX_FILE >> 20} MB"
        except UnicodeDecodeError as error:
            reason, detail = "invalid UTF-8", str(error.reason)
        except OSError as error:
            reason, detail = "damaged file", str(error.strerror)
        yield base.Rejected(number, reason, detail, rows.storable(path.name))
